"""Switches traces on, or leaves everything of them out of the process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mextrain_service.settings.tracing import TracingSettings
    from mextrain_service.worker.spans import Tracing


@asynccontextmanager
async def tracing(settings: TracingSettings, worker: int) -> AsyncIterator[Tracing | None]:
    """Send spans while the context is open; yield None if none are wanted.

    Args:
        settings: whether, where to and how many.
        worker: which worker of this machine this is.
    """
    if not settings.enabled:
        yield None
        return
    from mextrain_service.worker.spans import sending  # noqa: PLC0415 - not installed everywhere

    async with sending(settings, worker) as opened:
        yield opened
