"""A store that times another one, counts its conflicts, and has its part in traces.

Knows the store's interface; nothing of where games are stored, nor of what is in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from time import perf_counter
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter

from mextrain_service.application.ports import (
    GameStore,
    StoreUnavailableError,
    VersionConflictError,
)
from mextrain_service.transport.collectors import Latencies

if TYPE_CHECKING:
    from types import TracebackType

    from mextrain_service.application.model import GameId, HostedGame, LogEntry, Receipt
    from mextrain_service.application.ports import LogMark, LogReading
    from mextrain_service.main.tracing import StoreSpan


class MeasuredStore:
    """Does what the store inside it does, and tells Prometheus how."""

    def __init__(
        self, inner: GameStore, registry: CollectorRegistry, span: StoreSpan | None = None
    ) -> None:
        """Take the store, where metrics go, and what makes spans, if any are wanted."""
        self._inner = inner
        self._span = span
        self._seconds = Latencies(
            "mextrain_store_seconds",
            "How long operations of the store took; recall answers from memory when it can.",
            ("operation", "result"),
            registry,
        )
        self._conflicts = Counter(
            "mextrain_conflicts",
            "Commits refused because another one came first.",
            registry=registry,
        )

    async def create(self, game: HostedGame, entries: Sequence[LogEntry] = ()) -> None:
        """See ``GameStore.create``."""
        with self._measured("create"):
            await self._inner.create(game, entries)

    async def load(self, game_id: GameId) -> HostedGame:
        """See ``GameStore.load``."""
        with self._measured("load"):
            return await self._inner.load(game_id)

    async def recall(self, game_id: GameId) -> HostedGame:
        """See ``GameStore.recall``."""
        with self._measured("recall"):
            return await self._inner.recall(game_id)

    async def commit(
        self, game: HostedGame, *, base: HostedGame, entries: Sequence[LogEntry]
    ) -> LogMark | None:
        """See ``GameStore.commit``."""
        with self._measured("commit"):
            return await self._inner.commit(game, base=base, entries=entries)

    async def read_on(self, game_id: GameId, since: LogMark) -> LogReading | None:
        """See ``GameStore.read_on``."""
        with self._measured("read_on"):
            return await self._inner.read_on(game_id, since)

    async def delete(self, game: HostedGame, receipt: Receipt | None) -> None:
        """See ``GameStore.delete``."""
        with self._measured("delete"):
            await self._inner.delete(game, receipt)

    async def discard(self, game_id: GameId, receipt: Receipt | None) -> None:
        """See ``GameStore.discard``."""
        with self._measured("discard"):
            await self._inner.discard(game_id, receipt)

    async def deletion(self, game_id: GameId) -> Receipt | None:
        """See ``GameStore.deletion``."""
        with self._measured("deletion"):
            return await self._inner.deletion(game_id)

    async def settle(self, game_id: GameId) -> LogReading:
        """See ``GameStore.settle``."""
        with self._measured("settle"):
            return await self._inner.settle(game_id)

    async def ping(self) -> None:
        """See ``GameStore.ping``."""
        with self._measured("ping"):
            await self._inner.ping()

    def _measured(self, operation: str) -> AbstractContextManager[None]:
        if self._span is None:
            return self._timed(operation)
        return self._traced(operation, self._span)

    @contextmanager
    def _traced(self, operation: str, span: StoreSpan) -> Iterator[None]:
        with span(operation), self._timed(operation):
            yield

    def _timed(self, operation: str) -> _Timed:
        return _Timed(self, operation)

    def note(self, operation: str, seconds: float, error: BaseException | None) -> None:
        """Count an operation that has ended."""
        if isinstance(error, VersionConflictError):
            self._conflicts.inc()
        result = "unavailable" if isinstance(error, StoreUnavailableError) else "answered"
        self._seconds.observe((operation, result), seconds)


class _Timed:
    """Times what is done in it. Every move opens two, so it is no generator."""

    __slots__ = ("_operation", "_started", "_store")

    def __init__(self, store: MeasuredStore, operation: str) -> None:
        self._store = store
        self._operation = operation
        self._started = perf_counter()

    def __enter__(self) -> None:
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._store.note(self._operation, perf_counter() - self._started, error)
