"""What the client raises: one error with the reason, the sentence and the facts of the service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

import grpc
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

_DETAILS_KEY = "grpc-status-details-bin"

_REPEATABLE_CODES = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        # Nobody here cancels a call: a server of gRPC ends those so that reach it as it stops.
        grpc.StatusCode.CANCELLED,
    }
)
"""What a call may end with and yet be made again, also if the service does not say when."""


_CODE_NAMES = {int(code.value[0]): code.name for code in grpc.StatusCode}


class MextrainError(Exception):
    """A call failed.

    Attributes:
        reason: one of ``ErrorReason`` without its prefix, like ``NOT_YOUR_TURN``; the name of the
            gRPC status when the service did not get to give one, like ``UNAVAILABLE``.
        message: one sentence in English that a player can be shown.
        facts: the facts in the sentence, as text.
        problems: what is wrong with which field, where the request was at fault.
        retry_after: seconds after which to repeat the call; None when repeating is no help.
    """

    def __init__(
        self,
        reason: str,
        message: str,
        facts: Mapping[str, str] | None = None,
        retry_after: float | None = None,
        problems: tuple[tuple[str, str], ...] = (),
    ) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message
        self.facts = dict(facts or {})
        self.retry_after = retry_after
        self.problems = problems


def from_rpc_error(error: grpc.RpcError, endpoint: str) -> MextrainError:
    """Return what a failed call says, as one error.

    Args:
        error: what the stub raised.
        endpoint: where the call went, for the message when nothing answered.
    """
    call = cast("grpc.Call", error)  # what a stub raises is both, which its type cannot say
    code = call.code()
    details = _details(call)
    if details.retry_after is None and code in _REPEATABLE_CODES:
        details.retry_after = 0.0
    if details.info is None:
        return MextrainError(
            code.name,
            _words(code, call.details() or "", endpoint),
            retry_after=details.retry_after,
        )
    return MextrainError(
        details.info.reason,
        details.message or call.details() or details.info.reason,
        facts=details.info.metadata,
        retry_after=details.retry_after,
        problems=details.problems,
    )


def from_status(status: Status) -> MextrainError:
    """Return what a status says that came as a message, as one error."""
    details = _read(status)
    return MextrainError(
        details.info.reason if details.info is not None else _CODE_NAMES[status.code],
        status.message,
        facts=details.info.metadata if details.info is not None else None,
        retry_after=details.retry_after,
        problems=details.problems,
    )


@dataclass(slots=True)
class _Details:
    message: str = ""
    info: ErrorInfo | None = None
    retry_after: float | None = None
    problems: tuple[tuple[str, str], ...] = field(default=())


def _details(call: grpc.Call) -> _Details:
    """Take apart the status that a call carries in its trailers, so far as it can be read."""
    for key, value in call.trailing_metadata() or ():
        if key == _DETAILS_KEY:
            status = Status()
            try:
                status.ParseFromString(value if isinstance(value, bytes) else value.encode())
            except DecodeError:
                break
            return _read(status)
    return _Details()


def _read(status: Status) -> _Details:
    found = _Details(status.message)
    for packed in status.details:
        info, retry, bad = ErrorInfo(), RetryInfo(), BadRequest()
        if packed.Unpack(info):
            found.info = info
        elif packed.Unpack(retry):
            found.retry_after = retry.retry_delay.seconds + retry.retry_delay.nanos / 1e9
        elif packed.Unpack(bad):
            found.problems = tuple((v.field, v.description) for v in bad.field_violations)
    return found


def _words(code: grpc.StatusCode, details: str, endpoint: str) -> str:
    match code:
        case grpc.StatusCode.UNAVAILABLE:
            return f"Nothing answers at {endpoint}."
        case grpc.StatusCode.DEADLINE_EXCEEDED:
            return f"{endpoint} did not answer in time."
        case _:
            return details or f"The call failed with {code.name}."
