"""What logs and traces may say of a call."""

from __future__ import annotations

import re

from mextrain_service.application.callers import (
    Caller,
    OperatorCaller,
    PlatformCaller,
    PlayerCaller,
    SeatCaller,
)
from mextrain_service.rpc.call import Call
from mextrain_service.rpc.outcome import Outcome

_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")


def log_facts(call: Call, outcome: Outcome, seconds: float) -> dict[str, object]:
    """Return what the line of a call says: what was asked by whom, how it ended, how long it took.

    Args:
        call: the call.
        outcome: how it ended.
        seconds: how long it took.
    """
    facts: dict[str, object] = {"method": call.method, "code": outcome.code}
    if outcome.reason:
        facts["reason"] = outcome.reason
    facts["ms"] = round(seconds * 1_000, 2)
    facts |= caller_facts(call.caller)
    facts |= message_facts(call)
    facts["call_id"] = call.id
    return facts


def caller_facts(caller: Caller) -> dict[str, object]:
    """Return who calls, as far as it may be told."""
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


def message_facts(call: Call) -> dict[str, object]:
    """Return the game and its version, where the messages say them, and the request's id."""
    request, response = call.request, call.response
    game = getattr(response, "game", None)
    game_id = getattr(request, "game_id", "") or getattr(game, "game_id", "")
    request_id = getattr(request, "request_id", "")
    facts: dict[str, object] = {}
    if isinstance(game_id, str) and _ID.fullmatch(game_id):
        facts["game_id"] = game_id
    for message in (response, getattr(response, "view", None), getattr(game, "view", None)):
        version = getattr(message, "version", None)
        if isinstance(version, int):
            facts["version"] = version
            break
    if isinstance(request_id, str) and _ID.fullmatch(request_id):
        facts["request_id"] = request_id
    return facts
