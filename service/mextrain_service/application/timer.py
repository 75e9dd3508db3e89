"""A time at which something is to be called, which may be put off again and again at no cost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class Timer:
    """Calls back when its time has come.

    A timer of the event loop costs more than most of what puts it off. So one is left as it is
    when the time moves later, and looks at the time when it goes off.
    """

    def __init__(self, ring: Callable[[], object]) -> None:
        """Prepare to call ``ring``; a loop must be running."""
        self._ring = ring
        self._loop = asyncio.get_running_loop()
        self._due = 0.0
        self._looks_at = 0.0  # not every loop's timers can say when they go off; uvloop's cannot
        self._timer: asyncio.Handle | None = None

    def set(self, after_s: float) -> None:
        """Ring once, in so many seconds from now, and not when it was to ring before."""
        self._due = self._loop.time() + after_s
        if self._timer is not None and self._looks_at > self._due:
            self.cancel()
        if self._timer is None:
            self._look_when_due()

    def cancel(self) -> None:
        """Do not ring."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        self._timer = None
        if self._loop.time() < self._due:
            self._look_when_due()
        else:
            self._ring()

    def _look_when_due(self) -> None:
        self._looks_at = self._due
        self._timer = self._loop.call_at(self._due, self._look)
