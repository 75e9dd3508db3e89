"""Serves the methods of a dispatcher to a host that hands over requests by ASGI."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import grpc
import structlog
from grpc import aio

from mextrain_service.rpc.dispatcher import Methods
from mextrain_service.rpc.envoy import headers
from mextrain_service.rpc.envoy.answer import Answer, Send
from mextrain_service.rpc.envoy.context import HostedContext
from mextrain_service.rpc.envoy.framing import Unframer, is_known
from mextrain_service.rpc.envoy.plain import opened
from mextrain_service.rpc.envoy.requests import Messages, Receive, only_message
from mextrain_service.rpc.envoy.status import EndedError
from mextrain_service.rpc.request_limits import max_message_bytes

if TYPE_CHECKING:
    from mextrain_service.rpc.dispatcher import BoundMethod, Dispatcher

_GRPC: Final = b"application/grpc"
_CUT_OFF: Final = {
    grpc.StatusCode.CANCELLED: "the call was given up",
    grpc.StatusCode.DEADLINE_EXCEEDED: "the caller's deadline is over",
    grpc.StatusCode.UNAVAILABLE: "the server stops; another one may take the call",
}
"""Why calls are cut off, in words."""

_CUT_OFF_S: Final = 2.0
"""How long calls may take to end that were cut off, in seconds."""

_OK: Final = grpc.StatusCode.OK


@dataclass(slots=True)
class _Running:
    """A call that is under way.

    Attributes:
        task: carries it out.
        code: the status that it ends with if the task is cancelled.
    """

    task: asyncio.Task[Any]
    code: grpc.StatusCode = grpc.StatusCode.CANCELLED


class HostedServer(Methods):
    """Serves the methods of a dispatcher, and those of other services that are added to it."""

    def __init__(self, dispatcher: Dispatcher, max_request_bytes: int) -> None:
        """Serve nothing before the host calls.

        Args:
            dispatcher: what is served.
            max_request_bytes: the largest request that the dispatcher reads; larger ones are
                refused there, and much larger ones here.
        """
        super().__init__()
        self._dispatcher = dispatcher
        self._max_bytes = max_message_bytes(max_request_bytes)
        self._plain: dict[str, BoundMethod] = {}
        self._running: dict[int, _Running] = {}
        self._named: dict[bytes, _Running] = {}
        self._idle = asyncio.Event()
        self._idle.set()
        self._log = structlog.get_logger("mextrain.hosted")

    async def serve(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Carry out one call; the application of ASGI for requests."""
        own, metadata = headers.parted(scope["headers"])
        if scope["method"] != "POST" or not own.get(headers.CONTENT_TYPE, b"").startswith(_GRPC):
            await _refuse_http(send)
            return
        task = asyncio.current_task()
        assert task is not None, "hosts run each request in a task"
        running, name = _Running(task), own.get(headers.CALL_HEADER, b"")
        key = id(running)
        self._running[key] = self._named[name] = running
        self._idle.clear()
        answer = Answer(send)
        try:
            await self._answer(scope, own, metadata, receive, answer, running)
        except asyncio.CancelledError:
            with suppress(asyncio.CancelledError):  # most often the caller is gone
                if not answer.ended:
                    await answer.finish(None, running.code, _CUT_OFF[running.code], None)
        finally:
            del self._running[key]
            self._named.pop(name, None)
            if not self._running:
                self._idle.set()

    def caller_left(self, name: bytes) -> None:
        """Cancel a call whose caller is gone, if it still goes on.

        Args:
            name: what the host calls it; see ``headers.CALL_HEADER``.
        """
        running = self._named.get(name)
        if running is not None:
            running.task.cancel()

    async def drained(self, grace_s: float) -> None:
        """Wait for the calls that are under way, and cut off those that take too long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(grace_s):
                await self._idle.wait()
        for running in list(self._running.values()):
            _cut_off(running, grpc.StatusCode.UNAVAILABLE)
        with suppress(TimeoutError):
            async with asyncio.timeout(_CUT_OFF_S):
                await self._idle.wait()

    async def _answer(
        self,
        scope: dict[str, Any],
        own: dict[bytes, bytes],
        metadata: list[tuple[bytes, bytes]],
        receive: Receive,
        answer: Answer,
        running: _Running,
    ) -> None:
        try:
            method = self._method(scope["path"])
            unframer = self._unframer(own)
            timeout_s = headers.timeout_s(own.get(headers.TIMEOUT))
            context = HostedContext(answer, method.serialize, metadata, scope["client"], timeout_s)
            request: Any
            if method.asked_by_stream:
                request = Messages(receive, unframer)
            else:
                request = await only_message(receive, unframer)
            if method.streams and timeout_s is not None:
                loop = asyncio.get_running_loop()
                ending = loop.call_later(
                    timeout_s, _cut_off, running, grpc.StatusCode.DEADLINE_EXCEEDED
                )
                try:
                    response = await method.serve(request, context)
                finally:
                    ending.cancel()
            else:
                response = await method.serve(request, context)
            last = None if method.streams else method.serialize(response)
        except aio.AbortError:
            return
        except EndedError as ended:
            await answer.finish(None, ended.code, ended.details, None)
        except Exception as fault:  # noqa: BLE001 - this is where all of them end
            self._log.exception("fault", path=scope["path"], exc_info=fault)
            await answer.finish(None, grpc.StatusCode.UNKNOWN, "the service has a fault", None)
        else:
            await answer.finish(last, _OK, "", context.trailing_metadata())

    def _method(self, path: str) -> BoundMethod:
        method = self._dispatcher.method(path) or self._plain.get(path)
        if method is None:
            handler = self.handlers.get(path)
            if handler is None:
                raise EndedError(grpc.StatusCode.UNIMPLEMENTED, f"{path} is not served")
            method = self._plain[path] = opened(handler)
        return method

    def _unframer(self, own: dict[bytes, bytes]) -> Unframer:
        encoding = own.get(headers.ENCODING, b"identity").decode("latin-1")
        if not is_known(encoding):
            raise EndedError(
                grpc.StatusCode.UNIMPLEMENTED, f"messages compressed by {encoding} are not read"
            )
        return Unframer(encoding, self._max_bytes)


def _cut_off(running: _Running, code: grpc.StatusCode) -> None:
    running.code = code
    running.task.cancel()


async def _refuse_http(send: Send) -> None:
    await send({"type": "http.response.start", "status": 415, "headers": ()})
    await send({"type": "http.response.body"})
