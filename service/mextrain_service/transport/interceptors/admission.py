"""Takes on no more calls at once than the worker can carry.

Knows how many there are; nothing of what they do. Streams are counted elsewhere: they wait most of
the time.
"""

from __future__ import annotations

from mextrain_service.transport.errors import OverloadedError
from mextrain_service.transport.interceptors.call import Call
from mextrain_service.transport.interceptors.interceptor import Handle, Interceptor, Method


class AdmissionInterceptor(Interceptor):
    """Refuses a call when there are too many, with a reason and a time to come back.

    A transport would refuse it too, without either.
    """

    def __init__(self, max_calls: int) -> None:
        """Take how many calls may be under way at once."""
        self._max_calls = max_calls
        self._calls = 0

    def around(self, method: Method, inner: Handle) -> Handle:
        """Count each call while it lasts; raise ``OverloadedError`` if there are too many."""
        if method.streams:
            return inner

        async def handle(call: Call) -> None:
            if self._calls >= self._max_calls:
                raise OverloadedError(self._max_calls)
            self._calls += 1
            try:
                await inner(call)
            finally:
                self._calls -= 1

        return handle


def hard_limit(max_calls: int, max_streams: int) -> int:
    """Return how many calls gRPC itself is to take: enough above ours to refuse them well."""
    return 2 * max_calls + max_streams + 100
