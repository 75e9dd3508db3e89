"""One ask under way, which is answered once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from google.rpc.status_pb2 import Status
from mextrain.v1.channel_pb2 import ChannelAnswer, ChannelAsk

from mextrain_service.rpc.channels.doors import AskMeter
from mextrain_service.rpc.channels.fan_out import FanOut
from mextrain_service.rpc.channels.send_queue import SendQueue
from mextrain_service.rpc.error_status import kind_of

OK: Final = "OK"


@dataclass(frozen=True, slots=True)
class Answering:
    """How the asks of a stream are answered, and what happens told.

    Attributes:
        outbox: where answers go.
        teller: tells what happens in watched games.
        status_of: turns what went wrong into what the platform is told of it.
        meter: hears of them.
        answered: called when one is answered.
    """

    outbox: SendQueue
    teller: FanOut
    status_of: Callable[[Exception], Status]
    meter: AskMeter
    answered: Callable[[], None]


class PendingRequest:
    """An ask that was read and is to be answered.

    Attributes:
        message: what is asked.
        kind: ``open``, ``play`` or ``close``; empty if nothing is.
    """

    __slots__ = ("_answering", "_started", "kind", "message")

    def __init__(self, message: ChannelAsk, answering: Answering) -> None:
        self.message = message
        self.kind: str = message.WhichOneof("ask") or ""
        self._answering = answering
        self._started = perf_counter()

    def answer(self, answer: ChannelAnswer) -> None:
        """Answer that it was carried out."""
        self._end(answer, OK)

    def refuse(self, error: Exception) -> None:
        """Answer why it was not."""
        status = self._answering.status_of(error)
        self._end(ChannelAnswer(refused=status), kind_of(error).reason)

    def _end(self, answer: ChannelAnswer, outcome: str) -> None:
        answer.channel, answer.tag = self.message.channel, self.message.tag
        self._answering.outbox.put(answer.SerializeToString())
        seconds = perf_counter() - self._started
        self._answering.meter.asked(self.message, self.kind or "none", outcome, seconds)
        self._answering.answered()
