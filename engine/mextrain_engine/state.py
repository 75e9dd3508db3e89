"""The state of a match, whole and secret: what only the engine and its host may hold.

Immutable. What leaves for a player is built in ``views`` from an allow-list.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from mextrain_engine.choice import Choice
from mextrain_engine.events import Event, RoundEnd
from mextrain_engine.ruleset import RuleSet
from mextrain_engine.tiles import TileId, TileMask

NOT_BARRED = -2
"""In ``Round.barred``: this seat may play on its own train."""


class Phase(Choice):
    """Where a match stands."""

    AWAITING_DEAL = "awaiting_deal"
    PLAYING = "playing"
    FINISHED = "finished"


class Owed(IntEnum):
    """What the seat to move still owes within its turn, after a double."""

    NOTHING = 0
    FOLLOW_ANYWHERE = 1
    COVER = 2
    MAY_FOLLOW = 3
    MAY_COVER = 4


class Round(NamedTuple):
    """One round, live or just over.

    Attributes:
        number: 1-based.
        hub: pip value of the hub double.
        starter: the seat that took the first turn.
        hands: tiles of each seat, as masks, by seat.
        boneyard: tile ids face down, in the order in which they are drawn.
        trains: by seat, the Mexican Train last (index ``MEXICAN``): each the pips of its chain,
            the hub's value first, so a train of length 1 is not started.
        markers: seats whose train is marked, as a bit mask.
        open_doubles: trains that end in an open double, in order of laying.
        deferred: trains that end in a double that opens when all first turns are over.
        begun: seats whose first turn is over, as a bit mask.
        out: seats that hold no tile any more, as a bit mask.
        turn: the seat to move.
        laid: tiles laid so far in this turn.
        doubles: doubles laid so far in this turn.
        drawn: tiles drawn so far for the present obligation; in this turn, where the rules
            grant one draw a turn.
        owed: what a double in this turn still asks for.
        owed_train: the train of that double; -1 and meaningless unless a cover is owed.
        called: seats that announced their last tile, as a bit mask.
        uncalled: the seat that holds one tile and has yet to call it; -1 for none.
        barred: for each seat, the train whose double it failed to cover (with
            ``closed_until_covered``), ``NOT_BARRED`` for none; empty when the rule is not used.
        seen: every tile that lies in the centre or on a train, as a mask.
    """

    number: int
    hub: int
    starter: int
    hands: tuple[TileMask, ...]
    boneyard: bytes
    trains: tuple[bytes, ...]
    markers: int
    open_doubles: tuple[int, ...]
    deferred: tuple[int, ...]
    begun: int
    out: int
    turn: int
    laid: int
    doubles: int
    drawn: int
    owed: Owed
    owed_train: int
    called: int
    uncalled: int
    barred: tuple[int, ...]
    seen: TileMask


@dataclass(frozen=True, slots=True)
class RoundResult:
    """How a round came out.

    Attributes:
        hub: pip value of its hub.
        starter: the seat that took the first turn.
        end: why it ended.
        out: seats that went out, as a bit mask; 0 when blocked.
        points: points of the round, by seat.
    """

    hub: int
    starter: int
    end: RoundEnd
    out: int
    points: tuple[int, ...]


class State(NamedTuple):
    """A match at one moment. Holds every secret of it.

    Attributes:
        rules: the rule set, valid for this many seats.
        seats: how many seats, 2 to 14.
        phase: whether a deal is due, a round is live, or all is over.
        results: the rounds that are over, in order.
        round: the live round, or the last one after it ended; None before the first deal.
    """

    rules: RuleSet
    seats: int
    phase: Phase
    results: tuple[RoundResult, ...]
    round: Round | None


class Step(NamedTuple):
    """What a deal or a move leads to.

    Attributes:
        state: the state after it.
        events: what happened, in order; unredacted.
    """

    state: State
    events: tuple[Event, ...]


def hub_tile(round_: Round) -> TileId:
    """Return the hub double of a round as a tile."""
    return TileId(round_.hub * (round_.hub + 3) // 2)
