"""One request to Redis that may be made twice: once more when the connection broke under it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, NoReturn, TypeVar

from mextrain_service.storage.failures import FAILURES, is_lost_answer, unavailable

SOON_S: Final = 1.0
"""How long the answer takes at most to a question that is worth nothing later, in seconds."""

_Answer = TypeVar("_Answer")


async def ask(attempt: Callable[[], Awaitable[_Answer]]) -> _Answer:
    """Return the answer to a request that does no harm when it is carried out twice.

    Raises:
        StoreUnavailableError: Redis fails; whether it was carried out is not known.
    """
    try:
        return await attempt()
    except FAILURES as error:
        if not is_lost_answer(error):
            _fail(error)
    try:
        return await attempt()
    except FAILURES as error:
        _fail(error)


async def ask_once(attempt: Callable[[], Awaitable[_Answer]]) -> _Answer:
    """Return the answer to a request that is about this very moment.

    Raises:
        StoreUnavailableError: Redis fails, or does not answer soon.
    """
    try:
        async with asyncio.timeout(SOON_S):
            return await attempt()
    except FAILURES as error:
        _fail(error)


def _fail(error: Exception) -> NoReturn:
    """Raise the store's own error for a failure, or the failure itself if it is a bug."""
    known = unavailable(error)
    if known is None:
        raise error
    raise known from error
