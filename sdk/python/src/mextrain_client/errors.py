"""What the client raises: one error with a reason, a sentence and its facts."""

from __future__ import annotations

from typing import cast

import grpc
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

_REPEATABLE_CODES = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        # No caller cancels here: a gRPC server ends calls so that reach it while it stops.
        grpc.StatusCode.CANCELLED,
    }
)
"""What a call may end with and yet be made again, also if the service does not say when."""


_CODE_NAMES = {int(code.value[0]): code.name for code in grpc.StatusCode}


class MextrainError(Exception):
    """A call failed.

    Attributes:
        reason: one of ``ErrorReason`` without its prefix, like ``NOT_YOUR_TURN``; the name of the
            gRPC status where the service gave none, like ``UNAVAILABLE``.
        message: one sentence in English that a player can be shown.
        facts: the facts in the sentence, as text.
        problems: what is wrong with which field, where the request was at fault.
        retry_after: seconds after which to repeat the call; None when repeating is no help.
    """

    def __init__(self, reason: str, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(reason, message)
        self.reason = reason
        self.message = message
        self.facts: dict[str, str] = {}
        self.problems: tuple[tuple[str, str], ...] = ()
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"{self.reason}: {self.message}"


def from_rpc_error(error: grpc.RpcError, endpoint: str) -> MextrainError:
    """Return the error that a failed call amounts to.

    Args:
        error: what the stub raised.
        endpoint: where the call went, for the message when nothing answered.
    """
    call = cast("grpc.Call", error)  # what a stub raises is both, which its type cannot say
    code = call.code()
    status = _status(call)
    failure = (
        MextrainError(code.name, _words(code, call.details() or "", endpoint))
        if status is None
        else from_status(status)
    )
    if failure.retry_after is None and code in _REPEATABLE_CODES:
        failure.retry_after = 0.0
    return failure


def from_status(status: Status) -> MextrainError:
    """Return the error that a status amounts to, like the ``error`` of a channel's response."""
    failure = MextrainError(_CODE_NAMES.get(status.code, "UNKNOWN"), status.message)
    for packed in status.details:
        info, retry, bad = ErrorInfo(), RetryInfo(), BadRequest()
        if packed.Unpack(info):
            failure.reason, failure.facts = info.reason, dict(info.metadata)
        elif packed.Unpack(retry):
            failure.retry_after = retry.retry_delay.seconds + retry.retry_delay.nanos / 1e9
        elif packed.Unpack(bad):
            failure.problems = tuple((v.field, v.description) for v in bad.field_violations)
    return failure


def _status(call: grpc.Call) -> Status | None:
    """Return the status in the trailers of a call; None if there is none that can be read."""
    try:
        return rpc_status.from_call(call)
    except (DecodeError, ValueError):
        return None


def _words(code: grpc.StatusCode, details: str, endpoint: str) -> str:
    match code:
        case grpc.StatusCode.UNAVAILABLE:
            return f"Nothing answers at {endpoint}."
        case grpc.StatusCode.DEADLINE_EXCEEDED:
            return f"{endpoint} did not answer in time."
        case _:
            return details or f"The call failed with {code.name}."
