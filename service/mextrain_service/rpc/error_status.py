"""Turns an exception into what the caller gets: a ``google.rpc.Status`` with reason and facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from google.protobuf import any_pb2
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import code_pb2, error_details_pb2
from google.rpc.status_pb2 import Status

from mextrain_engine import DealError, IllegalMoveError, Reason, RuleSetError
from mextrain_service.application import refused
from mextrain_service.application.ports import (
    DamagedGameError,
    GameNotFoundError,
    StoreUnavailableError,
)
from mextrain_service.application.refused import (
    INTERNAL,
    ErrorKind,
    Fact,
    InvalidRequestError,
    Refused,
    StaleVersionError,
)
from mextrain_service.rpc.messages.views import view_message

PREFIX: Final = "ERROR_REASON_"
"""The prefix of each reason in the contract, and nowhere else."""

DOMAIN: Final = "mextrain"
"""The domain of the reasons."""

MAX_STATUS_BYTES: Final = 4_500
"""A status is sent as trailing metadata; clients accept 8 KB of it, and Base64 makes it longer."""

MAX_MESSAGE_CHARACTERS: Final = 400
"""The message is sent twice; the facts have what does not fit into it."""

MAX_VIOLATIONS: Final = 20
"""Violations that are listed; the others show when these are corrected."""

_REFUSED_MOVES: Final = {
    reason.value: ErrorKind(reason.value, "FAILED_PRECONDITION", "") for reason in Reason
}

CODE_OF_REASON: Final[Mapping[str, str]] = {
    kind.reason: kind.code for kind in (*_REFUSED_MOVES.values(), *refused.ERROR_KINDS)
}
"""The canonical code of each reason of the contract."""


def kind_of(error: Exception) -> ErrorKind:
    """Return the row of the error table for an exception; ``INTERNAL`` if it is unexpected."""
    match error:
        case Refused():
            return error.kind
        case IllegalMoveError():
            return _REFUSED_MOVES[error.refusal.reason.value]
        case DealError(code="GAME_FINISHED"):
            return refused.GAME_FINISHED
        case RuleSetError():
            return refused.RULE_SET_INVALID
        case GameNotFoundError():
            return refused.GAME_NOT_FOUND
        case DamagedGameError():
            return refused.GAME_DAMAGED
        case StoreUnavailableError():
            return refused.STORE_UNAVAILABLE
        case _:
            return INTERNAL


def status_of(error: Exception, call_id: str) -> Status:
    """Return the status that the caller gets.

    Args:
        error: any exception that a call ended with.
        call_id: the ID of this call in the service's log.
    """
    kind = kind_of(error)
    facts = {"request_id": call_id} if kind is INTERNAL else _facts(error)
    status = Status(code=code_pb2.Code.Value(kind.code), message=_shortened(_message(error, kind)))
    metadata = {name: _text(fact) for name, fact in facts.items()}
    _attach(
        status, error_details_pb2.ErrorInfo(reason=kind.reason, domain=DOMAIN, metadata=metadata)
    )
    retry_after_s = facts.get("retry_after_s")
    if isinstance(retry_after_s, (int, float)):
        delay = Duration()
        delay.FromMilliseconds(round(retry_after_s * 1000))
        _attach(status, error_details_pb2.RetryInfo(retry_delay=delay))
    for detail in _details(error):
        _attach(status, detail)
    return status


def _attach(status: Status, detail: Message) -> None:
    """Add a detail, or leave it out if the status would not fit into metadata any more."""
    packed = any_pb2.Any()
    packed.Pack(detail)
    if status.ByteSize() + packed.ByteSize() <= MAX_STATUS_BYTES:
        status.details.append(packed)


def _message(error: Exception, kind: ErrorKind) -> str:
    """Return the message for people; the text of a fault or of the store is only for the log."""
    match error:
        case IllegalMoveError():
            return error.refusal.message
        case Refused() | RuleSetError():
            return str(error)
        case _:
            return kind.message


def _shortened(text: str) -> str:
    if len(text) <= MAX_MESSAGE_CHARACTERS:
        return text
    return text[: MAX_MESSAGE_CHARACTERS - 3] + "..."


def _facts(error: Exception) -> Mapping[str, Fact]:
    """Return the facts of the message."""
    match error:
        case Refused():
            return error.facts
        case IllegalMoveError():
            return error.refusal.facts
        case RuleSetError():
            codes = dict.fromkeys(problem.code for problem in error.problems)
            return {"problems": ",".join(codes)}
        case GameNotFoundError():
            return {"game_id": str(error.args[0])}
        case StoreUnavailableError():
            return {"retry_after_s": error.retry_after_s}
        case _:
            return {}


def _text(fact: Fact) -> str:
    return f"{fact:g}" if isinstance(fact, float) else str(fact)


def _details(error: Exception) -> Iterator[Message]:
    """Yield what goes beside reason and facts: what is wrong, or how things stand."""
    match error:
        case InvalidRequestError():
            yield _bad_request(
                (each.field, each.code, each.description) for each in error.violations
            )
        case RuleSetError():
            yield _bad_request(
                (each.options[0] if each.options else "", each.code, each.message)
                for each in error.problems
            )
        case StaleVersionError(table=table) if table is not None:
            yield view_message(table)


def _bad_request(violations: Iterator[tuple[str, str, str]]) -> error_details_pb2.BadRequest:
    return error_details_pb2.BadRequest(
        field_violations=[
            error_details_pb2.BadRequest.FieldViolation(
                field=field, reason=code, description=description
            )
            for field, code, description in islice(violations, MAX_VIOLATIONS)
        ]
    )
