"""Tells news that workers promised and did not live to tell, as long as this one runs."""

from __future__ import annotations

import random
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Final

from prometheus_client import Counter

from mextrain_service.worker.recurring import recurring

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from mextrain_service.application.announcing import Announcer

_MANY: Final = 1 << 16


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
