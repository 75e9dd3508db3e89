"""Reads requests within a size limit; bounds what a transport takes on before that."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, TypeAlias

from google.protobuf.message import DecodeError

from mextrain_service.application.refused import (
    REQUEST_TOO_LARGE,
    InvalidRequestError,
    Refused,
    invalid_field,
)

Read: TypeAlias = Callable[[Any], tuple[Any, Exception | None]]
"""Returns the request and None; or an empty request and why what was sent cannot be read."""


def reader(parse: Any, max_request_bytes: int) -> Read:
    """Return what reads a request of at most so many bytes.

    Args:
        parse: makes a message of bytes.
        max_request_bytes: the limit.
    """

    def read(data: bytes) -> tuple[Any, Exception | None]:
        if len(data) > max_request_bytes:
            return parse(b""), Refused(
                REQUEST_TOO_LARGE, size_bytes=len(data), limit_bytes=max_request_bytes
            )
        try:
            return parse(data), None
        except DecodeError:
            return parse(b""), _unreadable()

    return read


def stream_reader(read: Read) -> Read:
    """Return what reads the messages of a stream of requests, as they are wanted."""
    return lambda stream: (_Requests(read, stream), None)


class _Requests:
    """Iterates over the messages of a stream of requests; may be left at any place."""

    def __init__(self, read: Read, stream: AsyncIterator[bytes]) -> None:
        self._read = read
        self._stream = stream

    def __aiter__(self) -> _Requests:
        return self

    async def __anext__(self) -> Any:
        """Return the next message.

        Raises:
            Refused, InvalidRequestError: it cannot be read.
            StopAsyncIteration: there is none.
        """
        request, unreadable = self._read(await anext(self._stream))
        if unreadable is not None:
            raise unreadable
        return request


def max_message_bytes(max_request_bytes: int) -> int:
    """Return what a transport itself is to refuse, in bytes: enough above the limit to say it well.

    Args:
        max_request_bytes: the limit.
    """
    return max(4 * max_request_bytes, 1 << 20)


def max_calls_of_transport(max_calls: int, max_streams: int) -> int:
    """Return how many calls a transport is to take: enough above ours to refuse them well."""
    return 2 * max_calls + max_streams + 100


def _unreadable() -> InvalidRequestError:
    message = "the request is not a message of this method's type"
    return invalid_field("", "UNREADABLE", message)
