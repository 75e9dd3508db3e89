"""Who sits where, by which terms and clocks, as stored messages, and back."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from mextrain.store.v1 import game_pb2 as pb

from mextrain_service.application.model import (
    BotLevel,
    ClockKind,
    ClockState,
    DealBy,
    HandsShown,
    OnTimeout,
    PlayerId,
    ResignedSeats,
    SeatHolder,
    SeatKind,
    TablePolicy,
    TurnClock,
)
from mextrain_service.storage.errors import CorruptGameError

_ON_TIMEOUT = {
    OnTimeout.WAIT: pb.ON_TIMEOUT_WAIT,
    OnTimeout.BOT: pb.ON_TIMEOUT_BOT,
    OnTimeout.SKIP: pb.ON_TIMEOUT_SKIP,
}
_ON_TIMEOUT_OF = {stored: what for what, stored in _ON_TIMEOUT.items()}
_LEVELS = {
    None: pb.BOT_LEVEL_UNSPECIFIED,
    BotLevel.PASS: pb.BOT_LEVEL_PASS,
    BotLevel.RANDOM: pb.BOT_LEVEL_RANDOM,
    BotLevel.GREEDY: pb.BOT_LEVEL_GREEDY,
    BotLevel.PLANNER: pb.BOT_LEVEL_PLANNER,
}
_LEVEL_OF = {stored: level for level, stored in _LEVELS.items()}

_UUID_BYTES = 16
_NOTHING_TO_SAY = pb.Seat()


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


def encode_seats(seats: Sequence[SeatHolder]) -> tuple[list[pb.Seat], bytes]:
    """Return seats as they are stored, and their accounts beside them if those are UUIDs."""
    accounts = b"".join(_uuid_of(seat.player_id) for seat in seats)
    apart = len(accounts) == _UUID_BYTES * len(seats)
    stored = [_encode_seat(seat, "" if apart else seat.player_id) for seat in seats]
    if not apart:
        return stored, b""
    return ([] if all(seat == _NOTHING_TO_SAY for seat in stored) else stored), accounts


def decode_seats(stored: pb.Game) -> tuple[SeatHolder, ...]:
    """Return the seats of a stored game.

    Raises:
        CorruptGameError: there are not as many accounts as seats.
        KeyError: a seat holds what none can have.
    """
    if not stored.accounts:
        return tuple(_decode_seat(seat, seat.player_id) for seat in stored.seats)
    starts = range(0, len(stored.accounts), _UUID_BYTES)
    uuids = [stored.accounts[start : start + _UUID_BYTES] for start in starts]
    seats = list(stored.seats) or [_NOTHING_TO_SAY] * len(uuids)
    if len(seats) != len(uuids) or len(uuids[-1]) != _UUID_BYTES:
        raise CorruptGameError("a snapshot does not have an account for each seat")
    return tuple(
        _decode_seat(seat, str(UUID(bytes=uuid))) for seat, uuid in zip(seats, uuids, strict=True)
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


def _uuid_of(account: str) -> bytes:
    """Return the bytes of an account that is a UUID in its usual form, else nothing."""
    try:
        uuid = UUID(account)
    except ValueError:
        return b""
    return uuid.bytes if str(uuid) == account else b""


def _encode_seat(seat: SeatHolder, player_id: str) -> pb.Seat:
    return pb.Seat(
        player_id=player_id,
        display_name=seat.display_name,
        bot_level=_LEVELS[seat.bot_level],
        open=seat.kind is SeatKind.OPEN,
        token_reissues=seat.token_generation - 1,
        stand_in=_LEVELS[seat.stand_in],
        resigned=seat.resigned,
    )


def _decode_seat(stored: pb.Seat, player_id: str) -> SeatHolder:
    level = _LEVEL_OF[stored.bot_level]
    return SeatHolder(
        kind=SeatKind.OPEN if stored.open else SeatKind.BOT if level else SeatKind.PERSON,
        player_id=PlayerId(player_id),
        display_name=stored.display_name,
        bot_level=level,
        token_generation=stored.token_reissues + 1,
        stand_in=_LEVEL_OF[stored.stand_in],
        resigned=stored.resigned,
    )
