"""What a failure of Redis means to the application, decided in one place.

Knows the errors of the Redis client; nothing of games.
"""

from __future__ import annotations

import re

import redis.exceptions as failure

from mextrain_service.application.ports import StoreUnavailableError
from mextrain_service.storage.replication import TooFewReplicasError

_SOON_S = 1.0
_AFTER_FAILOVER_S = 3.0
_AFTER_OPERATOR_S = 15.0

_RETRY_AFTER_S: tuple[tuple[type[Exception], str, float], ...] = (
    (failure.BusyLoadingError, "the store is loading its data", _AFTER_FAILOVER_S),
    (failure.ReadOnlyError, "the store is a replica just now", _AFTER_FAILOVER_S),
    (failure.ClusterDownError, "the store has no master for this game", _AFTER_FAILOVER_S),
    (failure.ClusterError, "the store is being rearranged", _SOON_S),
    (failure.SlotNotCoveredError, "the store has no master for this game", _AFTER_FAILOVER_S),
    (failure.TryAgainError, "the store is moving this game", _SOON_S),
    (TooFewReplicasError, "too few replicas have the change so far", _AFTER_FAILOVER_S),
    (failure.OutOfMemoryError, "the store is full", _AFTER_OPERATOR_S),
    (failure.AuthenticationError, "the store refuses the credentials", _AFTER_OPERATOR_S),
    (failure.NoPermissionError, "the store refuses the credentials", _AFTER_OPERATOR_S),
    (failure.TimeoutError, "the store did not answer in time", _SOON_S),
    (failure.ConnectionError, "the store cannot be reached", _SOON_S),
    (OSError, "the store cannot be reached", _SOON_S),
)
"""The first row that an error is an instance of counts, so subclasses come before their bases."""

_RETRY_AFTER_CODE_S: dict[str, tuple[str, float]] = {
    "OOM": ("the store is full", _AFTER_OPERATOR_S),
    "MISCONF": ("the store cannot write to its disk", _AFTER_OPERATOR_S),
    "NOREPLICAS": ("the store has too few replicas", _AFTER_FAILOVER_S),
    "MASTERDOWN": ("the store has lost its master", _AFTER_FAILOVER_S),
    "READONLY": ("the store is a replica just now", _AFTER_FAILOVER_S),
    "LOADING": ("the store is loading its data", _AFTER_FAILOVER_S),
    "BUSY": ("the store is busy with a script", _SOON_S),
}
"""Errors that the client has no class for, or not when they come out of a script."""

_VERIFICATION = re.compile(r"certificate verify failed: (.+?) \(_ssl")
_KEY_IDENTIFIER = "Key Identifier"
_CERTIFICATE_ADVICE = " (which Python 3.13 and later demand; see docs/operations.md)"

LOST_ANSWER = (failure.ConnectionError, OSError)
"""The connection broke: the request may have been carried out. Worth one more try at once."""

FAILURES = (failure.RedisError, failure.SlotNotCoveredError, OSError)
"""Everything that a call of the client raises when Redis fails it."""


def is_lost_answer(error: BaseException) -> bool:
    """Tell whether the connection broke, so that another try may succeed at once.

    A timeout is none: a store that is too slow is not helped by being asked twice.
    """
    told = (failure.BusyLoadingError, failure.AuthenticationError, failure.MaxConnectionsError)
    return isinstance(error, LOST_ANSWER) and not isinstance(
        error, (*told, failure.TimeoutError, TimeoutError)
    )


def unavailable(error: Exception) -> StoreUnavailableError | None:
    """Return the error to raise for a failure of Redis; None when it is a fault of this program."""
    if refused := _certificate_refused(error):
        return StoreUnavailableError(refused, _AFTER_OPERATOR_S)
    for kind, message, retry_after_s in _RETRY_AFTER_S:
        if isinstance(error, kind):
            return StoreUnavailableError(message, retry_after_s)
    code = str(error).partition(" ")[0]
    if code in _RETRY_AFTER_CODE_S:
        return StoreUnavailableError(*_RETRY_AFTER_CODE_S[code])
    return None


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
