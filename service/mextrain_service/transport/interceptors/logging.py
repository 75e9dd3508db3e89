"""Writes one line per call: what was asked by whom, how it ended, how long it took.

Knows ids, versions and reasons; never a hand, a boneyard, a tile or a token: nothing is copied
from a message but the few fields that ``call_facts`` names.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import perf_counter

import structlog

from mextrain_service.application.callers import Caller
from mextrain_service.transport.interceptors.call import Call
from mextrain_service.transport.interceptors.call_facts import caller_facts, message_facts
from mextrain_service.transport.interceptors.outcome import OK, Outcome, outcome_of
from mextrain_service.transport.interceptors.request_id import call_id
from mextrain_service.transport.interceptors.wrapping import WrappingInterceptor


class LoggingInterceptor(WrappingInterceptor):
    """The canonical log line."""

    def __init__(self, caller: Callable[[], Caller | None]) -> None:
        """Take what knows the caller of the call that is being handled."""
        super().__init__()
        self._caller = caller
        self._log = structlog.get_logger("mextrain.calls")

    @asynccontextmanager
    async def around(self, call: Call) -> AsyncIterator[None]:
        """Log the call when it has ended."""
        started = perf_counter()
        outcome = OK
        try:
            yield
        except BaseException as raised:
            outcome = outcome_of(raised, call)
            raise
        finally:
            facts = {
                "method": call.method,
                "code": outcome.code,
                **({"reason": outcome.reason} if outcome.reason else {}),
                "ms": round((perf_counter() - started) * 1_000, 2),
                **caller_facts(self._caller()),
                **message_facts(call),
                "call_id": call_id.get(),
            }
            self._write(outcome, facts)

    def _write(self, outcome: Outcome, facts: dict[str, object]) -> None:
        if outcome.code in ("INTERNAL", "UNKNOWN"):  # the cause is in a line of its own
            self._log.error("call", **facts)
        else:
            self._log.info("call", **facts)
