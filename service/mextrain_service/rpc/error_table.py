"""The one table of errors: which exception has which gRPC code and which stable reason.

Everything that a caller is told of an error is made here, for every transport.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grpc import StatusCode
from mextrain.v1.error_reason_pb2 import ErrorReason

from mextrain_engine import DealError, IllegalMoveError, Reason, RuleSetError
from mextrain_service.application import errors as app
from mextrain_service.application.ports import (
    DamagedGameError,
    GameNotFoundError,
    StoreUnavailableError,
)
from mextrain_service.auth.errors import CredentialInvalidError, TokenExpiredError
from mextrain_service.rpc import errors as own

PREFIX = "ERROR_REASON_"
"""What the name of each reason begins with in the contract, and nowhere else."""


@dataclass(frozen=True, slots=True)
class Source:
    """What an error comes from.

    Attributes:
        error: the class of the exception; its subclasses have no row of their own.
        kind: the machine reason that the exception carries itself; empty when it carries none.
    """

    error: type[Exception]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class ErrorRow:
    """One reason.

    Attributes:
        reason: its stable name, without the prefix.
        code: the status code of gRPC; that of HTTP follows from it.
        sources: where it comes from.
    """

    reason: str
    code: StatusCode
    sources: tuple[Source, ...]

    @property
    def number(self) -> ErrorReason.ValueType:
        """The reason as the contract numbers it."""
        return ErrorReason.Value(PREFIX + self.reason)


def _row(reason: str, code: StatusCode, *sources: type[Exception] | Source) -> ErrorRow:
    found = tuple(each if isinstance(each, Source) else Source(each) for each in sources)
    return ErrorRow(reason, code, found)


def _refused_moves() -> Iterator[ErrorRow]:
    """Yield a row for each reason for which the rules refuse a move."""
    for reason in Reason:
        sources = [Source(IllegalMoveError, reason.value)]
        if reason is Reason.GAME_FINISHED:
            sources.append(Source(DealError, "GAME_FINISHED"))
            sources.append(Source(app.GameOverError))
        yield _row(reason.value, StatusCode.FAILED_PRECONDITION, *sources)


INTERNAL = _row("INTERNAL", StatusCode.INTERNAL, Exception)
"""What every exception is that nobody foresaw."""

ERROR_TABLE: tuple[ErrorRow, ...] = (
    *_refused_moves(),
    _row("ROUND_IN_PROGRESS", StatusCode.FAILED_PRECONDITION, app.RoundInProgressError),
    _row("STALE_VERSION", StatusCode.ABORTED, app.StaleVersionError),
    _row("REQUEST_ID_REUSED", StatusCode.ALREADY_EXISTS, app.RequestIdReusedError),
    _row("SEAT_OPEN", StatusCode.FAILED_PRECONDITION, app.SeatOpenError),
    _row("SEAT_TAKEN", StatusCode.ALREADY_EXISTS, app.SeatTakenError),
    _row("SEAT_RESIGNED", StatusCode.FAILED_PRECONDITION, app.SeatResignedError),
    _row("SEAT_NOT_HELD", StatusCode.FAILED_PRECONDITION, app.SeatNotHeldError),
    _row("PLAYER_SEATED", StatusCode.ALREADY_EXISTS, app.PlayerSeatedError),
    _row("ROUND_NOT_NEXT", StatusCode.FAILED_PRECONDITION, app.RoundNotNextError),
    _row("ENTROPY_ADDED", StatusCode.ALREADY_EXISTS, app.EntropyAddedError),
    _row("CONTENTION", StatusCode.ABORTED, app.ContentionError),
    _row("GAME_NOT_FOUND", StatusCode.NOT_FOUND, GameNotFoundError),
    _row("HISTORY_CHANGED", StatusCode.ABORTED, app.HistoryChangedError),
    _row("GAME_DAMAGED", StatusCode.DATA_LOSS, DamagedGameError),
    _row("HISTORY_GONE", StatusCode.FAILED_PRECONDITION, app.HistoryGoneError),
    _row("PRESET_NOT_FOUND", StatusCode.NOT_FOUND, app.PresetNotFoundError),
    _row("UNAUTHENTICATED", StatusCode.UNAUTHENTICATED, app.NotAuthenticatedError),
    _row("TOKEN_INVALID", StatusCode.UNAUTHENTICATED, CredentialInvalidError),
    _row("TOKEN_EXPIRED", StatusCode.UNAUTHENTICATED, TokenExpiredError),
    _row("TOKEN_SUPERSEDED", StatusCode.UNAUTHENTICATED, app.TokenSupersededError),
    _row("PERMISSION_DENIED", StatusCode.PERMISSION_DENIED, app.CallerNotAllowedError),
    _row("SEAT_NOT_YOURS", StatusCode.PERMISSION_DENIED, app.SeatNotYoursError),
    _row("FIXED_SEED_DISABLED", StatusCode.PERMISSION_DENIED, app.FixedSeedDisabledError),
    _row("SPECTATORS_NOT_ALLOWED", StatusCode.PERMISSION_DENIED, app.SpectatorsNotAllowedError),
    _row("FIELD_INVALID", StatusCode.INVALID_ARGUMENT, app.FieldInvalidError),
    _row("RULE_SET_INVALID", StatusCode.INVALID_ARGUMENT, RuleSetError),
    _row("TILE_MALFORMED", StatusCode.INVALID_ARGUMENT, own.TileMalformedError),
    _row("MOVE_MALFORMED", StatusCode.INVALID_ARGUMENT, own.MoveMalformedError),
    _row("REQUEST_TOO_LARGE", StatusCode.RESOURCE_EXHAUSTED, own.RequestTooLargeError),
    _row("STORE_UNAVAILABLE", StatusCode.UNAVAILABLE, StoreUnavailableError),
    _row("SHUTTING_DOWN", StatusCode.UNAVAILABLE, app.ShuttingDownError),
    _row("DEADLINE_EXCEEDED", StatusCode.DEADLINE_EXCEEDED, own.DeadlineExceededError),
    _row("RATE_LIMITED", StatusCode.RESOURCE_EXHAUSTED, own.RateLimitedError),
    _row("OVERLOADED", StatusCode.UNAVAILABLE, own.OverloadedError),
    _row("READER_TOO_SLOW", StatusCode.RESOURCE_EXHAUSTED, app.ReaderTooSlowError),
    _row("TOO_MANY_WATCHERS", StatusCode.RESOURCE_EXHAUSTED, app.TooManyWatchersError),
    _row("UNIMPLEMENTED", StatusCode.UNIMPLEMENTED, own.MethodNotServedError),
    INTERNAL,
)
"""One row for each reason of the contract."""

_ROWS = {source: row for row in ERROR_TABLE for source in row.sources}


def row_of(error: Exception) -> ErrorRow:
    """Return the row of an exception: that of its nearest class, ``INTERNAL`` if there is none."""
    kind = _kind(error)
    for ancestor in type(error).__mro__:
        row = _ROWS.get(Source(ancestor, kind)) or _ROWS.get(Source(ancestor))
        if row is not None:
            return row
    return INTERNAL


def _kind(error: Exception) -> str:
    match error:
        case IllegalMoveError():
            return error.refusal.reason.value
        case DealError():
            return error.code
        case _:
            return ""
