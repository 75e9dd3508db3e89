"""Reads no request that is larger than it may be, and none that is no message at all.

Knows bytes; nothing of what is in them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from google.protobuf.message import DecodeError

from mextrain_service.application.errors import FieldInvalidError, FieldViolation
from mextrain_service.transport.errors import RequestTooLargeError
from mextrain_service.transport.interceptors.call import Call
from mextrain_service.transport.interceptors.interceptor import Handle, Interceptor, Method


class LimitsInterceptor(Interceptor):
    """Refuses what cannot be read, with a reason that a caller can go by.

    A transport would refuse it too, without one. So such a request is read as an empty one, and
    refused here, when it is known who sent it.
    """

    def around(self, method: Method, inner: Handle) -> Handle:
        """Raise why the request was not read, or let the call go on."""
        del method

        async def handle(call: Call) -> None:
            if call.unreadable is not None:
                raise call.unreadable
            await inner(call)

        return handle


def reader(
    read: Any, max_request_bytes: int
) -> Callable[[bytes], tuple[Any, RequestTooLargeError | FieldInvalidError | None]]:
    """Return what reads a request within the limit.

    Returns:
        a function of the bytes that returns the request and None; or an empty request and why it
        cannot be read: it is too large, or no message of its type.
    """

    def read_within_limit(
        data: bytes,
    ) -> tuple[Any, RequestTooLargeError | FieldInvalidError | None]:
        if len(data) > max_request_bytes:
            return read(b""), RequestTooLargeError(len(data), max_request_bytes)
        try:
            return read(data), None
        except DecodeError:
            return read(b""), _unreadable()

    return read_within_limit


def hard_limit(max_request_bytes: int) -> int:
    """Return what a transport itself is to refuse, in bytes: enough above the limit to say it well.

    Args:
        max_request_bytes: the limit.
    """
    return max(4 * max_request_bytes, 1 << 20)


def _unreadable() -> FieldInvalidError:
    message = "the request is no message of this method's type"
    return FieldInvalidError([FieldViolation("", "UNREADABLE", message)])
