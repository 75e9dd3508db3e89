"""What lies on the table in one round, as lists anyone can read."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from tests.reference.tiles import Tile, is_double, outer_end

MEXICAN = "M"
"""The name of the Mexican Train; a seat's train is named by the seat's number."""

Train = int | str
"""A seat, or ``MEXICAN``."""

Happening = tuple[Any, ...]
"""One thing that happened: its name, then its facts."""


@dataclass
class Table:
    """One round.

    Attributes:
        number: 1-based.
        hub: value of the double in the centre.
        starter: the seat that took the first turn.
        hands: each seat's tiles.
        boneyard: tiles face down; the first is drawn next.
        trains: each train's tiles, from the hub outwards, each turned (inner end, outer end).
        marked: whether each seat's train carries a marker.
        open_doubles: trains that end in a double to be covered, in order of laying.
        deferred: trains that end in a double that opens when the first lap ends.
        first_turn_over: whether each seat's first turn is over.
        out: seats that have laid their last tile.
        barred: seats that may not play on their own train, each with the train whose double
            it failed to cover.
        turn: the seat to move.
        laid: tiles laid in this turn.
        doubles_laid: how many of them were doubles.
        opening: this turn lays an opening train.
        follow_up: what a double of this turn asks for: ``""``, ``"anywhere"`` or ``"cover"``.
        follow_up_is_free: the seat may as well pass.
        cover: the train of that double, for ``"cover"``.
        drawn: tiles drawn since the present obligation arose.
        drawn_before: tiles drawn in this turn before that.
        called: seats that announced their last tile.
        uncalled: the seat that ended its turn on one tile and may still announce it.
        live: the round is still going on.
    """

    number: int
    hub: int
    starter: int
    hands: list[list[Tile]]
    boneyard: list[Tile]
    trains: dict[Train, list[Tile]]
    marked: list[bool]
    first_turn_over: list[bool]
    turn: int
    open_doubles: list[Train] = field(default_factory=list)
    deferred: list[Train] = field(default_factory=list)
    out: list[int] = field(default_factory=list)
    barred: dict[int, Train] = field(default_factory=dict)
    laid: int = 0
    doubles_laid: int = 0
    opening: bool = False
    follow_up: str = ""
    follow_up_is_free: bool = False
    cover: Train | None = None
    drawn: int = 0
    drawn_before: int = 0
    called: set[int] = field(default_factory=set)
    uncalled: int | None = None
    live: bool = True

    def copy(self) -> Table:
        """Return a table that shares no list with this one."""
        twin = Table(**{item.name: getattr(self, item.name) for item in fields(self)})
        twin.hands = [list(hand) for hand in self.hands]
        twin.trains = {train: list(tiles) for train, tiles in self.trains.items()}
        for name in ("boneyard", "marked", "first_turn_over", "open_doubles", "deferred", "out"):
            setattr(twin, name, list(getattr(self, name)))
        twin.barred = dict(self.barred)
        twin.called = set(self.called)
        return twin

    def hand(self) -> list[Tile]:
        """Return the hand of the seat to move."""
        return self.hands[self.turn]

    def end(self, train: Train) -> int:
        """Return the value that a train ends in; the hub's while it is not started (TC L27)."""
        tiles = self.trains[train]
        return tiles[-1][1] if tiles else self.hub

    def ends_in_double(self, train: Train) -> bool:
        """Tell whether the last tile of a train is a double."""
        tiles = self.trains[train]
        return bool(tiles) and is_double(tiles[-1])

    def lay(self, tile: Tile, train: Train) -> None:
        """Move a tile from the hand of the seat to move to the end of a train."""
        inner = self.end(train)
        self.hand().remove(tile)
        self.trains[train].append((inner, outer_end(tile, inner)))

    def tiles_out_of_play(self) -> list[Tile]:
        """Return the tiles that everyone can see: those on trains and the hub."""
        on_trains = [tile for tiles in self.trains.values() for tile in tiles]
        return [(max(tile), min(tile)) for tile in on_trains] + [(self.hub, self.hub)]
