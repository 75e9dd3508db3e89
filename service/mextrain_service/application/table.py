"""A game in the course of one change: entries are made on it and gathered for one commit.

Applies what was decided and plays on for bots and for moves that the table's policy leaves to the
service. Knows nothing of callers, requests or stores.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import assert_never

from mextrain_engine import (
    CALL,
    DRAW,
    IllegalMoveError,
    Move,
    Phase,
    Refusal,
    State,
    Step,
    apply,
    format_move,
    legal_moves,
    mask_of,
    new_game,
    skip_turn,
)
from mextrain_service.application.answers import TableEvent, TableFact
from mextrain_service.application.bots import BotPlayer, bot_move
from mextrain_service.application.entropy import added, entropy_of, next_deal
from mextrain_service.application.errors import FieldInvalidError, FieldViolation
from mextrain_service.application.fair_deal import MAX_DEALS_PER_ROUND, deals
from mextrain_service.application.model import (
    BotLevel,
    Dealt,
    EntropyAdded,
    HostedGame,
    LogEntry,
    Moved,
    SeatChange,
    SeatChanged,
    SeatHolder,
    SeatKind,
    Skipped,
)

MAX_MOVES_PER_CHANGE = 5000
"""Moves that one change may bring about: far more than any round of bots alone takes."""


PLANNED_MOVES_PER_CHANGE = 8
"""Moves of planning bots that one change waits for, some 50 ms each; after them they play greedily
until a person is to decide, so that a table of planners cannot hold a worker up for seconds."""


class Table:
    """One game being changed; thrown away if the commit fails.

    Attributes:
        state: the engine's state after all entries so far.
        seats: who sits where after them.
        entropy: what players added to deals, by round.
        entries: what was done, in order.
        events: what happened, in order, unredacted.
    """

    def __init__(self, game: HostedGame) -> None:
        self._game = game
        self.state = game.state
        self.seats = game.seats
        self.entropy = game.entropy
        self.entries: list[LogEntry] = []
        self.events: list[TableEvent] = []
        self._planned = 0

    @property
    def version(self) -> int:
        """The game's version with the entries so far."""
        return self._game.version + len(self.entries)

    def deal(self) -> None:
        """Deal the next round, again as long as the deal is void.

        Raises:
            DealError: a round is live or the match is over.
        """
        for step in islice(self._deals(), MAX_DEALS_PER_ROUND):
            if self._opens(step):
                return
        message = f"no hand held the hub in {MAX_DEALS_PER_ROUND} deals"
        raise RuntimeError(message)

    def play(self, seat: int, moves: Sequence[Move]) -> None:
        """Make a seat's moves, all of them or none.

        Several moves are first tried on what the seat knows, because a refusal changes nothing and
        so must tell nothing: tried on the real hands, it would say whether the first of them ends
        the round as blocked. Then they are carried out; if the round does end under them, the rest
        has become void and is left out.

        Raises:
            FieldInvalidError: a draw is not the last of them.
            IllegalMoveError: the rules refuse one; its ``index`` says which.
        """
        if len(moves) > 1:
            _require_draw_last(moves)
            _try_out(_as_known_to(self.state, seat), seat, moves)
        results = self.state.results
        for move in moves:
            if self.state.results != results:
                return
            self._move(seat, move)

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
        """Note what became of a seat; put somebody else on it if somebody is given."""
        if holder is not None:
            self.seats = (*self.seats[:seat], holder, *self.seats[seat + 1 :])
        entry = SeatChanged(seat, change)
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
                    self._move(seat, move)
                case Skipped():
                    self.skip()
                case SeatChanged(seat, change):
                    self.change_seat(seat, change)
                case EntropyAdded(seat, entropy):
                    self.add_entropy(seat, entropy)
                case _:
                    assert_never(entry)

    def play_on(self, bots: BotPlayer) -> None:
        """Make every move that is not left to a person now: bots', forced ones, automatic calls.

        Stops where a person is to decide, a deal is due or the match is over.
        """
        for _ in range(MAX_MOVES_PER_CHANGE):
            due = self._automatic_move(bots)
            if due is None:
                return
            self._move(*due)
        message = f"a change brought about {MAX_MOVES_PER_CHANGE} moves and no end"
        raise RuntimeError(message)

    def changed_game(self, now_ms: int) -> HostedGame:
        """Return the game after all entries, its receipts as they were."""
        return replace(
            self._game,
            version=self.version,
            state=self.state,
            seats=self.seats,
            entropy=self.entropy,
            updated_ms=now_ms,
        )

    def _deals(self) -> Iterator[Step]:
        number = next_deal(self.state) or 0
        return deals(self.state, self._game.secret, entropy_of(self.entropy, number))

    def _opens(self, step: Step) -> bool:
        """Take a deal over; tell whether it opened the round, be it that it ended at once."""
        before = self.state
        self._take(Dealt(), step)
        return self.state != before

    def _move(self, seat: int, move: Move) -> None:
        self._take(Moved(seat, move), apply(self.state, move, seat))

    def _take(self, entry: LogEntry, step: Step) -> None:
        self.state = step.state
        self._note(entry, *step.events)

    def _note(self, entry: LogEntry, *events: TableFact) -> None:
        self.entries.append(entry)
        self.events.extend(TableEvent(self.version, event) for event in events)

    def _automatic_move(self, bots: BotPlayer) -> tuple[int, Move] | None:
        round_ = self.state.round
        if self.state.phase is not Phase.PLAYING or round_ is None:
            return None
        if round_.uncalled >= 0 and self._calls_by_itself(round_.uncalled):
            return round_.uncalled, CALL
        holder = self.seats[round_.turn]
        if holder.kind is SeatKind.BOT and holder.bot_level is not None:
            secret, level = self._game.secret, self._affordable(holder.bot_level)
            move = bot_move(bots, self.state, round_.turn, level, secret, self.version)
            return round_.turn, move
        if self._game.policy.auto_forced_moves:
            legal = legal_moves(self.state)
            if len(legal) == 1:
                return round_.turn, legal[0]
        return None

    def _affordable(self, level: BotLevel) -> BotLevel:
        """Return the level that a bot may play its next move at, and count what is planned."""
        if level is not BotLevel.PLANNER or len(legal_moves(self.state)) == 1:
            return level
        self._planned += 1
        return level if self._planned <= PLANNED_MOVES_PER_CHANGE else BotLevel.GREEDY

    def _calls_by_itself(self, seat: int) -> bool:
        return self._game.policy.auto_call or self.seats[seat].kind is SeatKind.BOT


