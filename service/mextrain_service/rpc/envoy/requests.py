"""What a hosted call is asked: one message, or messages as they come."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias

import grpc

from mextrain_service.rpc.envoy.framing import Unframer
from mextrain_service.rpc.envoy.status import EndedError

Receive: TypeAlias = Callable[[], Awaitable[dict[str, Any]]]


async def only_message(receive: Receive, unframer: Unframer) -> bytes:
    """Return the one message of a request.

    Raises:
        EndedError: there is none, or there are several, or it cannot be read.
        asyncio.CancelledError: the caller is gone.
    """
    event = await _event(receive)
    messages = list(unframer.feed(_body(event)))
    while event["more_body"]:
        event = await _event(receive)
        messages += unframer.feed(_body(event))
    unframer.end()
    if len(messages) != 1:
        raise EndedError(
            grpc.StatusCode.UNIMPLEMENTED, f"{len(messages)} messages came where one is expected"
        )
    return messages[0]


class Messages(AsyncIterator[bytes]):
    """The messages of a stream of requests. Waiting for the next one may be given up."""

    def __init__(self, receive: Receive, unframer: Unframer) -> None:
        """Read nothing before the first message is asked for."""
        self._receive = receive
        self._unframer = unframer
        self._whole: list[bytes] = []
        self._asked: asyncio.Future[dict[str, Any]] | None = None
        self._more = True

    async def __anext__(self) -> bytes:
        """Return the next message.

        Raises:
            EndedError: it cannot be read.
            asyncio.CancelledError: the caller is gone.
        """
        while not self._whole:
            if not self._more:
                raise StopAsyncIteration
            event = await self._event()
            self._whole = list(self._unframer.feed(_body(event)))
            self._whole.reverse()
            self._more = event["more_body"]
            if not self._more:
                self._unframer.end()
        return self._whole.pop()

    async def _event(self) -> dict[str, Any]:
        """Return what comes next; what was asked for and given up is not lost."""
        if self._asked is None:
            self._asked = asyncio.ensure_future(self._receive())
        event = await asyncio.shield(self._asked)
        self._asked = None
        return event


async def _event(receive: Receive) -> dict[str, Any]:
    """Return what comes next; the host sets it whether it is waited for or not."""
    return await asyncio.shield(asyncio.ensure_future(receive()))


def _body(event: dict[str, Any]) -> bytes:
    if event["type"] != "http.request":
        raise asyncio.CancelledError
    body: bytes = event["body"]
    return body
