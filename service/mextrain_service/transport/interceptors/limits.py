"""Reads no request that is larger than it may be, and none that is no message at all.

Knows bytes; nothing of what is in them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

from google.protobuf.message import DecodeError

from mextrain_service.application.errors import FieldInvalidError, FieldViolation
from mextrain_service.transport.errors import RequestTooLargeError
from mextrain_service.transport.interceptors.call import Call
from mextrain_service.transport.interceptors.wrapping import WrappingInterceptor

_refusal: ContextVar[Exception | None] = ContextVar("refusal", default=None)


class LimitsInterceptor(WrappingInterceptor):
    """Refuses what cannot be read, with a reason that a caller can go by.

    gRPC would refuse it too, without one: an error while a request is read never reaches a
    handler. So such a request is read as an empty one, and refused where its handler would begin.
    """

    def __init__(self, max_request_bytes: int) -> None:
        super().__init__()
        self._max_request_bytes = max_request_bytes

    @asynccontextmanager
    async def around(self, call: Call) -> AsyncIterator[None]:
        """Raise why the request was not read, or let the call go on.

        Raises:
            RequestTooLargeError: it is too large.
            FieldInvalidError: it is no message of its type.
        """
        del call
        refusal = _refusal.get()
        if refusal is not None:
            raise refusal
        yield

    def reader(self, read: Any) -> Any:
        """Return what reads a request within the limit."""

        def read_within_limit(data: bytes) -> Any:
            if len(data) > self._max_request_bytes:
                _refusal.set(RequestTooLargeError(len(data), self._max_request_bytes))
                return read(b"")
            try:
                return read(data)
            except DecodeError:
                _refusal.set(_unreadable())
                return read(b"")

        return read_within_limit


def hard_limit(max_request_bytes: int) -> int:
    """Return what gRPC itself is to refuse, in bytes: enough above the limit to say it well."""
    return max(4 * max_request_bytes, 1 << 20)


def _unreadable() -> FieldInvalidError:
    message = "the request is no message of this method's type"
    return FieldInvalidError([FieldViolation("", "UNREADABLE", message)])