def replay(game: HostedGame, entries: Sequence[LogEntry], before: int, after: int) -> Table:
    """Return the table as a change left it that was made earlier, between two versions.

    Args:
        game: the game now.
        entries: all of its log, oldest first.
        before: the version before the change; its events are those from here on.
        after: the version after it, at most ``len(entries)``.
    """
    start = beginning(game)
    earlier = Table(start)
    earlier.repeat(entries[:before])
    change = Table(replace(start, version=before, state=earlier.state, entropy=earlier.entropy))
    change.repeat(entries[before:after])
    return change


def beginning(game: HostedGame) -> HostedGame:
    """Return the game as it was before its first entry, so far as its log is replayed on it."""
    return replace(game, version=0, state=new_game(game.state.rules, game.state.seats))


def _require_draw_last(moves: Sequence[Move]) -> None:
    """Refuse moves that follow a draw: their refusal would tell the tile and take nothing."""
    violations = [
        FieldViolation(f"moves[{index}]", "DRAW_NOT_LAST", "a draw may only be the last move")
        for index, move in enumerate(moves[:-1])
        if move == DRAW
    ]
    if violations:
        raise FieldInvalidError(violations)


def _as_known_to(state: State, seat: int) -> State:
    """Return the table as the seat must reckon with it: any rival may hold any unseen tile.

    Only good to try moves of this seat on; it is no state of a match.
    """
    round_ = state.round
    if round_ is None:
        return state
    unseen = mask_of(round_.boneyard)
    for rival, hand in enumerate(round_.hands):
        if rival != seat:
            unseen |= hand
    hands = tuple(
        hand if holder == seat or not hand else unseen for holder, hand in enumerate(round_.hands)
    )
    return state._replace(round=round_._replace(hands=hands))


def _try_out(state: State, seat: int, moves: Sequence[Move]) -> None:
    for index, move in enumerate(moves):
        try:
            state = apply(state, move, seat).state
        except IllegalMoveError as error:
            raise IllegalMoveError(_placed(error.refusal, move, index), index) from None


def _placed(refusal: Refusal, move: Move, index: int) -> Refusal:
    """Return the refusal with the place and the notation of the move that it is of."""
    facts = {**refusal.facts, "index": str(index), "move": format_move(move)}
    return replace(refusal, facts=facts)
