"""Writes one line per call: what was asked by whom, how it ended, how long it took.

Knows ids, versions and reasons; never a hand, a boneyard, a tile or a token: nothing is copied
from a message but the few fields that are named here.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import perf_counter
from typing import Any

import structlog

from mextrain_service.application.callers import (
    Caller,
    OperatorCaller,
    PlatformCaller,
    PlayerCaller,
    SeatCaller,
)
from mextrain_service.transport.interceptors.call import Call
from mextrain_service.transport.interceptors.outcome import OK, Outcome, outcome_of
from mextrain_service.transport.interceptors.request_id import call_id
from mextrain_service.transport.interceptors.wrapping import WrappingInterceptor

_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")


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
                **_caller_facts(self._caller()),
                **_message_facts(call),
                "call_id": call_id.get(),
            }
            self._write(outcome, facts)

    def _write(self, outcome: Outcome, facts: dict[str, object]) -> None:
        if outcome.code in ("INTERNAL", "UNKNOWN"):  # the cause is in a line of its own
            self._log.error("call", **facts)
        else:
            self._log.info("call", **facts)


def _caller_facts(caller: Caller | None) -> dict[str, object]:
    match caller:
        case PlatformCaller(platform_id):
            return {"platform_id": platform_id}
        case SeatCaller(seat=seat):
            return {"seat": seat}
        case PlayerCaller(platform_id):
            return {"platform_id": platform_id, "player": True}
        case OperatorCaller(operator):
            return {"operator": operator}
        case _:
            return {}


def _message_facts(call: Call) -> dict[str, object]:
    """Return the game and its version, where the messages say them, and the request's id."""
    request, response = call.request, call.response
    game = getattr(response, "game", None)
    game_id = getattr(request, "game_id", "") or getattr(game, "game_id", "")
    request_id = getattr(request, "request_id", "")
    version = _version(response, getattr(response, "view", None), getattr(game, "view", None))
    facts: dict[str, object] = {}
    if _is_id(game_id):
        facts["game_id"] = game_id
    if version is not None:
        facts["version"] = version
    if _is_id(request_id):
        facts["request_id"] = request_id
    return facts


def _is_id(text: Any) -> bool:
    return isinstance(text, str) and _ID.fullmatch(text) is not None


def _version(*messages: Any) -> int | None:
    """Return the version that the first of these messages which has one says."""
    for message in messages:
        version = getattr(message, "version", None)
        if isinstance(version, int):
            return version
    return None
