"""The checks of a request on a stream; a unary call gets the same from the pipeline."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from mextrain.v1.channel_pb2 import ChannelRequest

from mextrain_service.application.callers import Caller


class ChannelRequestMeter(Protocol):
    """Records requests on channels, for the operators."""

    def record(self, request: ChannelRequest, kind: str, outcome: str, seconds: float) -> None:
        """Record a request that was answered.

        Args:
            request: the request.
            kind: ``open``, ``play``, ``close`` or ``none``.
            outcome: ``OK``, or the reason for which it failed.
            seconds: how long it took.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestChecks:
    """The checks of every request.

    Attributes:
        caller_of: turns an ``authorization`` into a caller, or raises a ``Refused``.
        admit: returns if a caller may make one more request now, or raises a ``Refused``.
        streaming: counts a channel of a seat while its context is open, or raises a ``Refused``.
        meter: records requests.
        request_timeout_s: how long a request may take, in seconds.
    """

    caller_of: Callable[[str], Awaitable[Caller]]
    admit: Callable[[Caller], None]
    streaming: Callable[[Caller], AbstractContextManager[None]]
    meter: ChannelRequestMeter
    request_timeout_s: float
