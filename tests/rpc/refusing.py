"""What a call is refused with, read as any client would read it."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from google.rpc import error_details_pb2
from google.rpc.status_pb2 import Status
from grpc import aio
from mextrain.v1.view_pb2 import View


@dataclass(frozen=True, slots=True)
class Refused:
    """An error as it came over the wire.

    Attributes:
        code: the status code's name.
        reason: the stable reason.
        facts: the facts of it.
        message: the text for people.
        violations: field and code of each violation.
        retry_after_s: when to come back, in seconds; None for never.
        view: the table that came with it, if one did.
    """

    code: str
    reason: str
    facts: Mapping[str, str]
    message: str
    violations: tuple[tuple[str, str], ...]
    retry_after_s: float | None
    view: View | None


async def refusal_of(call: Awaitable[object]) -> Refused:
    """Return why a call is refused; fail if it is not."""
    with pytest.raises(aio.AioRpcError) as caught:
        await call
    return read(caught.value)


def read(error: aio.AioRpcError) -> Refused:
    """Return what an error says, and check what holds for every error."""
    status = Status.FromString(_details(error))
    assert status.message == error.details()
    assert status.code == error.code().value[0]
    info, bad, retry = (
        error_details_pb2.ErrorInfo(),
        error_details_pb2.BadRequest(),
        error_details_pb2.RetryInfo(),
    )
    view: View | None = View()
    found = {
        type(kind)
        for detail in status.details
        for kind in (info, bad, retry, view)
        if detail.Unpack(kind)
    }
    assert info.domain == "mextrain"
    return Refused(
        code=error.code().name,
        reason=info.reason,
        facts=dict(info.metadata),
        message=status.message,
        violations=tuple((each.field, each.reason) for each in bad.field_violations),
        retry_after_s=retry.retry_delay.ToTimedelta().total_seconds()
        if type(retry) in found
        else None,
        view=view if View in found else None,
    )


def _details(error: aio.AioRpcError) -> bytes:
    metadata: Any = error.trailing_metadata()
    sent = [value for key, value in metadata if key == "grpc-status-details-bin"]
    assert len(sent) == 1, "an error carries exactly one status"
    return bytes(sent[0])
