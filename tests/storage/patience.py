"""The only places where a test waits by the clock: for servers, which are other processes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from mextrain_service.application.ports import StoreUnavailableError
from mextrain_service.storage.breaker import KnownAwayError
from tests.polling import until

_Answer = TypeVar("_Answer")

WITHIN_S = 30.0
_TURNS = 20


async def patiently(call: Callable[[], Awaitable[_Answer]]) -> tuple[_Answer, list[float]]:
    """Make a call as a client does: again, after the pause that it is asked for.

    Returns:
        what the call is answered, and the pauses until then, in seconds.
    """
    pauses: list[float] = []
    async with asyncio.timeout(WITHIN_S):
        while True:
            try:
                return await call(), pauses
            except (StoreUnavailableError, KnownAwayError) as away:
                pauses.append(away.retry_after_s)
                await asyncio.sleep(away.retry_after_s)


async def until_away(call: Callable[[], Awaitable[object]]) -> None:
    """Call until the store is known to be away."""

    async def is_away() -> bool:
        try:
            await call()
        except StoreUnavailableError:
            return True
        return False

    await until(is_away)


async def paced(pace_s: float) -> None:
    """Return so much later: what asks a server all the time leaves it no time for itself."""
    await asyncio.sleep(pace_s)


async def loop_turns() -> None:
    """Let every task go on that waits for nothing but its turns of the event loop."""
    for _ in range(_TURNS):
        await asyncio.sleep(0)
