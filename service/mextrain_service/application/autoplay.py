"""Plays on where no person is to decide: for bots, for those who left, and what policy automates.

Knows the table's policy and a player of bots; nothing of who asked for the change.
"""

from __future__ import annotations

from collections.abc import Callable

from mextrain_engine import CALL, Phase, legal_moves, skip_turn
from mextrain_engine.events import TileDrawn
from mextrain_service.application.bots import BotPlayer, bot_move
from mextrain_service.application.clocks import deal_is_due
from mextrain_service.application.model import (
    BotLevel,
    OnTimeout,
    ResignedSeats,
    SeatHolder,
    SeatKind,
)
from mextrain_service.application.table import Table

MAX_ACTIONS_PER_CHANGE = 5000
"""Actions that one change may bring about: far more than any round of bots alone takes."""

PLANNED_MOVES_PER_CHANGE = 8
"""Moves of planning bots that one change waits for, some 50 ms each; after them they play greedily
until a person is to decide, so that a table of planners cannot hold a worker up for seconds."""

DEALS_PER_CHANGE = 1
"""Rounds that one change deals by itself, so that a table without persons cannot hold a worker up
for a whole match; the next one is a change of its own."""

_Action = Callable[[], None]


class Autoplay:
    """Carries one change of a table on until somebody is to decide."""

    def __init__(self, table: Table, bots: BotPlayer) -> None:
        self._table = table
        self._bots = bots
        self._planned = 0
        self._dealt = 0

    def play_on(self) -> None:
        """Do all that is not left to a person now.

        Stops where a person is to decide, a deal is left to somebody or the match is over.
        """
        for _ in range(MAX_ACTIONS_PER_CHANGE):
            action = self._next_action()
            if action is None:
                return
            action()
        message = f"a change brought about {MAX_ACTIONS_PER_CHANGE} actions and no end"
        raise RuntimeError(message)

    def finish_turn(self, on_timeout: OnTimeout) -> None:
        """Bring the turn of the seat to move to its end, as the table does when time is up."""
        match on_timeout:
            case OnTimeout.WAIT:
                return
            case OnTimeout.SKIP:
                self._table.skip()
            case OnTimeout.BOT:
                self._play_turn()

    def _play_turn(self) -> None:
        round_ = self._table.state.round
        assert round_ is not None, "a turn is on"
        seat, turns = round_.turn, self._table.turns_passed
        while self._table.turns_passed == turns:
            self._bot_moves(seat, BotLevel.GREEDY)
        now = self._table.state.round
        if now is not None and self._table.state.phase is Phase.PLAYING and now.uncalled == seat:
            self._table.move(seat, CALL)

    def _next_action(self) -> _Action | None:
        table = self._table
        if self._dealt < DEALS_PER_CHANGE and deal_is_due(table.policy, table.state, table.seats):
            return self._deal
        round_ = table.state.round
        if table.state.phase is not Phase.PLAYING or round_ is None:
            return None
        uncalled, turn = round_.uncalled, round_.turn
        if uncalled >= 0 and self._calls_by_itself(uncalled):
            return lambda: table.move(uncalled, CALL)
        holder = table.seats[turn]
        if holder.resigned and holder.stand_in is None and self._can_be_skipped():
            return table.skip
        level = _level_of(holder)
        if level is not None:
            return lambda: self._bot_moves(turn, level)
        if table.policy.auto_forced_moves:
            legal = legal_moves(table.state)
            if len(legal) == 1:
                return lambda: table.move(turn, legal[0])
        return None

    def _deal(self) -> None:
        self._dealt += 1
        self._table.deal()

    def _bot_moves(self, seat: int, level: BotLevel) -> None:
        table = self._table
        able = self._affordable(level)
        move = bot_move(self._bots, table.state, seat, able, table.secret, table.version)
        table.move(seat, move)

    def _affordable(self, level: BotLevel) -> BotLevel:
        """Return the level that a bot may play its next move at, and count what is planned."""
        if level is not BotLevel.PLANNER or len(legal_moves(self._table.state)) == 1:
            return level
        self._planned += 1
        return level if self._planned <= PLANNED_MOVES_PER_CHANGE else BotLevel.GREEDY

    def _can_be_skipped(self) -> bool:
        """Tell whether skipping a turn brings the round nearer to its end: it draws a tile.

        Where it would not, and only that seat could go on, the round would never end.
        """
        if self._table.policy.resigned_seats is not ResignedSeats.SKIP:
            return False
        return any(isinstance(event, TileDrawn) for event in skip_turn(self._table.state).events)

    def _calls_by_itself(self, seat: int) -> bool:
        return self._table.policy.auto_call or not self._table.seats[seat].present


def play_on(table: Table, bots: BotPlayer) -> None:
    """Carry a change on until a person is to decide; see ``Autoplay.play_on``."""
    Autoplay(table, bots).play_on()


def _level_of(holder: SeatHolder) -> BotLevel | None:
    """Return how a seat is played by the service; None when a person plays it."""
    if holder.stand_in is not None:
        return holder.stand_in
    if holder.kind is SeatKind.BOT:
        return holder.bot_level
    return BotLevel.GREEDY if holder.resigned else None
