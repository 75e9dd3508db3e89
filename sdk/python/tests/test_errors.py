"""What a call fails with: a reason, a sentence, facts, and whether to make it again."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from mextrain_client import MextrainClient, MextrainError, from_rpc_error, from_status


class CutOff(grpc.RpcError):
    """What a stub raises: a code, and the status of the service if it got to give one."""

    def __init__(self, code: grpc.StatusCode, status: Status | None = None) -> None:
        super().__init__()
        self._code = code
        self._status = status

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return "CANCELLED" if self._status is None else self._status.message

    def trailing_metadata(self) -> tuple[Any, ...]:
        if self._status is None:
            return ()
        return (("grpc-status-details-bin", self._status.SerializeToString()),)


@pytest.mark.parametrize(
    ("code", "retry_after"),
    [
        (grpc.StatusCode.CANCELLED, 0.0),
        (grpc.StatusCode.UNAVAILABLE, 0.0),
        (grpc.StatusCode.DEADLINE_EXCEEDED, 0.0),
        (grpc.StatusCode.UNIMPLEMENTED, None),
    ],
)
def test_call_may_be_made_again_when_it_was_cut_off_without_a_reason(
    code: grpc.StatusCode, retry_after: float | None
) -> None:
    error = from_rpc_error(CutOff(code), "here:1")

    assert retry_after == error.retry_after
    assert code.name == error.reason


def test_call_may_be_made_again_when_the_service_was_the_first_to_see_its_deadline_pass() -> None:
    said = Status(code=grpc.StatusCode.DEADLINE_EXCEEDED.value[0], message="too long")
    said.details.add().Pack(ErrorInfo(reason="DEADLINE_EXCEEDED", domain="mextrain"))

    error = from_rpc_error(CutOff(grpc.StatusCode.DEADLINE_EXCEEDED, said), "here:1")

    assert "too long" == error.message
    assert 0.0 == error.retry_after


def test_error_has_all_that_a_status_has() -> None:
    status = Status(code=grpc.StatusCode.INVALID_ARGUMENT.value[0], message="no such rule")
    status.details.add().Pack(ErrorInfo(reason="RULE_SET_INVALID", metadata={"option": "rounds"}))
    violation = BadRequest.FieldViolation(field="overrides.rounds", description="unknown")
    status.details.add().Pack(BadRequest(field_violations=[violation]))
    retry = RetryInfo()
    retry.retry_delay.FromMilliseconds(1_500)
    status.details.add().Pack(retry)

    error = from_status(status)

    assert "RULE_SET_INVALID: no such rule" == str(error)
    assert {"option": "rounds"} == error.facts
    assert (("overrides.rounds", "unknown"),) == error.problems
    assert 1.5 == error.retry_after


def test_error_has_the_name_of_the_code_when_the_status_has_no_reason() -> None:
    assert "NOT_FOUND: gone" == str(from_status(Status(code=5, message="gone")))


def test_error_says_that_nothing_answers_when_nothing_does() -> None:
    with (
        MextrainClient("127.0.0.1:1", "key", patience_s=0) as client,
        pytest.raises(MextrainError) as error,
    ):
        client.list_presets()

    assert "UNAVAILABLE" == error.value.reason
    assert "Nothing answers at 127.0.0.1:1." == error.value.message
