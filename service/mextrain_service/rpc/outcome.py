"""How a call ended, as the logs and the metrics name it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import grpc
from grpc import aio

from mextrain_service.rpc.call import Call
from mextrain_service.rpc.error_status import kind_of


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a call ended.

    Attributes:
        code: the name of the gRPC status code, like ``FAILED_PRECONDITION``.
        reason: the stable reason of an error, like ``TILE_NOT_IN_HAND``; empty without one.
    """

    code: str
    reason: str = ""

    @property
    def is_fault(self) -> bool:
        """Whether it ended by a fault of the service, whose cause is for the log alone."""
        return self.code in ("INTERNAL", "UNKNOWN")


OK = Outcome("OK")


def outcome_of(error: BaseException, call: Call) -> Outcome:
    """Return how a call ended that raised ``error``."""
    match error:
        case asyncio.CancelledError() | GeneratorExit():
            return Outcome("CANCELLED")
        case aio.AbortError():
            return Outcome(_code_name(call.context.code()))
        case Exception():
            kind = kind_of(error)
            return Outcome(kind.code, kind.reason)
        case _:
            return Outcome("UNKNOWN")


def _code_name(code: object) -> str:
    """The context gives the code as the enum or as its number, by the way that it was set."""
    if isinstance(code, grpc.StatusCode):
        return code.name
    return _NAMES.get(code, "UNKNOWN") if isinstance(code, int) else "UNKNOWN"


_NAMES = {int(code.value[0]): code.name for code in grpc.StatusCode}
