"""Times the operations of the store, counts its conflicts, and has its part in traces."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import wraps
from time import perf_counter
from typing import Any, Concatenate, ParamSpec, Protocol, TypeAlias, TypeVar

from prometheus_client import CollectorRegistry, Counter

from mextrain_service.application.ports import StoreUnavailableError, VersionConflictError
from mextrain_service.collectors import Latencies
from mextrain_service.storage.connection import RedisCommands

StoreSpan: TypeAlias = Callable[[str], AbstractContextManager[None]]
"""Makes a span of an operation of the store, by the operation's name."""


@dataclass(slots=True)
class RoundTrips:
    """How many commands were sent so far; what a Cluster redirects counts once."""

    number: int = 0


_counted: ContextVar[RoundTrips | None] = ContextVar("counted", default=None)

_Arguments = ParamSpec("_Arguments")
_Answer = TypeVar("_Answer")


class StoreMetrics:
    """What is told of the store's operations.

    Attributes:
        span: makes a span of each; None if no traces are sent.
    """

    def __init__(self, registry: CollectorRegistry, span: StoreSpan | None = None) -> None:
        """Register the metrics; take what makes spans, if traces are sent."""
        self.span = span
        self._seconds = Latencies(
            "mextrain_store_seconds",
            "How long operations of the store took; cached answers from memory when it can.",
            ("operation", "result"),
            registry,
        )
        self._conflicts = Counter(
            "mextrain_conflicts",
            "Commits refused because another one came first.",
            registry=registry,
        )

    def counting(self, client: RedisCommands) -> RedisCommands:
        """Return a client whose round trips are counted, if spans show them."""
        return client if self.span is None else _CountedClient(client)

    def ended(self, operation: str, started: float, error: BaseException | None = None) -> None:
        """Count an operation.

        Args:
            operation: its name, like ``commit``.
            started: when it began, by ``perf_counter``.
            error: what it failed with.
        """
        if isinstance(error, VersionConflictError):
            self._conflicts.inc()
        result = "unavailable" if isinstance(error, StoreUnavailableError) else "answered"
        self._seconds.observe((operation, result), perf_counter() - started)


@contextmanager
def round_trips() -> Iterator[RoundTrips]:
    """Count what this task, and those that it starts, send while the context is open."""
    counted = RoundTrips()
    token = _counted.set(counted)
    try:
        yield counted
    finally:
        _counted.reset(token)


class _CountedClient:
    """Does what the client inside it does."""

    def __init__(self, inner: RedisCommands) -> None:
        self._inner = inner

    def execute_command(self, *command: Any, awaits_replicas: bool = False) -> Awaitable[Any]:
        counted = _counted.get()
        if counted is not None:
            counted.number += 1
        return self._inner.execute_command(*command, awaits_replicas=awaits_replicas)


class Measured(Protocol):
    """A store that is measured, or is not.

    Attributes:
        metrics: hears of its operations; None if nobody wants to know.
    """

    metrics: StoreMetrics | None


_Store = TypeVar("_Store", bound=Measured)


def measured(
    method: Callable[Concatenate[_Store, _Arguments], Coroutine[Any, Any, _Answer]],
) -> Callable[Concatenate[_Store, _Arguments], Coroutine[Any, Any, _Answer]]:
    """Tell the metrics of a store how long this operation took; it is called as the method is."""
    operation = method.__name__

    @wraps(method)
    async def timed(
        store: _Store, /, *arguments: _Arguments.args, **named: _Arguments.kwargs
    ) -> _Answer:
        metrics = store.metrics
        if metrics is None:
            return await method(store, *arguments, **named)
        started = perf_counter()
        try:
            if metrics.span is None:
                answer = await method(store, *arguments, **named)
            else:
                with metrics.span(operation):
                    answer = await method(store, *arguments, **named)
        except BaseException as error:
            metrics.ended(operation, started, error)
            raise
        metrics.ended(operation, started)
        return answer

    return timed
