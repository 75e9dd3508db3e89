"""Turns every exception into a status with reason and facts, and says no more than that.

Knows the error table's answers; a fault's cause goes to the log and nowhere else.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from typing import NoReturn

import grpc
import structlog
from google.rpc.error_details_pb2 import RetryInfo
from google.rpc.status_pb2 import Status
from grpc import aio

from mextrain_service.transport.error_status import status_of
from mextrain_service.transport.error_table import INTERNAL, row_of
from mextrain_service.transport.interceptors.call import Call, Context
from mextrain_service.transport.interceptors.interceptor import Handle, Interceptor, Method
from mextrain_service.transport.interceptors.request_id import HEADER

DETAILS_KEY = "grpc-status-details-bin"
"""Where gRPC carries a ``google.rpc.Status``."""

_LAST_WORD_S = 5.0
"""How long the status of a call may take to go out, in seconds."""

RETRY_AFTER_KEY = "retry-after"
"""Where HTTP clients look for when to come back, in whole seconds; the front passes it on."""

_CODES = {code.value[0]: code for code in grpc.StatusCode}


class ErrorsInterceptor(Interceptor):
    """Answers for everything that goes wrong further in."""

    def __init__(self) -> None:
        self._log = structlog.get_logger("mextrain.errors")

    def around(self, method: Method, inner: Handle) -> Handle:
        """End each call with a status when an exception comes out of it."""
        del method

        async def handle(call: Call) -> None:
            try:
                await inner(call)
            except aio.AbortError:
                raise
            except Exception as error:  # noqa: BLE001 - this is where all of them end
                await self._end(call, error)

        return handle

    async def _end(self, call: Call, error: Exception) -> NoReturn:
        call_id = _call_id(call.context)
        if row_of(error) is INTERNAL:
            self._log.error("fault", method=call.method, call_id=call_id, exc_info=error)
        await _abort(call.context, status_of(error, call_id))


async def _abort(context: Context, status: Status) -> NoReturn:
    """End a call; what was to go with its answer goes with its error.

    A peer that does not take what was sent before does not take this either. It is waited for a
    little, then the call is dropped.
    """
    details = (DETAILS_KEY, status.SerializeToString())
    metadata = (*(context.trailing_metadata() or ()), details, *_retry_after(status))
    try:
        async with asyncio.timeout(_LAST_WORD_S):
            await context.abort(_CODES[status.code], status.message, metadata)
    except TimeoutError:
        raise asyncio.CancelledError from None
    raise AssertionError("abort returned")


def _retry_after(status: Status) -> Iterator[tuple[str, str]]:
    """Yield when to come back, if the status says so."""
    retry = RetryInfo()
    if any(detail.Unpack(retry) for detail in status.details):
        seconds = retry.retry_delay.ToTimedelta().total_seconds()
        yield RETRY_AFTER_KEY, str(max(1, math.ceil(seconds)))


def _call_id(context: Context) -> str:
    for key, value in context.trailing_metadata() or ():
        if key == HEADER:
            return str(value)
    return ""
