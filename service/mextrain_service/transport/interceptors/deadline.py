"""Gives every call an end: the caller's own, or the service's if that comes first.

Knows time; nothing of what a call does with it.
"""

from __future__ import annotations

import asyncio

from mextrain_service.transport.errors import DeadlineExceededError
from mextrain_service.transport.interceptors.call import Call
from mextrain_service.transport.interceptors.interceptor import Handle, Interceptor, Method


class DeadlineInterceptor(Interceptor):
    """Cancels a call that takes too long; a stream never does, only its own caller may end it.

    A commit that is cut short may have happened; its request id tells when the call is repeated.
    """

    def __init__(self, default_s: float, longest_s: float) -> None:
        """Take the time of a call that names none, and of one that names too much, in seconds."""
        self._default_s = default_s
        self._longest_s = longest_s

    def around(self, method: Method, inner: Handle) -> Handle:
        """Let each call go on for as long as it may; then raise ``DeadlineExceededError``."""
        if method.streams:
            return inner

        async def handle(call: Call) -> None:
            limit_s = self._limit_s(call.context.time_remaining())
            scope = asyncio.timeout(limit_s)
            try:
                async with scope:
                    await inner(call)
            except TimeoutError:
                if scope.expired():
                    raise DeadlineExceededError(limit_s) from None
                raise

        return handle

    def _limit_s(self, remaining_s: float | None) -> float:
        return self._default_s if remaining_s is None else min(remaining_s, self._longest_s)
