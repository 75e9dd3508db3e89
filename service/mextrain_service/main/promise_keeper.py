"""Tells news that workers promised and did not live to tell, as long as this one runs.

Knows how often and from where to begin; what news is, the announcer says.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Final

import structlog
from prometheus_client import Counter

from mextrain_service.application.ports import StoreUnavailableError

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from mextrain_service.application.announcing import Announcer

_MANY: Final = 1 << 16


class PromiseKeeper:
    """Keeps the promises of others at an interval."""

    def __init__(
        self, announcer: Announcer, interval_s: float, registry: CollectorRegistry
    ) -> None:
        """Take who tells news, the pause between two looks in seconds, and where metrics go."""
        self._announcer = announcer
        self._interval_s = interval_s
        self._log = structlog.get_logger("mextrain.feed")
        self._kept = Counter(
            "mextrain_feed_promises_kept",
            "Changes whose news another worker did not tell in time.",
            registry=registry,
        )

    @asynccontextmanager
    async def keeping(self) -> AsyncIterator[None]:
        """Keep promises as long as the context is open."""
        task = asyncio.create_task(self._run(), name="promises")
        try:
            yield
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._interval_s * random.uniform(0.5, 1.5))  # noqa: S311
            try:
                self._kept.inc(await self._announcer.keep_promises(random.randrange(_MANY)))  # noqa: S311
            except StoreUnavailableError as error:
                self._log.warning("the promises cannot be read", cause=str(error))
            except Exception:  # noqa: BLE001 - one fault must not end the watch over all others
                self._log.exception("keeping promises failed")
