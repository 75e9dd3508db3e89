"""One request on a channel that waits for its response."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from google.rpc.status_pb2 import Status
from mextrain.v1.channel_pb2 import ChannelRequest, ChannelResponse

from mextrain_service.rpc.channels.fan_out import FanOut
from mextrain_service.rpc.channels.request_checks import ChannelRequestMeter
from mextrain_service.rpc.channels.send_queue import SendQueue
from mextrain_service.rpc.error_status import kind_of

OK: Final = "OK"


@dataclass(frozen=True, slots=True)
class Answering:
    """How the requests of a stream are answered, and events sent.

    Attributes:
        queue: where responses go.
        fan_out: sends the events of watched games.
        status_of: turns an error into the status that the platform gets.
        meter: records requests.
        answered: called when a request is answered.
    """

    queue: SendQueue
    fan_out: FanOut
    status_of: Callable[[Exception], Status]
    meter: ChannelRequestMeter
    answered: Callable[[], None]


class PendingRequest:
    """A request that was read and is to be answered.

    Attributes:
        message: the request.
        kind: ``open``, ``play`` or ``close``; empty if none is set.
    """

    __slots__ = ("_answering", "_started", "kind", "message")

    def __init__(self, message: ChannelRequest, answering: Answering) -> None:
        self.message = message
        self.kind: str = message.WhichOneof("request") or ""
        self._answering = answering
        self._started = perf_counter()

    def answer(self, response: ChannelResponse) -> None:
        """Answer that it was carried out."""
        self._end(response, OK)

    def refuse(self, error: Exception) -> None:
        """Answer why it was not."""
        status = self._answering.status_of(error)
        self._end(ChannelResponse(error=status), kind_of(error).reason)

    def _end(self, response: ChannelResponse, outcome: str) -> None:
        response.channel, response.tag = self.message.channel, self.message.tag
        self._answering.queue.put(response.SerializeToString())
        seconds = perf_counter() - self._started
        self._answering.meter.record(self.message, self.kind or "none", outcome, seconds)
        self._answering.answered()
