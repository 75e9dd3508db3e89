"""Keeps the latest errors of each game, for operators who ask. Knows how calls end."""

from __future__ import annotations

import re
from typing import Final

from mextrain_service.application.operator_ports import RecentError
from mextrain_service.application.ports import WallClock
from mextrain_service.transport.interceptors.call import Call
from mextrain_service.transport.interceptors.interceptor import Handle, Interceptor, Method
from mextrain_service.transport.interceptors.outcome import outcome_of
from mextrain_service.transport.interceptors.request_id import call_id
from mextrain_service.transport.recent_errors import KeptErrors

_GAME_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


class RecentErrorsInterceptor(Interceptor):
    """Notes calls that fail and name a game."""

    def __init__(self, errors: KeptErrors, clock: WallClock) -> None:
        self._errors = errors
        self._clock = clock

    def around(self, method: Method, inner: Handle) -> Handle:
        """Note each call that fails, unless its caller gave it up."""
        del method

        async def handle(call: Call) -> None:
            try:
                await inner(call)
            except Exception as error:
                self._note(call, error)
                raise

        return handle

    def _note(self, call: Call, error: Exception) -> None:
        game_id = str(getattr(call.request, "game_id", ""))
        if _GAME_ID.fullmatch(game_id):
            reason = outcome_of(error, call).reason
            failed = RecentError(self._clock.now_ms(), call.method, reason, call_id.get())
            self._errors.note(game_id, failed)
