"""An exception as the caller is told of it: a ``google.rpc.Status`` with reason and facts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from google.protobuf import any_pb2
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from google.rpc.status_pb2 import Status

from mextrain_engine import IllegalMoveError, RuleSetError
from mextrain_service.application import errors as app
from mextrain_service.application.ports import (
    DamagedGameError,
    GameNotFoundError,
    StoreUnavailableError,
)
from mextrain_service.auth.errors import CredentialInvalidError, TokenExpiredError
from mextrain_service.rpc import errors as own
from mextrain_service.rpc.error_table import INTERNAL, row_of
from mextrain_service.rpc.messages.views import view_message

DOMAIN = "mextrain"
"""Whose reasons they are."""

MAX_STATUS_BYTES = 4_500
"""A status travels in trailing metadata, of which clients take 8 KB, and Base64 makes it longer."""

MAX_MESSAGE_CHARACTERS = 400
"""The message travels twice; what does not fit into it is among the facts."""

MAX_VIOLATIONS = 20
"""Violations that are listed; the next ones show when these are mended."""

INTERNAL_MESSAGE = "the service has a fault; its log has the cause under the request id"
"""What a caller is told of a fault: never more."""

_Facts = Mapping[str, str]


def status_of(error: Exception, call_id: str) -> Status:
    """Return what the caller is told.

    Args:
        error: any exception that a call ended with.
        call_id: what the service's log calls this call.
    """
    row = row_of(error)
    faulty = row is INTERNAL
    message = INTERNAL_MESSAGE if faulty else _shortened(_message(error))
    status = Status(code=row.code.value[0], message=message)
    facts = {"request_id": call_id} if faulty else _facts(error)
    _attach(status, error_details_pb2.ErrorInfo(reason=row.reason, domain=DOMAIN, metadata=facts))
    for detail in _details(error):
        _attach(status, detail)
    return status


def _attach(status: Status, detail: Message) -> None:
    """Add a detail, or leave it out if the status would not fit into metadata any more."""
    packed = any_pb2.Any()
    packed.Pack(detail)
    if status.ByteSize() + packed.ByteSize() <= MAX_STATUS_BYTES:
        status.details.append(packed)


def _message(error: Exception) -> str:
    match error:
        case IllegalMoveError(refusal=refusal):
            return refusal.message
        case GameNotFoundError():
            return "there is no such game"
        case DamagedGameError():
            return "what is stored of this game is damaged; it cannot be changed any more"
        case StoreUnavailableError():
            return "the store does not answer; repeat the call under the same request_id"
        case _:
            return str(error)


def _shortened(text: str) -> str:
    if len(text) <= MAX_MESSAGE_CHARACTERS:
        return text
    return text[: MAX_MESSAGE_CHARACTERS - 3] + "..."


def _facts(error: Exception) -> _Facts:
    """Return the facts that the message speaks of, as text."""
    for ancestor in type(error).__mro__:
        found = _FACTS.get(ancestor)
        if found is not None:
            return found(error)
    return {}


def _details(error: Exception) -> Iterator[Message]:
    """Yield what goes beside the reason: when to come back, what is wrong, how things stand."""
    match error:
        case (
            StoreUnavailableError()
            | app.ContentionError()
            | app.ShuttingDownError()
            | app.ReaderTooSlowError()
            | app.TooManyWatchersError()
            | own.RateLimitedError()
            | own.OverloadedError()
        ):
            delay = Duration()
            delay.FromMilliseconds(round(error.retry_after_s * 1000))
            yield error_details_pb2.RetryInfo(retry_delay=delay)
        case app.FieldInvalidError():
            yield _bad_request(
                (each.field, each.code, each.description) for each in error.violations
            )
        case RuleSetError():
            yield _bad_request(
                (each.options[0] if each.options else "", each.code, each.message)
                for each in error.problems
            )
        case app.StaleVersionError():
            yield view_message(error.table)


def _bad_request(violations: Iterator[tuple[str, str, str]]) -> error_details_pb2.BadRequest:
    return error_details_pb2.BadRequest(
        field_violations=[
            error_details_pb2.BadRequest.FieldViolation(
                field=field, reason=code, description=description
            )
            for field, code, description in islice(violations, MAX_VIOLATIONS)
        ]
    )


def _retry_after(error: Any) -> _Facts:
    return {"retry_after_s": f"{error.retry_after_s:g}"}


_FACTS: Mapping[type, Callable[[Any], _Facts]] = {
    IllegalMoveError: lambda error: error.refusal.facts,
    RuleSetError: lambda error: {
        "problems": ",".join(dict.fromkeys(problem.code for problem in error.problems))
    },
    GameNotFoundError: lambda error: {"game_id": str(error.args[0])},
    StoreUnavailableError: _retry_after,
    CredentialInvalidError: lambda error: {"cause": error.cause},
    TokenExpiredError: lambda error: {"expire_time": _time(error.expired_ms)},
    app.FieldInvalidError: lambda error: {"field": error.violations[0].field},
    app.StaleVersionError: lambda error: {
        "expected_version": str(error.expected),
        "version": str(error.current),
    },
    app.RequestIdReusedError: lambda error: {"request_id": error.request_id},
    app.RoundInProgressError: lambda error: {"round": str(error.number)},
    app.SeatOpenError: lambda error: {"seat": str(error.seat)},
    app.SeatTakenError: lambda error: {"seat": str(error.seat)},
    app.SeatResignedError: lambda error: {"seat": str(error.seat)},
    app.SeatNotHeldError: lambda error: {"seat": str(error.seat)},
    app.PlayerSeatedError: lambda error: {"seat": str(error.seat)},
    app.RoundNotNextError: lambda error: {
        "round": str(error.number),
        "next": str(error.next_number),
    },
    app.EntropyAddedError: lambda error: {"round": str(error.number)},
    app.SeatNotYoursError: lambda error: {
        "seat": str(error.seat),
        "your_seat": str(error.your_seat),
    },
    app.ContentionError: lambda error: {"attempts": str(error.attempts)},
    app.PresetNotFoundError: lambda error: {"preset": error.preset, "nearest": error.nearest},
    app.CallerNotAllowedError: lambda error: {"action": error.action, "needed": error.needed},
    own.TileMalformedError: lambda error: {"field": error.field, "tile": error.text},
    own.MoveMalformedError: lambda error: {
        "field": error.field,
        "text": error.text,
        "expected": error.expected,
    },
    own.RequestTooLargeError: lambda error: {
        "size_bytes": str(error.size),
        "limit_bytes": str(error.limit),
    },
    own.DeadlineExceededError: lambda error: {"limit_s": f"{error.limit_s:g}"},
    app.ShuttingDownError: _retry_after,
    app.TooManyWatchersError: _retry_after,
    app.ReaderTooSlowError: lambda error: {"resume": error.resume, **_retry_after(error)},
    app.HistoryChangedError: lambda error: {"version": str(error.version)},
    app.HistoryGoneError: lambda error: {"version": str(error.version)},
    own.RateLimitedError: lambda error: {"scope": error.scope, **_retry_after(error)},
    own.OverloadedError: lambda error: {"limit": str(error.limit), **_retry_after(error)},
    own.MethodNotServedError: lambda error: {"method": error.method},
}
"""The facts of each exception that has any."""


def _time(milliseconds: int) -> str:
    moment = datetime.fromtimestamp(milliseconds / 1000, tz=UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
