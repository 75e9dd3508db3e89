"""A limit to how long each of many steps may take. Knows time; nothing of what takes it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from mextrain_service.application.alarm import Alarm

_Result = TypeVar("_Result")


class TookTooLongError(TimeoutError):
    """A step was cut off by its limit; no other timeout is one of these."""


class TimeLimit:
    """Cuts off what takes too long: one step after another, with one timer for all of them.

    ``asyncio.timeout`` makes a timer for each, which takes as long as many a step.
    """

    def __init__(self, limit_s: float) -> None:
        """Give each step so many seconds; a loop must be running."""
        self._limit_s = limit_s
        self._alarm = Alarm(self._cut)
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
        self._alarm.set(self._limit_s)
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
