"""An event loop whose time passes at once when all that runs in it waits."""

from __future__ import annotations

import asyncio
import functools
import selectors
from collections.abc import Callable, Coroutine
from typing import ParamSpec

_Given = ParamSpec("_Given")


class _Loop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self.now_s = 0.0
        super().__init__(_Selector(self))

    def time(self) -> float:
        return self.now_s


class _Selector(selectors.DefaultSelector):
    def __init__(self, loop: _Loop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready:
            assert timeout is not None, "all wait, and no time is set"
            self._loop.now_s += timeout
        return ready


def in_made_up_time(
    test: Callable[_Given, Coroutine[object, object, None]],
) -> Callable[_Given, None]:
    """Run a test that only time and its own tasks act on: its sleeps are over at once, in order."""

    @functools.wraps(test)
    def run(*given: _Given.args, **named: _Given.kwargs) -> None:
        with asyncio.Runner(loop_factory=_Loop) as runner:
            runner.run(test(*given, **named))

    return run
