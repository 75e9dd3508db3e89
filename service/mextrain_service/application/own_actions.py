"""What a table does by itself next, because no person is to decide."""

from __future__ import annotations

from dataclasses import dataclass

from mextrain_engine import Move, Phase, State, legal_moves, skip_turn
from mextrain_engine.events import TileDrawn
from mextrain_engine.state import Round
from mextrain_service.application.model import (
    BotLevel,
    DealBy,
    HostedGame,
    OnTimeout,
    ResignedSeats,
    SeatHolder,
    SeatKind,
    TablePolicy,
)

PLANNED_TILES_A_SEAT = 8
"""At a table where no person plays, planners think until so many tiles for each seat were laid in a
round; they play the rest of it greedily. Nobody waits for them there, and a match of fourteen of
them would take a core for minutes."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The next round is dealt."""


@dataclass(frozen=True, slots=True)
class Call:
    """A seat's last tile is announced for it.

    Attributes:
        seat: whose it is, 0-based.
    """

    seat: int


@dataclass(frozen=True, slots=True)
class Skip:
    """The turn of the seat to move is skipped."""


@dataclass(frozen=True, slots=True)
class BotMove:
    """A bot chooses a move for the seat to move.

    Attributes:
        seat: the seat, 0-based.
        level: how well it is played.
    """

    seat: int
    level: BotLevel


@dataclass(frozen=True, slots=True)
class ForcedMove:
    """The only move of the seat to move is made for it.

    Attributes:
        seat: the seat, 0-based.
        move: its move.
    """

    seat: int
    move: Move


OwnAction = Deal | Call | Skip | BotMove | ForcedMove


def own_action(
    policy: TablePolicy, state: State, seats: tuple[SeatHolder, ...], *, timed_out: bool
) -> OwnAction | None:
    """Return what the table does next by itself; None when it waits for somebody or is over.

    Args:
        policy: how the table is run.
        state: the engine's state.
        seats: who sits where.
        timed_out: the time of the turn that is on is up, and that was noted.
    """
    round_ = state.round
    if state.phase is not Phase.PLAYING or round_ is None:
        return Deal() if deal_is_due(policy, state, seats) else None
    turn, uncalled = round_.turn, round_.uncalled
    if uncalled >= 0 and (policy.auto_call or not seats[uncalled].present):
        return Call(uncalled)
    holder = seats[turn]
    if holder.resigned and holder.stand_in is None and _can_be_skipped(policy, state):
        return Skip()
    if holder.kind is not SeatKind.PERSON or holder.stand_in is not None or holder.resigned:
        level = _level_of(holder, seats, round_)
        if level is not None:
            return BotMove(turn, level)
    if timed_out and policy.clock is not None and policy.clock.on_timeout is OnTimeout.BOT:
        return BotMove(turn, BotLevel.GREEDY)
    if policy.auto_forced_moves:
        legal = legal_moves(state)
        if len(legal) == 1:
            return ForcedMove(turn, legal[0])
    return None


def goes_on(game: HostedGame) -> bool:
    """Tell whether a table has something to do by itself now."""
    timed_out = game.clock is not None and game.clock.timed_out
    return own_action(game.policy, game.state, game.seats, timed_out=timed_out) is not None


def deal_is_due(policy: TablePolicy, state: State, seats: tuple[SeatHolder, ...]) -> bool:
    """Tell whether the service itself has to deal now."""
    return (
        policy.deal_by is DealBy.AUTOMATIC
        and state.phase is Phase.AWAITING_DEAL
        and all(holder.kind is not SeatKind.OPEN for holder in seats)
    )


def _can_be_skipped(policy: TablePolicy, state: State) -> bool:
    """Tell whether skipping a turn brings the round nearer to its end: it draws a tile.

    Where it would not, and only that seat could go on, the round would never end.
    """
    if policy.resigned_seats is not ResignedSeats.SKIP:
        return False
    return any(isinstance(event, TileDrawn) for event in skip_turn(state).events)


def _level_of(holder: SeatHolder, seats: tuple[SeatHolder, ...], round_: Round) -> BotLevel | None:
    """Return how a seat is played by the service; None when a person plays it."""
    level = holder.stand_in
    if level is None and holder.kind is SeatKind.BOT:
        level = holder.bot_level
    if level is None:
        return BotLevel.GREEDY if holder.resigned else None
    if level is BotLevel.PLANNER and not any(each.present for each in seats):
        laid = sum(len(train) - 1 for train in round_.trains)
        return level if laid < PLANNED_TILES_A_SEAT * len(seats) else BotLevel.GREEDY
    return level
