"""Makes a call as a client does: again, after the pause that it is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from mextrain_service.application.ports import StoreUnavailableError

_Answer = TypeVar("_Answer")

WITHIN_S = 30.0


async def patiently(call: Callable[[], Awaitable[_Answer]]) -> tuple[_Answer, list[float]]:
    """Return what a call is answered, and the pauses that were asked for until then, in seconds."""
    pauses: list[float] = []
    async with asyncio.timeout(WITHIN_S):
        while True:
            try:
                return await call(), pauses
            except StoreUnavailableError as away:
                pauses.append(away.retry_after_s)
                await asyncio.sleep(away.retry_after_s)
