"""Times at which something recurs: put off at no cost, and apart from each other."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from itertools import pairwise
from typing import Any

import pytest
import uvloop

from mextrain_service.application.streams import OpenStreams, StreamSettings
from mextrain_service.application.timer import Timer
from tests.rpc.serving import NoMeter

_FAR_S = 60.0
_NEVER_S = 3_600.0

_Run = Callable[[Coroutine[Any, Any, None]], None]


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> _Run:
    """Run a coroutine on the event loop of a worker, or of one inside Envoy."""

    def on_the_loop(test: Coroutine[Any, Any, None]) -> None:
        async def in_time() -> None:
            async with asyncio.timeout(_FAR_S):
                await test

        with asyncio.Runner(loop_factory=request.param) as runner:
            runner.run(in_time())

    return on_the_loop


def test_alarm_that_is_put_off_rings_once_and_not_before(run: _Run) -> None:
    async def put_off() -> None:
        rang: list[float] = []
        heard = asyncio.Event()
        loop = asyncio.get_running_loop()

        def ring() -> None:
            rang.append(loop.time())
            heard.set()

        alarm = Timer(ring)
        alarm.set(0.05)
        alarm.set(0.5)
        began = loop.time()
        await heard.wait()
        later = asyncio.Event()
        Timer(later.set).set(0.05)
        await later.wait()
        (at,) = rang
        assert at - began >= 0.49

    run(put_off())


def test_alarm_that_is_due_sooner_rings_sooner(run: _Run) -> None:
    async def sooner() -> None:
        rang = asyncio.Event()
        alarm = Timer(rang.set)
        alarm.set(_NEVER_S)
        alarm.set(0.01)
        await rang.wait()

    run(sooner())


@pytest.mark.parametrize("after_s", [0.0, -1.0, 1e-7])
def test_alarm_can_be_set_again_when_it_is_due_at_once(run: _Run, after_s: float) -> None:
    async def again() -> None:
        rang = asyncio.Event()
        alarm = Timer(rang.set)
        alarm.set(after_s)
        alarm.set(_NEVER_S)
        alarm.set(after_s)
        alarm.set(0.01)
        await rang.wait()

    run(again())


def test_cancelled_alarm_does_not_ring(run: _Run) -> None:
    async def cancelled() -> None:
        rang, later = asyncio.Event(), asyncio.Event()
        alarm = Timer(rang.set)
        alarm.set(0.01)
        alarm.cancel()
        Timer(later.set).set(0.05)
        await later.wait()
        assert not rang.is_set()

    run(cancelled())


def test_what_begins_together_does_not_fall_due_together() -> None:
    streams = OpenStreams(StreamSettings(), NoMeter())
    dues = sorted(streams.jittered(4.0) for _ in range(1_000))
    assert 3.0 <= dues[0]
    assert dues[-1] <= 4.0
    assert max(after - before for before, after in pairwise(dues)) < 0.005
