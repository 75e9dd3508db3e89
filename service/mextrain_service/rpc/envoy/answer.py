"""One answer on its way out: messages one by one, then how the call ended."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from mextrain_service.rpc.envoy.framing import framed
from mextrain_service.rpc.envoy.headers import ANSWER_HEADERS, trailers

if TYPE_CHECKING:
    import grpc

    from mextrain_service.rpc.call import Metadata

Send: TypeAlias = Callable[[dict[str, Any]], Awaitable[None]]

_START: Final = {
    "type": "http.response.start",
    "status": 200,
    "headers": ANSWER_HEADERS,
    "trailers": True,
}


class Answer:
    """The answer to one call.

    Attributes:
        ended: its status was sent; nothing more may be.
    """

    def __init__(self, send: Send) -> None:
        """Prepare to answer by what the host gives to send with."""
        self.ended = False
        self._send = send
        self._started = False

    async def send_headers(self) -> None:
        """Send the headers alone; the host keeps them until there is a body, if an empty one.

        Raises:
            asyncio.CancelledError: the caller is gone.
        """
        await self._start()
        await self._pass({"type": "http.response.body", "body": b"", "more_body": True})

    async def write(self, message: bytes) -> None:
        """Send one message of a stream, when there is room for it.

        Raises:
            asyncio.CancelledError: the caller is gone.
        """
        await self._start()
        event = {"type": "http.response.body", "body": framed(message), "more_body": True}
        sending = asyncio.ensure_future(self._send(event))
        try:
            # The host sets a result whether it is waited for or not, and none may be there before.
            await asyncio.shield(sending)
        except OSError:  # what ASGI has a host raise when the caller is gone
            raise asyncio.CancelledError from None
        except asyncio.CancelledError:
            sending.add_done_callback(_let_go)
            raise

    async def finish(
        self,
        message: bytes | None,
        code: grpc.StatusCode,
        details: str,
        metadata: Metadata | None,
    ) -> None:
        """Send the last message, if there is one, and how the call ended.

        Raises:
            asyncio.CancelledError: the caller is gone.
        """
        self.ended = True
        ending = trailers(code, details, metadata)
        if message is None and not self._started:
            headers = (*ANSWER_HEADERS, *ending)
            await self._pass({"type": "http.response.start", "status": 200, "headers": headers})
            await self._pass({"type": "http.response.body"})
            return
        await self._start()
        last = b"" if message is None else framed(message)
        await self._pass({"type": "http.response.body", "body": last})
        await self._pass({"type": "http.response.trailers", "headers": ending})

    async def _start(self) -> None:
        if not self._started:
            self._started = True
            await self._pass(_START)

    async def _pass(self, event: dict[str, Any]) -> None:
        try:
            await self._send(event)
        except OSError:
            raise asyncio.CancelledError from None


def _let_go(sending: asyncio.Future[None]) -> None:
    """Look at what became of a message that nobody waits for, so that it is not reported."""
    if not sending.cancelled():
        sending.exception()
