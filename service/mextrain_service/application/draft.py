"""A game in the course of one change: entries are made on it and gathered for one commit.

Applies what was decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import assert_never

from mextrain_engine import Move, Step, apply, new_game, skip_turn
from mextrain_engine.events import RoundEnded, TurnStarted
from mextrain_engine.record import MAX_VOID_DEALS
from mextrain_service.application.answers import TableEvent, TableFact
from mextrain_service.application.chain import face_of, first_link, new_stamp, next_link
from mextrain_service.application.clocks import TurnsPassed, clock_after, new_clock
from mextrain_service.application.entropy import added, entropy_of, next_deal
from mextrain_service.application.fair_deal import deals
from mextrain_service.application.model import (
    ClockState,
    Dealt,
    EntropyAdded,
    HostedGame,
    LogEntry,
    Moved,
    Receipt,
    SeatChange,
    SeatChanged,
    SeatHolder,
    Skipped,
)
from mextrain_service.application.outages import Moment
from mextrain_service.application.trying_out import require_playable

_ENDS_A_TURN = (TurnStarted, RoundEnded)
"""Events of which every turn leaves one when it is over."""


class Draft:
    """One game being changed; thrown away if the commit fails.

    Attributes:
        state: the engine's state after all entries so far.
        seats: who sits where after them.
        entropy: what players added to deals, by round.
        entries: what was done, in order.
        links: the link of the chain after each of the entries.
        events: what happened, in order, unredacted.
        policy: how the table is run.
        renewed: the seats that somebody else took.
    """

    def __init__(self, game: HostedGame) -> None:
        self._game = game
        self.policy = game.policy
        self.state = game.state
        self.seats = game.seats
        self.entropy = game.entropy
        self.entries: list[LogEntry] = []
        self.links: list[bytes] = []
        self.events: list[TableEvent] = []
        self._timed_out: int | None = None
        self.renewed: set[int] = set()

    @property
    def secret(self) -> bytes:
        """The game's secret, 32 bytes."""
        return self._game.secret

    @property
    def version(self) -> int:
        """The game's version with the entries so far."""
        return self._game.version + len(self.entries)

    @property
    def link(self) -> bytes:
        """The link of the chain after the entries so far."""
        return self.links[-1] if self.links else self._game.link

    @property
    def turns_passed(self) -> int:
        """How many turns have begun, or ended with their round, by the entries so far."""
        return sum(isinstance(each.event, _ENDS_A_TURN) for each in self.events)

    @property
    def turn_timed_out(self) -> bool:
        """The time of the turn that is on is up, and that was noted."""
        if self._game.policy.clock is None:
            return False
        clock = self._clock(Moment(self._game.updated_ms))
        return clock is not None and clock.timed_out

    def deal(self) -> None:
        """Deal the next round, again as long as the deal is void.

        Raises:
            DealError: a round is live or the match is over.
        """
        for step in islice(self._deals(), MAX_VOID_DEALS):
            if self._opens(step):
                return
        message = f"no hand held the hub in {MAX_VOID_DEALS} deals"
        raise RuntimeError(message)

    def play(self, seat: int, moves: Sequence[Move]) -> None:
        """Make a seat's moves, all of them or none.

        Several moves are first tried on what the seat knows, because a refusal changes nothing and
        so must tell nothing. Then they are carried out; if the round ends under them, the rest has
        become void and is left out.

        Raises:
            InvalidRequestError: a draw is not the last of them.
            IllegalMoveError: the rules refuse one; its ``index`` says which.
        """
        if len(moves) > 1:
            require_playable(self.state, seat, moves)
        results = self.state.results
        for move in moves:
            if self.state.results != results:
                return
            self.move(seat, move)

    def move(self, seat: int, move: Move) -> None:
        """Make one move of a seat.

        Raises:
            IllegalMoveError: the rules refuse it.
        """
        self._take(Moved(seat, move), apply(self.state, move, seat))

    def skip(self) -> None:
        """End the turn of the seat to move in its place.

        Raises:
            IllegalMoveError: no round is live.
        """
        round_ = self.state.round
        step = skip_turn(self.state)
        assert round_ is not None, "a turn was skipped, so a round is live"
        self._take(Skipped(round_.turn), step)

    def change_seat(self, seat: int, change: SeatChange, holder: SeatHolder | None = None) -> None:
        """Note what became of a seat, and how it is held from now on if that is given."""
        if holder is not None:
            self.seats = (*self.seats[:seat], holder, *self.seats[seat + 1 :])
        match change:
            case SeatChange.TIMED_OUT:
                self._timed_out = seat
            case SeatChange.CLAIMED | SeatChange.REASSIGNED:
                self.renewed.add(seat)
        entry = SeatChanged(seat, change, face_of(self.seats[seat]))
        self._note(entry, entry)

    def add_entropy(self, seat: int, entropy: bytes) -> None:
        """Add to the chance of the next deal; there must be one."""
        number = next_deal(self.state)
        assert number is not None, "nobody may add to a deal that will not be"
        self.entropy = added(self.entropy, number, seat, entropy, self.state.seats)
        entry = EntropyAdded(seat, entropy)
        self._note(entry, entry)

    def repeat(self, entries: Sequence[LogEntry]) -> None:
        """Take over entries that were made before, from the start of a change on.

        Who sits where is not among them, so the seats stay as they are.
        """
        pending: Iterator[Step] | None = None
        for entry in entries:
            match entry:
                case Dealt():
                    pending = pending or self._deals()
                    if self._opens(next(pending)):
                        pending = None
                case Moved(seat, move):
                    self.move(seat, move)
                case Skipped():
                    self.skip()
                case SeatChanged():
                    self._note(entry, entry)
                case EntropyAdded(seat, entropy):
                    self.add_entropy(seat, entropy)
                case _:
                    assert_never(entry)

    def changed_game(self, now: Moment, receipts: tuple[Receipt, ...] | None = None) -> HostedGame:
        """Return the game after all entries, its receipts as they were unless others are given."""
        game = self._game
        return HostedGame(  # in full: ``replace`` takes ten times as long, and each move is here
            game_id=game.game_id,
            platform_id=game.platform_id,
            version=game.version + len(self.entries),
            link=self.links[-1] if self.links else game.link,
            stamp=new_stamp(),
            seats=self.seats,
            policy=game.policy,
            secret=game.secret,
            state=self.state,
            receipts=game.receipts if receipts is None else receipts,
            creation=game.creation,
            created_ms=game.created_ms,
            updated_ms=now.now_ms,
            entropy=self.entropy,
            clock=self._clock(now),
        )

    def _clock(self, now: Moment) -> ClockState | None:
        if self._game.policy.clock is None:
            return None
        return clock_after(self._game, self.state, self.seats, self._passed(), now)

    def _passed(self) -> TurnsPassed:
        """Return what the change so far means for the clock."""
        turn_over = self.turns_passed > 0
        return TurnsPassed(turn_over, self._timed_out, frozenset(self.renewed))

    def _deals(self) -> Iterator[Step]:
        number = next_deal(self.state) or 0
        return deals(self.state, self._game.secret, entropy_of(self.entropy, number))

    def _opens(self, step: Step) -> bool:
        """Take a deal over; tell whether it opened the round, which may have ended at once."""
        before = self.state
        self._take(Dealt(), step)
        return self.state != before

    def _take(self, entry: LogEntry, step: Step) -> None:
        self.state = step.state
        self._note(entry, *step.events)

    def _note(self, entry: LogEntry, *events: TableFact) -> None:
        link = self.links[-1] if self.links else self._game.link
        self.links.append(next_link(link, entry))
        self.entries.append(entry)
        version = self._game.version + len(self.entries)
        self.events += [TableEvent(version, event) for event in events]


def beginning(game: HostedGame) -> HostedGame:
    """Return the game as it was before its first entry, so far as its log is replayed on it."""
    state = new_game(game.state.rules, game.state.seats)
    clock = new_clock(game.policy, len(game.seats))
    link = first_link(game.game_id, game.created_ms)
    return replace(game, version=0, link=link, state=state, entropy=(), clock=clock)
