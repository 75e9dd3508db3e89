"""How a table is run, as a message and from one."""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration
from mextrain.v1 import game_pb2

from mextrain_service.application.model import (
    MAX_CLOCK_MS,
    MISSES_AT_MOST,
    ClockKind,
    DealBy,
    HandsShown,
    OnTimeout,
    ResignedSeats,
    TablePolicy,
    TurnClock,
)
from mextrain_service.rpc.messages.checking import OUT_OF_RANGE, REQUIRED, Checked
from mextrain_service.rpc.messages.enums import EnumPair
from mextrain_service.rpc.messages.times import duration, milliseconds

DEAL_BY = EnumPair(DealBy, game_pb2.DealBy.DESCRIPTOR)
HANDS_SHOWN = EnumPair(HandsShown, game_pb2.HandsShown.DESCRIPTOR)
RESIGNED_SEATS = EnumPair(ResignedSeats, game_pb2.ResignedSeats.DESCRIPTOR)
ON_TIMEOUT = EnumPair(OnTimeout, game_pb2.OnTimeout.DESCRIPTOR)

MAX_SPECTATOR_DELAY = 100
"""Turns that spectators can be behind: about a round of many seats."""

MIN_CLOCK_MS = 1_000
"""The shortest time of a clock; the network takes its share of it."""


def policy_message(policy: TablePolicy) -> game_pb2.TablePolicy:
    """Return a policy with all of it filled in."""
    return game_pb2.TablePolicy(
        deal_by=DEAL_BY.wire[policy.deal_by],
        auto_forced_moves=policy.auto_forced_moves,
        auto_call=policy.auto_call,
        spectators=policy.spectators,
        spectator_delay_turns=policy.spectator_delay,
        hands_shown=HANDS_SHOWN.wire[policy.hands_shown],
        resigned_seats=RESIGNED_SEATS.wire[policy.resigned_seats],
        clock=None if policy.clock is None else _clock_message(policy.clock),
    )


def policy_of(checked: Checked, message: game_pb2.TablePolicy) -> TablePolicy:
    """Read the policy of a table; an absent one is all defaults."""
    return TablePolicy(
        deal_by=checked.member("policy.deal_by", DEAL_BY, message.deal_by, DealBy.PLATFORM),
        auto_forced_moves=message.auto_forced_moves,
        auto_call=message.auto_call,
        spectators=message.spectators,
        spectator_delay=checked.number(
            "policy.spectator_delay_turns", message.spectator_delay_turns, 0, MAX_SPECTATOR_DELAY
        ),
        hands_shown=checked.member(
            "policy.hands_shown", HANDS_SHOWN, message.hands_shown, HandsShown.AFTER_ROUND
        ),
        resigned_seats=checked.member(
            "policy.resigned_seats", RESIGNED_SEATS, message.resigned_seats, ResignedSeats.BOT
        ),
        clock=_clock_of(checked, message.clock) if message.HasField("clock") else None,
    )


def _clock_message(clock: TurnClock) -> game_pb2.TurnClock:
    message = game_pb2.TurnClock(
        on_timeout=ON_TIMEOUT.wire[clock.on_timeout], forfeit_after=clock.forfeit_after
    )
    match clock.kind:
        case ClockKind.PER_TURN:
            message.per_turn.CopyFrom(duration(clock.time_ms))
        case ClockKind.BANK:
            message.bank.initial.CopyFrom(duration(clock.time_ms))
            message.bank.increment.CopyFrom(duration(clock.increment_ms))
    return message


def _clock_of(checked: Checked, message: game_pb2.TurnClock) -> TurnClock | None:
    kind, time_ms, increment_ms = ClockKind.PER_TURN, 0, 0
    match message.WhichOneof("time"):
        case "per_turn":
            field = "policy.clock.per_turn"
            time_ms = _time(checked, field, message.per_turn, MIN_CLOCK_MS)
        case "bank":
            kind, field = ClockKind.BANK, "policy.clock.bank"
            time_ms = _time(checked, f"{field}.initial", message.bank.initial, MIN_CLOCK_MS)
            increment_ms = _time(checked, f"{field}.increment", message.bank.increment, 0)
        case _:
            checked.found("policy.clock", REQUIRED, "per_turn or bank")
    return TurnClock(
        kind=kind,
        time_ms=time_ms,
        increment_ms=increment_ms,
        on_timeout=checked.member(
            "policy.clock.on_timeout", ON_TIMEOUT, message.on_timeout, OnTimeout.BOT
        ),
        forfeit_after=checked.number(
            "policy.clock.forfeit_after", message.forfeit_after, 0, MISSES_AT_MOST
        ),
    )


def _time(checked: Checked, field: str, message: Duration, least_ms: int) -> int:
    found_ms = milliseconds(message)
    if not least_ms <= found_ms <= MAX_CLOCK_MS:
        longest_d = MAX_CLOCK_MS // 86_400_000
        checked.found(field, OUT_OF_RANGE, f"{least_ms // 1000} seconds to {longest_d} days")
        return least_ms
    return found_ms
