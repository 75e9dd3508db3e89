"""A round under change: the mutable copy on which one step works, and its elementary actions.

Private to the step that made it; it never outlives it and is never shown.
"""

from __future__ import annotations

from mextrain_engine import options as opt
from mextrain_engine.events import DoubleCovered, DoubleOpened, DoubleReleased, Event
from mextrain_engine.legal import due_doubles
from mextrain_engine.state import NOT_BARRED, Owed, Round, State, Step
from mextrain_engine.tiles import TILES_WITH, TileId, full_set

# Members that every move asks for, bound once: to look one up in its enum takes 45 ns.
_NOTHING = Owed.NOTHING


class Board:
    """The fields of a ``Round``, writable, with the state they came from and the events so far."""

    __slots__ = (*Round._fields, "events", "everyone", "rules", "seats", "state")

    def __init__(self, state: State, round_: Round, events: list[Event]) -> None:
        self.state = state
        self.rules = state.rules
        self.seats = state.seats
        self.everyone = (1 << state.seats) - 1
        self.events = events
        (
            self.number,
            self.hub,
            self.starter,
            self.hands,
            self.boneyard,
            self.trains,
            self.markers,
            self.open_doubles,
            self.deferred,
            self.begun,
            self.out,
            self.turn,
            self.laid,
            self.doubles,
            self.drawn,
            self.owed,
            self.owed_train,
            self.called,
            self.uncalled,
            self.barred,
            self.seen,
        ) = round_

    def freeze(self) -> Round:
        """Return the round as a value again."""
        return Round(
            self.number,
            self.hub,
            self.starter,
            self.hands,
            self.boneyard,
            self.trains,
            self.markers,
            self.open_doubles,
            self.deferred,
            self.begun,
            self.out,
            self.turn,
            self.laid,
            self.doubles,
            self.drawn,
            self.owed,
            self.owed_train,
            self.called,
            self.uncalled,
            self.barred,
            self.seen,
        )

    def step(self) -> Step:
        """Return the step that leads to this position, the round going on."""
        state = self.state
        return Step(
            State(self.rules, self.seats, state.phase, state.results, self.freeze()),
            tuple(self.events),
        )

    def end_of(self, train: int) -> int:
        """Return the value that a train ends in."""
        return self.trains[train][-1]

    def ends_in_double(self, train: int) -> bool:
        """Tell whether the last tile of a train is a double; the hub does not count."""
        # Rule hub.never-open
        return len(self.trains[train]) > 1 and self.trains[train][-1] == self.trains[train][-2]

    def place(self, seat: int, tile: int, train: int, end: int) -> None:
        """Move a tile from a hand to the end of a train."""
        bit = 1 << tile
        hands, trains = list(self.hands), list(self.trains)
        hands[seat] ^= bit
        # Rules turn.match, double.no-branches
        trains[train] += _PIP_BYTES[end]
        self.hands, self.trains = tuple(hands), tuple(trains)
        self.seen |= bit

    def take_tile(self, seat: int) -> TileId:
        """Move the first tile of the boneyard into a hand; an announcement of the seat lapses."""
        tile = self.boneyard[0]
        hands = list(self.hands)
        hands[seat] |= 1 << tile
        self.hands = tuple(hands)
        self.boneyard = self.boneyard[1:]
        # Rule last.no-call-between
        self.called &= ~(1 << seat)
        return TileId(tile)

    def open_double(self, train: int) -> None:
        """Let the double at the end of a train wait for its cover."""
        self.open_doubles = (*self.open_doubles, train)
        self.events.append(DoubleOpened(train, self.end_of(train)))

    def open_deferred(self) -> None:
        """Open the doubles of the first lap, in order of laying (C13)."""
        # Rule open.first-turn.deferred
        for train in self.deferred:
            self.open_double(train)
        self.deferred = ()
        self.release_dead()

    def cover(self, train: int) -> None:
        """Take note that a tile now lies behind the double at the end of a train, if it was one."""
        # Rules open.cover-tile, open.stays-closed
        if train in self.open_doubles:
            self.events.append(DoubleCovered(train, self.trains[train][-2]))
            self._settle(train)
        # Rule first-turn.multi.doubles
        if train in self.deferred:
            self.deferred = tuple(other for other in self.deferred if other != train)

    def release_dead(self) -> None:
        """Release open doubles whose value is used up, where the rules do so [35, C26]."""
        # Rules open.dead.blocks, open.dead.released
        if self.rules.dead_double is not opt.DeadDouble.RELEASED:
            return
        for train in self.open_doubles:
            if self.is_dead(train):
                self.events.append(DoubleReleased(train, self.end_of(train)))
                self._settle(train)

    def is_dead(self, train: int) -> bool:
        """Tell whether every tile of the value that a train ends in lies on the table."""
        unseen = full_set(self.rules.max_pip(self.seats)) & ~self.seen
        return not unseen & TILES_WITH[self.end_of(train)]

    def bar(self, seat: int) -> None:
        """Keep a seat off its own train until the double that it failed is covered [D9]."""
        # Rule open.failed.own-closed
        if self.barred and self.barred[seat] == NOT_BARRED:
            barred = list(self.barred)
            barred[seat] = due_doubles(self.rules, self.open_doubles)[0]
            self.barred = tuple(barred)

    def start_turn(self, seat: int) -> None:
        """Give the turn to a seat."""
        self.turn = seat
        self.laid = self.doubles = self.drawn = 0
        self.owed, self.owed_train = _NOTHING, -1

    def _settle(self, train: int) -> None:
        self.open_doubles = tuple(other for other in self.open_doubles if other != train)
        if self.barred:
            self.barred = tuple(NOT_BARRED if other == train else other for other in self.barred)


_PIP_BYTES = tuple(bytes((pip,)) for pip in range(len(TILES_WITH)))
