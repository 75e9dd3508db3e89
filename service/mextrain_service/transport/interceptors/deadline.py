"""Gives every call an end: the caller's own, or the service's if that comes first.

Knows time; nothing of what a call does with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from mextrain_service.transport.errors import DeadlineExceededError
from mextrain_service.transport.interceptors.call import Call
from mextrain_service.transport.interceptors.wrapping import WrappingInterceptor


class DeadlineInterceptor(WrappingInterceptor):
    """Cancels a call that takes too long; a stream never does, only its own caller may end it.

    A commit that is cut short may have happened; its request id tells when the call is repeated.
    """

    def __init__(self, default_s: float, longest_s: float) -> None:
        """Take the time of a call that names none, and of one that names too much, in seconds."""
        super().__init__()
        self._default_s = default_s
        self._longest_s = longest_s

    @asynccontextmanager
    async def around(self, call: Call) -> AsyncIterator[None]:
        """Let the call go on for as long as it may.

        Raises:
            DeadlineExceededError: it takes longer.
        """
        if call.streams:
            yield
            return
        context: Any = call.context  # its stubs do not know that a caller may set no deadline
        remaining_s: float | None = context.time_remaining()
        limit_s = self._default_s if remaining_s is None else min(remaining_s, self._longest_s)
        scope = asyncio.timeout(limit_s)
        try:
            async with scope:
                yield
        except TimeoutError:
            if scope.expired():
                raise DeadlineExceededError(limit_s) from None
            raise
