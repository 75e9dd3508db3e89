"""Work that a worker does again and again beside its calls, as long as it runs."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import structlog

from mextrain_service.application.ports import StoreUnavailableError


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
    task = asyncio.create_task(_run(name, interval_s, work), name=name)
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
