"""What an ask on a stream passes, as a call of its own passes the pipeline."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from mextrain.v1.channel_pb2 import ChannelAsk

from mextrain_service.application.callers import Caller


class AskMeter(Protocol):
    """Hears of asks, for whoever looks after the service."""

    def asked(self, ask: ChannelAsk, kind: str, outcome: str, seconds: float) -> None:
        """Hear that an ask was answered.

        Args:
            ask: what was asked.
            kind: ``open``, ``play``, ``close`` or ``none``.
            outcome: ``OK``, or the reason for which it was refused.
            seconds: how long it took.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """What every ask passes.

    Attributes:
        caller_of: turns an ``authorization`` into a caller, or raises a ``Refused``.
        admit: returns if a caller may ask one thing more now, or raises a ``Refused``.
        streaming: counts a channel of a seat while its context is open, or raises a ``Refused``.
        meter: hears of asks.
        ask_s: how long one may take, in seconds.
    """

    caller_of: Callable[[str], Awaitable[Caller]]
    admit: Callable[[Caller], None]
    streaming: Callable[[Caller], AbstractContextManager[None]]
    meter: AskMeter
    ask_s: float
