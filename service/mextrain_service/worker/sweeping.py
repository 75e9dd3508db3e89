"""Looks for games whose time is up, as long as the worker runs."""

from __future__ import annotations

import random
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Final

import structlog
from prometheus_client import CollectorRegistry, Counter, Histogram

from mextrain_service.application.enforce_deadlines import Enforced, NotEnforced
from mextrain_service.worker.recurring import recurring

if TYPE_CHECKING:
    from collections.abc import Callable

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
