"""Waits for what other processes do, which tell a test nothing: looks again and again."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from inspect import isawaitable
from typing import Any, Final, TypeVar

_Found = TypeVar("_Found")

WITHIN_S: Final = 100.0
"""How long anything may take, in seconds: a machine may have much else to do."""

_LOOK_AGAIN_S: Final = 0.01


def eventually(look: Callable[[], _Found | None], within_s: float = WITHIN_S) -> _Found:
    """Return what ``look`` finds, asking until it finds something that is not false."""
    deadline = time.monotonic() + within_s
    while True:
        if found := look():
            return found
        assert time.monotonic() < deadline, f"not within {within_s} s: {look}"
        time.sleep(_LOOK_AGAIN_S)


async def until(look: Callable[[], Any], within_s: float = WITHIN_S) -> Any:
    """Do as ``eventually`` while other tasks go on; ``look`` may be a coroutine function.

    Raises:
        TimeoutError: it finds nothing in time.
    """
    async with asyncio.timeout(within_s):
        while True:
            found = look()
            if isawaitable(found):
                found = await found
            if found:
                return found
            await asyncio.sleep(_LOOK_AGAIN_S)
