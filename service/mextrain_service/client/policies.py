"""How a table is run beside the rules of the game, and how that is written and read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, cast

from google.protobuf.duration_pb2 import Duration
from mextrain.v1 import game_pb2

DealBy = Literal["platform", "seats", "automatic"]
"""Who deals: the platform alone, every seat as well, or the service by itself."""

HandsShown = Literal["after_round", "after_game"]
"""When everyone is shown what was left in the hands, and the seed that tells it as well."""

ResignedSeats = Literal["bot", "skip"]
"""How a seat is played on whose person has left for good."""

OnTimeout = Literal["wait", "bot", "skip"]
"""What happens to a turn whose time is up."""


@dataclass(frozen=True, slots=True)
class Bank:
    """What each seat has for all turns of a match.

    Attributes:
        initial: what it has at first, 1 second to 30 days.
        increment: what it gains at the end of each of its turns, 0 to 30 days.
    """

    initial: timedelta
    increment: timedelta = timedelta(0)


@dataclass(frozen=True, slots=True)
class Clock:
    """How long persons may take. It never runs for a bot, nor between two rounds.

    Attributes:
        time: so long for each turn, 1 second to 30 days; or one bank for all turns of the match.
        on_timeout: what happens to a turn whose time is up.
        forfeit_after: turns in a row that a seat may let pass; at the last of them it counts as
            resigned. 0 to 100; 0 means 100.
    """

    time: timedelta | Bank
    on_timeout: OnTimeout = "bot"
    forfeit_after: int = 0


@dataclass(frozen=True, slots=True)
class Policy:
    """How a table is run.

    Attributes:
        deal_by: who deals the next round.
        auto_forced_moves: the service makes a seat's move when there is just one to make.
        auto_call: the service announces the last tile for a seat that must.
        spectators: there is a token for those who watch.
        spectator_delay_turns: how many turns those are behind, 0 to 100.
        hands_shown: when the hands and the seed of a round are shown to all.
        resigned_seats: how a seat is played on whose person has left for good.
        clock: how long persons may take; None for as long as they like.
    """

    deal_by: DealBy = "platform"
    auto_forced_moves: bool = False
    auto_call: bool = False
    spectators: bool = False
    spectator_delay_turns: int = 0
    hands_shown: HandsShown = "after_round"
    resigned_seats: ResignedSeats = "bot"
    clock: Clock | None = None


def write_policy(policy: Policy) -> game_pb2.TablePolicy:
    """Return the message of a policy.

    Raises:
        ValueError: one of its words does not exist.
    """
    return game_pb2.TablePolicy(
        deal_by=game_pb2.DealBy.Value(f"DEAL_BY_{policy.deal_by.upper()}"),
        auto_forced_moves=policy.auto_forced_moves,
        auto_call=policy.auto_call,
        spectators=policy.spectators,
        spectator_delay_turns=policy.spectator_delay_turns,
        hands_shown=game_pb2.HandsShown.Value(f"HANDS_SHOWN_{policy.hands_shown.upper()}"),
        resigned_seats=game_pb2.ResignedSeats.Value(
            f"RESIGNED_SEATS_{policy.resigned_seats.upper()}"
        ),
        clock=None if policy.clock is None else _write_clock(policy.clock),
    )


def read_policy(message: game_pb2.TablePolicy) -> Policy:
    """Return the policy of an answer, in which everything is filled in."""
    deal_by = game_pb2.DealBy.Name(message.deal_by)
    hands_shown = game_pb2.HandsShown.Name(message.hands_shown)
    resigned_seats = game_pb2.ResignedSeats.Name(message.resigned_seats)
    return Policy(
        deal_by=cast("DealBy", deal_by.removeprefix("DEAL_BY_").lower()),
        auto_forced_moves=message.auto_forced_moves,
        auto_call=message.auto_call,
        spectators=message.spectators,
        spectator_delay_turns=message.spectator_delay_turns,
        hands_shown=cast("HandsShown", hands_shown.removeprefix("HANDS_SHOWN_").lower()),
        resigned_seats=cast(
            "ResignedSeats", resigned_seats.removeprefix("RESIGNED_SEATS_").lower()
        ),
        clock=_read_clock(message.clock) if message.HasField("clock") else None,
    )


def _write_clock(clock: Clock) -> game_pb2.TurnClock:
    message = game_pb2.TurnClock(
        on_timeout=game_pb2.OnTimeout.Value(f"ON_TIMEOUT_{clock.on_timeout.upper()}"),
        forfeit_after=clock.forfeit_after,
    )
    match clock.time:
        case Bank(initial, increment):
            message.bank.initial.CopyFrom(_write_span(initial))
            message.bank.increment.CopyFrom(_write_span(increment))
        case span:
            message.per_turn.CopyFrom(_write_span(span))
    return message


def _read_clock(message: game_pb2.TurnClock) -> Clock:
    bank = message.bank
    on_timeout = game_pb2.OnTimeout.Name(message.on_timeout).removeprefix("ON_TIMEOUT_")
    return Clock(
        time=Bank(bank.initial.ToTimedelta(), bank.increment.ToTimedelta())
        if message.HasField("bank")
        else message.per_turn.ToTimedelta(),
        on_timeout=cast("OnTimeout", on_timeout.lower()),
        forfeit_after=message.forfeit_after,
    )


def _write_span(span: timedelta) -> Duration:
    message = Duration()
    message.FromTimedelta(span)
    return message
