"""Work that a worker does again and again beside its calls, as long as it runs."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram

from mextrain_service.application.enforce_deadlines import Enforced, NotEnforced
from mextrain_service.application.ports import StoreUnavailableError

if TYPE_CHECKING:
    from mextrain_service.application.announcing import Announcer
    from mextrain_service.application.enforce_deadlines import EnforceDeadlines

_MS: Final = 1_000
_LAG_BUCKETS_S: Final = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600)
_MANY: Final = 1 << 16


class Sweeper:
    """Enforces deadlines at an interval, as long as it is known what time it is."""

    def __init__(
        self,
        enforce: EnforceDeadlines,
        interval_s: float,
        registry: CollectorRegistry,
        time_is_known: Callable[[], bool],
    ) -> None:
        """Prepare to sweep.

        Args:
            enforce: the use case.
            interval_s: the pause between two looks, in seconds.
            registry: where metrics go.
            time_is_known: tells whether deadlines may be acted on.
        """
        self._enforce = enforce
        self._interval_s = interval_s
        self._time_is_known = time_is_known
        self._log = structlog.get_logger("mextrain.deadlines")
        self._lag = Histogram(
            "mextrain_deadline_lag_seconds",
            "How long after a deadline it was acted on.",
            buckets=_LAG_BUCKETS_S,
            registry=registry,
        )
        self._failures = Counter(
            "mextrain_deadline_failures",
            "Games whose deadline could not be acted on at first.",
            registry=registry,
        )

    def sweeping(self) -> AbstractAsyncContextManager[None]:
        """Enforce deadlines as long as the context is open."""
        return recurring("deadlines", self._interval_s, self._sweep)

    async def _sweep(self) -> None:
        if not self._time_is_known():
            return
        async for outcome in self._enforce(random.randrange(_MANY)):  # noqa: S311
            self._note(outcome)

    def _note(self, outcome: Enforced | NotEnforced) -> None:
        match outcome:
            case Enforced(late_ms=late_ms):
                self._lag.observe(late_ms / _MS)
            case NotEnforced(game_id, cause):
                self._failures.inc()
                self._log.warning(
                    "a deadline is not enforced yet", game_id=game_id, error=type(cause).__name__
                )


class OutboxRelay:
    """Keeps the promises of others at an interval."""

    def __init__(
        self, announcer: Announcer, interval_s: float, registry: CollectorRegistry
    ) -> None:
        """Take who tells news, the pause between two looks in seconds, and where metrics go."""
        self._announcer = announcer
        self._interval_s = interval_s
        self._kept = Counter(
            "mextrain_feed_promises_kept",
            "Changes whose news another worker did not tell in time.",
            registry=registry,
        )

    def keeping(self) -> AbstractAsyncContextManager[None]:
        """Keep promises as long as the context is open."""
        return recurring("feed", self._interval_s, self._keep)

    async def _keep(self) -> None:
        self._kept.inc(await self._announcer.keep_promises(random.randrange(_MANY)))  # noqa: S311


@asynccontextmanager
async def recurring(
    name: str, interval_s: float, work: Callable[[], Awaitable[None]]
) -> AsyncIterator[None]:
    """Do the work at an interval as long as the context is open.

    The pause is between half and one and a half of the interval, so that workers that began
    together do not look at the same moment for ever. A failure is logged and ends nothing.

    Args:
        name: what the log calls it.
        interval_s: the pause, in seconds.
        work: one round of it.
    """
    async with running(_run(name, interval_s, work), name):
        yield


@asynccontextmanager
async def running(work: Coroutine[Any, Any, None], name: str) -> AsyncIterator[None]:
    """Let work go on beside what the context holds, as a task of this name; cancel it then."""
    task = asyncio.create_task(work, name=name)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def _run(name: str, interval_s: float, work: Callable[[], Awaitable[None]]) -> None:
    log = structlog.get_logger(f"mextrain.{name}")
    while True:
        await asyncio.sleep(interval_s * random.uniform(0.5, 1.5))  # noqa: S311
        try:
            await work()
        except StoreUnavailableError as error:
            log.warning("the store is away", error=str(error))
        except Exception:
            log.exception("a recurring task failed")
