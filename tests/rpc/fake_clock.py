"""A clock that tests move."""

from __future__ import annotations

from mextrain_service.application.model import GameId
from mextrain_service.application.outages import Moment


class FakeClock:
    """A clock that stands where a test puts it; all time counts by it."""

    def __init__(self, now_ms: int = 1_796_000_000_000) -> None:
        self._now_ms = now_ms

    def now_ms(self) -> int:
        return self._now_ms

    def moment(self, _game_id: GameId) -> Moment:
        return Moment(self.now_ms())

    def advance(self, seconds: float) -> None:
        self._now_ms += round(seconds * 1000)
