"""Limits to how long calls may take, and each of the steps of a stream.

``asyncio.timeout`` makes a timer each time, which takes as long as many a step.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Final, TypeVar

from mextrain_service.application.refused import DEADLINE_EXCEEDED, Refused
from mextrain_service.application.timer import Timer

_Result = TypeVar("_Result")


class TookTooLongError(TimeoutError):
    """A step was cut off by its limit; no other timeout is one of these."""


class TimeLimit:
    """Cuts off what takes too long: one step after another, with one timer for all of them."""

    def __init__(self, limit_s: float) -> None:
        """Give each step so many seconds; a loop must be running."""
        self._limit_s = limit_s
        self._timer = Timer(self._cut)
        self._task: asyncio.Task[object] | None = None
        self._was_cut = False

    async def within(self, step: Awaitable[_Result]) -> _Result:
        """Return what a step does, one at a time.

        Raises:
            TookTooLongError: it was cancelled, as its time was up.
        """
        task = asyncio.current_task()
        assert task is not None, "a coroutine runs in a task"
        cancelled_before = task.cancelling()
        self._task, self._was_cut = task, False
        self._timer.set(self._limit_s)
        try:
            return await step
        except asyncio.CancelledError:
            if self._was_cut and task.uncancel() <= cancelled_before:
                raise TookTooLongError from None
            raise
        finally:
            self._task = None

    def _cut(self) -> None:
        if self._task is not None:
            self._was_cut = True
            self._task.cancel()


_TICK_S: Final = 0.02
"""How much later than its limit a call may be ended, in seconds."""


class CallTimeLimits:
    """Ends calls that take too long: the caller's limit, or the service's if that comes first.

    A commit that is cut short may have happened; its request id tells when the call is repeated.
    """

    def __init__(self, default_s: float, longest_s: float) -> None:
        """Take the time of a call that names none, and of one that names too much, in seconds."""
        self._default_s = default_s
        self._longest_s = longest_s
        self._by_tick: dict[int, set[CallTimeLimit]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, remaining_s: float | None) -> CallTimeLimit:
        """Let this task go on for as long as it may; it has to say when it has ended.

        Args:
            remaining_s: in how many seconds the caller gives up; None if it did not say.

        Raises:
            Refused: ``DEADLINE_EXCEEDED``, the caller has given up already: nothing is begun.
        """
        limit_s = self._default_s if remaining_s is None else min(remaining_s, self._longest_s)
        if limit_s <= 0:
            raise Refused(DEADLINE_EXCEEDED, limit_s=0.0)
        loop = asyncio.get_running_loop()
        tick = int((loop.time() + limit_s) / _TICK_S) + 1
        running = self._by_tick.get(tick)
        if running is None:
            running = self._by_tick[tick] = set()
        limit = CallTimeLimit(limit_s, running)
        if self._timer is None:
            self._timer = loop.call_later(_TICK_S, self._look, loop)
        return limit

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """End the calls whose time is up; look again while there are others."""
        now = int(loop.time() / _TICK_S)
        for tick in [each for each in self._by_tick if each <= now]:
            for limit in self._by_tick.pop(tick):
                limit.cut()
        if not any(self._by_tick.values()):
            self._by_tick.clear()
        self._timer = loop.call_later(_TICK_S, self._look, loop) if self._by_tick else None


class CallTimeLimit:
    """The time limit of one call."""

    __slots__ = ("_cancelled_before", "_cut", "_limit_s", "_running", "_task")

    def __init__(self, limit_s: float, running: set[CallTimeLimit]) -> None:
        """Limit this task; ``running`` holds all limits that are over at the same moment."""
        task = asyncio.current_task()
        assert task is not None, "a coroutine runs in a task"
        self._task = task
        self._cancelled_before = task.cancelling()
        self._limit_s = limit_s
        self._cut = False
        self._running = running
        running.add(self)

    def cut(self) -> None:
        """Cancel the call: its time is up."""
        self._cut = True
        self._task.cancel()

    def raise_if_over(self) -> None:
        """Turn a cancellation by this limit into its error.

        Raises:
            Refused: ``DEADLINE_EXCEEDED``, the time is up, and nobody else cancelled the call.
        """
        if self._cut:
            self._cut = False
            if self._task.uncancel() <= self._cancelled_before:
                raise Refused(DEADLINE_EXCEEDED, limit_s=self._limit_s) from None

    def end(self) -> None:
        """Limit the call no longer."""
        self._running.discard(self)
        if self._cut:  # the cancellation was lost on its way
            self._task.uncancel()
