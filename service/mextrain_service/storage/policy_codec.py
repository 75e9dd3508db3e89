"""How a table is run, and where its clock stands, as they are stored, and back."""

from __future__ import annotations

from mextrain.store.v1 import game_pb2 as pb

from mextrain_service.application.model import (
    ClockKind,
    ClockState,
    DealBy,
    HandsShown,
    OnTimeout,
    ResignedSeats,
    TablePolicy,
    TurnClock,
)

_ON_TIMEOUT = {
    OnTimeout.WAIT: pb.ON_TIMEOUT_WAIT,
    OnTimeout.BOT: pb.ON_TIMEOUT_BOT,
    OnTimeout.SKIP: pb.ON_TIMEOUT_SKIP,
}
_ON_TIMEOUT_OF = {stored: what for what, stored in _ON_TIMEOUT.items()}


def encode_policy(policy: TablePolicy) -> pb.Policy:
    """Return a policy as it is stored."""
    return pb.Policy(
        deal_by_seats=policy.deal_by is DealBy.SEATS,
        deal_automatic=policy.deal_by is DealBy.AUTOMATIC,
        auto_forced_moves=policy.auto_forced_moves,
        auto_call=policy.auto_call,
        spectators=policy.spectators,
        fixed_seed=policy.fixed_seed,
        spectator_delay=policy.spectator_delay,
        hands_after_game=policy.hands_shown is HandsShown.AFTER_GAME,
        resigned_skip=policy.resigned_seats is ResignedSeats.SKIP,
        clock=None if policy.clock is None else _encode_turn_clock(policy.clock),
    )


def decode_policy(stored: pb.Policy) -> TablePolicy:
    """Return the policy that is stored so; an empty one has the default throughout.

    Raises:
        KeyError: a value was never stored by any release.
    """
    return TablePolicy(
        deal_by=_deal_by(stored),
        auto_forced_moves=stored.auto_forced_moves,
        auto_call=stored.auto_call,
        spectators=stored.spectators,
        fixed_seed=stored.fixed_seed,
        spectator_delay=stored.spectator_delay,
        hands_shown=HandsShown.AFTER_GAME if stored.hands_after_game else HandsShown.AFTER_ROUND,
        resigned_seats=ResignedSeats.SKIP if stored.resigned_skip else ResignedSeats.BOT,
        clock=_decode_turn_clock(stored.clock) if stored.HasField("clock") else None,
    )


def encode_clock(clock: ClockState, created_ms: int) -> pb.ClockState:
    """Return where a clock stands as it is stored."""
    return pb.ClockState(
        seat_plus_one=0 if clock.seat is None else clock.seat + 1,
        since_after_ms=0 if clock.seat is None else clock.since_ms - created_ms,
        timed_out=clock.timed_out,
        banks_ms=clock.banks_ms,
        misses=clock.misses if any(clock.misses) else (),
    )


def decode_clock(stored: pb.ClockState, created_ms: int, seats: int) -> ClockState:
    """Return where the clock stands that is stored so."""
    runs = stored.seat_plus_one > 0
    return ClockState(
        seat=stored.seat_plus_one - 1 if runs else None,
        since_ms=created_ms + stored.since_after_ms if runs else 0,
        timed_out=stored.timed_out,
        banks_ms=tuple(stored.banks_ms),
        misses=tuple(stored.misses) or (0,) * seats,
    )


def _deal_by(stored: pb.Policy) -> DealBy:
    if stored.deal_automatic:
        return DealBy.AUTOMATIC
    return DealBy.SEATS if stored.deal_by_seats else DealBy.PLATFORM


def _encode_turn_clock(clock: TurnClock) -> pb.TurnClock:
    return pb.TurnClock(
        time_ms=clock.time_ms,
        bank=clock.kind is ClockKind.BANK,
        increment_ms=clock.increment_ms,
        on_timeout=_ON_TIMEOUT[clock.on_timeout],
        forfeit_after=clock.forfeit_after,
    )


def _decode_turn_clock(stored: pb.TurnClock) -> TurnClock:
    return TurnClock(
        kind=ClockKind.BANK if stored.bank else ClockKind.PER_TURN,
        time_ms=stored.time_ms,
        increment_ms=stored.increment_ms,
        on_timeout=_ON_TIMEOUT_OF[stored.on_timeout],
        forfeit_after=stored.forfeit_after,
    )
