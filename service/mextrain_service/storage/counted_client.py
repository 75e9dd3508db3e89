"""A client that counts its round trips, for the spans of traces."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from mextrain_service.storage.connection import RedisClient


@dataclass(slots=True)
class RoundTrips:
    """How many commands were sent so far; what a Cluster redirects counts once."""

    number: int = 0


_counted: ContextVar[RoundTrips | None] = ContextVar("counted", default=None)


@contextmanager
def round_trips() -> Iterator[RoundTrips]:
    """Count what this task, and those that it starts, send while the context is open."""
    counted = RoundTrips()
    token = _counted.set(counted)
    try:
        yield counted
    finally:
        _counted.reset(token)


class CountedClient:
    """Does what the client inside it does."""

    def __init__(self, inner: RedisClient) -> None:
        self._inner = inner

    def execute_command(self, *args: Any, **options: Any) -> Awaitable[Any]:
        """See ``RedisClient.execute_command``."""
        counted = _counted.get()
        if counted is not None:
            counted.number += 1
        return self._inner.execute_command(*args, **options)

    def aclose(self) -> Awaitable[None]:
        """See ``RedisClient.aclose``."""
        return self._inner.aclose()
