"""Takes on no more calls at once than the worker can carry.

Knows how many there are; nothing of what they do. Streams are counted elsewhere: they wait most of
the time.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mextrain_service.transport.errors import OverloadedError
from mextrain_service.transport.interceptors.call import Call
from mextrain_service.transport.interceptors.wrapping import WrappingInterceptor


class AdmissionInterceptor(WrappingInterceptor):
    """Refuses a call when there are too many, with a reason and a time to come back.

    gRPC would refuse it too, without either.
    """

    def __init__(self, max_calls: int) -> None:
        """Take how many calls may be under way at once."""
        super().__init__()
        self._max_calls = max_calls
        self._calls = 0

    @asynccontextmanager
    async def around(self, call: Call) -> AsyncIterator[None]:
        """Count the call while it lasts.

        Raises:
            OverloadedError: there are as many as there may be.
        """
        if call.streams:
            yield
            return
        if self._calls >= self._max_calls:
            raise OverloadedError(self._max_calls)
        self._calls += 1
        try:
            yield
        finally:
            self._calls -= 1


def hard_limit(max_calls: int, max_streams: int) -> int:
    """Return how many calls gRPC itself is to take: enough above ours to refuse them well."""
    return 2 * max_calls + max_streams + 100
