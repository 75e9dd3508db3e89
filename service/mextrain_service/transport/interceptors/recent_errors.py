"""Keeps the latest errors of each game, for operators who ask. Knows how calls end."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from mextrain_service.application.operator_ports import RecentError
from mextrain_service.application.ports import Clock
from mextrain_service.transport.interceptors.call import Call
from mextrain_service.transport.interceptors.outcome import outcome_of
from mextrain_service.transport.interceptors.request_id import call_id
from mextrain_service.transport.interceptors.wrapping import WrappingInterceptor
from mextrain_service.transport.recent_errors import KeptErrors

_GAME_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


class RecentErrorsInterceptor(WrappingInterceptor):
    """Notes calls that fail and name a game."""

    def __init__(self, errors: KeptErrors, clock: Clock) -> None:
        super().__init__()
        self._errors = errors
        self._clock = clock

    @asynccontextmanager
    async def around(self, call: Call) -> AsyncIterator[None]:
        """Note the call if it fails, unless its caller gave it up."""
        try:
            yield
        except Exception as error:
            game_id = str(getattr(call.request, "game_id", ""))
            if _GAME_ID.fullmatch(game_id):
                outcome = outcome_of(error, call)
                failed = RecentError(
                    self._clock.now_ms(), call.method, outcome.reason, call_id.get()
                )
                self._errors.note(game_id, failed)
            raise
