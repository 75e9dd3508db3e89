"""What time it is: by the machine, by the store, and for a game."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from mextrain_service.application.outages import Moment

if TYPE_CHECKING:
    from collections.abc import Callable

    from mextrain_service.application.model import GameId
    from mextrain_service.application.ports import WallClock
    from mextrain_service.storage.outages import RedisOutages

_MS: Final = 1_000

_DRIFT_MS_PER_S: Final = 0.5
"""How much two clocks may move apart that are both kept right; NTP moves none faster."""

TRUSTED_S: Final = 60.0
"""How long a comparison of clocks is good for, in seconds."""


class SystemClock:
    """Wall-clock time. May step when the machine's clock is set; never use it for durations."""

    def now_ms(self) -> int:
        """Return milliseconds since the epoch."""
        return time.time_ns() // 1_000_000


class StoreClock:
    """The store's time: as it was when the store was asked, and what has passed since.

    The machine's own clock has no part in it, but before the first comparison.
    """

    def __init__(self, wall: WallClock, elapsed_s: Callable[[], float] = time.monotonic) -> None:
        """Take the machine's clock, and what measures durations, in seconds."""
        self._wall = wall
        self._elapsed_s = elapsed_s
        self._bounds: tuple[float, float] | None = None
        self._ahead_ms = 0.0
        self._compared_s = 0.0

    def now_ms(self) -> int:
        """Return milliseconds since the epoch."""
        if self._bounds is None:
            return self._wall.now_ms()
        return int(_MS * self._elapsed_s() + self._ahead_ms)

    def learn(self, sent_s: float, answered_s: float, store_ms: float) -> None:
        """Take over what the store said, at some moment between question and answer.

        As long as that agrees with what was known, it makes it more exact, so that one late answer
        does no harm.

        Args:
            sent_s: when it was asked, by what measures durations.
            answered_s: when the answer was there.
            store_ms: what it said, in milliseconds since the epoch.
        """
        low, high = store_ms - _MS * answered_s, store_ms - _MS * sent_s
        if self._bounds is not None:
            drift_ms = _DRIFT_MS_PER_S * (answered_s - self._compared_s)
            known_low, known_high = self._bounds[0] - drift_ms, self._bounds[1] + drift_ms
            if max(low, known_low) <= min(high, known_high):
                low, high = max(low, known_low), min(high, known_high)
        self._bounds, self._compared_s = (low, high), answered_s
        self._ahead_ms = (low + high) / 2

    @property
    def known(self) -> bool:
        """Whether the store's time was ever learnt."""
        return self._bounds is not None

    def age_s(self) -> float:
        """Return how long ago it was learnt, in seconds; infinity if never."""
        return self._elapsed_s() - self._compared_s if self.known else float("inf")

    def trusted(self) -> bool:
        """Tell whether it was learnt lately enough to act by."""
        return self.age_s() < TRUSTED_S

    def skew_s(self) -> float:
        """Return how far the machine's clock is ahead, in seconds; not a number while unknown."""
        if not self.known:
            return float("nan")
        return (self._wall.now_ms() - self.now_ms()) / _MS


class GameClock:
    """The application's ``Clock``."""

    def __init__(self, time: WallClock, outages: RedisOutages) -> None:
        """Take the store's time, and what knows when games could not be played."""
        self._time = time
        self._outages = outages

    def now_ms(self) -> int:
        """Return milliseconds since the epoch; see ``Clock``."""
        return self._time.now_ms()

    def moment(self, game_id: GameId) -> Moment:
        """Return what time it is for a game; see ``Clock``."""
        now_ms = self._time.now_ms()
        return Moment(now_ms, self._outages.of(game_id, now_ms))
