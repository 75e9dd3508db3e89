"""What a failure of Redis means to the application, and which requests are made once more."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from typing import Final, NoReturn, TypeVar

import redis.exceptions as failure

from mextrain_service.application.ports import StoreUnavailableError
from mextrain_service.storage.breaker import KnownAwayError
from mextrain_service.storage.node import TooFewReplicasError

SOON_S: Final = 1.0
"""How long the answer takes at most to a question that is worth nothing later, in seconds."""

_Answer = TypeVar("_Answer")

_Pause = tuple[float, float]
"""The least and the longest time after which a caller comes back, in seconds."""

_SOON_S: _Pause = (0.25, 0.5)
"""It may be over by then."""

_LATER_S: _Pause = (0.5, 1.0)
"""Servers must agree, or an operator must act. Nobody can tell when; a refusal until then costs the
store next to nothing, and nobody is to wait for longer than this once it is over."""

_MEANINGS: tuple[tuple[type[Exception], str, _Pause], ...] = (
    (failure.BusyLoadingError, "the store is loading its data", _LATER_S),
    (failure.ReadOnlyError, "the store is a replica just now", _LATER_S),
    (failure.ClusterDownError, "the store has no master for this game", _LATER_S),
    (failure.ClusterError, "the store is being rearranged", _SOON_S),
    (failure.SlotNotCoveredError, "the store has no master for this game", _LATER_S),
    (failure.TryAgainError, "the store is moving this game", _SOON_S),
    (TooFewReplicasError, "too few replicas have the change so far", _LATER_S),
    (failure.OutOfMemoryError, "the store is full", _LATER_S),
    (failure.AuthenticationError, "the store refuses the credentials", _LATER_S),
    (failure.NoPermissionError, "the store refuses the credentials", _LATER_S),
    (failure.TimeoutError, "the store did not answer in time", _SOON_S),
    (failure.ConnectionError, "the store cannot be reached", _SOON_S),
    (OSError, "the store cannot be reached", _SOON_S),
)
"""The first row that an error is an instance of counts, so subclasses come before their bases."""

_MEANINGS_OF_CODES: dict[str, tuple[str, _Pause]] = {
    "OOM": ("the store is full", _LATER_S),
    "MISCONF": ("the store cannot write to its disk", _LATER_S),
    "NOREPLICAS": ("the store has too few replicas", _LATER_S),
    "MASTERDOWN": ("the store has lost its master", _LATER_S),
    "READONLY": ("the store is a replica just now", _LATER_S),
    "LOADING": ("the store is loading its data", _LATER_S),
    "BUSY": ("the store is busy with a script", _SOON_S),
}
"""Errors that the client has no class for, or not when they come out of a script."""

_VERIFICATION = re.compile(r"certificate verify failed: (.+?) \(_ssl")
_KEY_IDENTIFIER = "Key Identifier"
_CERTIFICATE_ADVICE = " (which Python 3.13 and later demand; see docs/operations.md)"

_DAMAGE = ("WRONGTYPE", "data string too short")
"""What Redis, and its Lua, say of a key that does not hold what the store put there."""

LOST_ANSWER = (failure.ConnectionError, OSError)
"""The connection broke: the request may have been carried out. Worth one more try at once."""

FAILURES = (failure.RedisError, failure.SlotNotCoveredError, OSError)
"""Everything that a call of the client raises when Redis fails it."""


def is_lost_answer(error: BaseException) -> bool:
    """Tell whether the connection broke, so that another try may succeed at once.

    A timeout is none: a store that is too slow is not helped by being asked twice. Nor is one that
    is known to be away.
    """
    told = (
        *(KnownAwayError, failure.BusyLoadingError),
        *(failure.AuthenticationError, failure.MaxConnectionsError),
    )
    return isinstance(error, LOST_ANSWER) and not isinstance(
        error, (*told, failure.TimeoutError, TimeoutError)
    )


def is_damage(error: Exception) -> bool:
    """Tell whether Redis failed because what it has under a key is not what belongs there."""
    return isinstance(error, failure.ResponseError) and any(sign in str(error) for sign in _DAMAGE)


def unavailable(error: Exception) -> StoreUnavailableError | None:
    """Return the error to raise for a failure of Redis; None when it is a fault of this program.

    When to come back is drawn anew each time, so that many who fail at once do not return at once.
    It is never later than a second, which is how long play then takes to go on.
    """
    if isinstance(error, KnownAwayError):
        message, _ = _meaning(error.cause) or ("the store cannot be reached", _SOON_S)
        return _away(message, error.retry_after_s)
    meaning = _meaning(error)
    if meaning is None:
        return None
    message, pause_s = meaning
    return _away(message, random.uniform(*pause_s))  # noqa: S311 - spreads load


def fail(error: Exception) -> NoReturn:
    """Raise the store's own error for a failure, or the failure itself if it is a bug."""
    known = unavailable(error)
    if known is None:
        raise error
    raise known from error


async def ask(
    attempt: Callable[[], Awaitable[_Answer]], fail: Callable[[Exception], NoReturn] = fail
) -> _Answer:
    """Return the answer to a request that does no harm when it is carried out twice.

    Args:
        attempt: makes the request.
        fail: raises what the caller is told of a failure.

    Raises:
        StoreUnavailableError: Redis fails; whether it was carried out is not known.
    """
    try:
        return await attempt()
    except FAILURES as error:
        if not is_lost_answer(error):
            fail(error)
    try:
        return await attempt()
    except FAILURES as error:
        fail(error)


async def ask_once(attempt: Callable[[], Awaitable[_Answer]]) -> _Answer:
    """Return the answer to a request that is about this very moment.

    Raises:
        StoreUnavailableError: Redis fails, or does not answer soon.
    """
    try:
        async with asyncio.timeout(SOON_S):
            return await attempt()
    except FAILURES as error:
        fail(error)


def _meaning(error: Exception) -> tuple[str, _Pause] | None:
    if refused := _certificate_refused(error):
        return refused, _LATER_S
    for kind, message, pause_s in _MEANINGS:
        if isinstance(error, kind):
            return message, pause_s
    return _MEANINGS_OF_CODES.get(str(error).partition(" ")[0])


def _certificate_refused(error: BaseException) -> str:
    """Return why the certificate that the store shows is not trusted; empty if that is not it.

    The client keeps the error of the handshake as a cause, or only its text.
    """
    cause: BaseException | None = error
    while cause is not None:
        if found := _VERIFICATION.search(str(cause)):
            advice = _CERTIFICATE_ADVICE if _KEY_IDENTIFIER in found[1] else ""
            return f"the certificate of the store is refused: {found[1]}{advice}"
        cause = cause.__cause__ or cause.__context__
    return ""


def _away(message: str, retry_after_s: float) -> StoreUnavailableError:
    """Return the error, with a time in whole milliseconds: it is told in two places."""
    return StoreUnavailableError(message, round(retry_after_s, 3))
