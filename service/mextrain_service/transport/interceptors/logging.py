"""Writes one line per call: what was asked by whom, how it ended, how long it took.

Knows ids, versions and reasons; never a hand, a boneyard, a tile or a token: nothing is copied
from a message but the few fields that ``call_facts`` names.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import structlog

from mextrain_service.application.callers import Caller
from mextrain_service.transport.interceptors.call import Call
from mextrain_service.transport.interceptors.call_facts import caller_facts, message_facts
from mextrain_service.transport.interceptors.interceptor import Handle, Interceptor, Method
from mextrain_service.transport.interceptors.outcome import OK, Outcome, outcome_of
from mextrain_service.transport.interceptors.request_id import call_id


class LoggingInterceptor(Interceptor):
    """The canonical log line."""

    def __init__(self, caller: Callable[[], Caller | None]) -> None:
        """Take what knows the caller of the call that is being handled."""
        self._caller = caller
        self._log = structlog.get_logger("mextrain.calls")

    def around(self, method: Method, inner: Handle) -> Handle:
        """Log each call when it has ended."""
        del method

        async def handle(call: Call) -> None:
            started = perf_counter()
            outcome = OK
            try:
                await inner(call)
            except BaseException as raised:
                outcome = outcome_of(raised, call)
                raise
            finally:
                self._write(call, outcome, perf_counter() - started)

        return handle

    def _write(self, call: Call, outcome: Outcome, seconds: float) -> None:
        facts = {
            "method": call.method,
            "code": outcome.code,
            **({"reason": outcome.reason} if outcome.reason else {}),
            "ms": round(seconds * 1_000, 2),
            **caller_facts(self._caller()),
            **message_facts(call),
            "call_id": call_id.get(),
        }
        if outcome.code in ("INTERNAL", "UNKNOWN"):  # the cause is in a line of its own
            self._log.error("call", **facts)
        else:
            self._log.info("call", **facts)
