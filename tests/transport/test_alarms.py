"""Times at which something recurs: put off at no cost, and apart from each other."""

from __future__ import annotations

import asyncio
from itertools import pairwise

from mextrain_service.application.alarm import Alarm
from mextrain_service.application.streams import OpenStreams, StreamSettings
from tests.transport.serving import NoMeter


async def test_alarm_that_is_put_off_rings_once_and_not_before() -> None:
    rang: list[float] = []
    loop = asyncio.get_running_loop()
    alarm = Alarm(lambda: rang.append(loop.time()))
    began = loop.time()
    for _ in range(5):
        alarm.set(0.5)
        await asyncio.sleep(0.05)
    assert not rang
    await asyncio.sleep(1.5)
    (at,) = rang
    assert at - began >= 0.7


async def test_alarm_that_is_due_sooner_rings_sooner() -> None:
    rang = asyncio.Event()
    alarm = Alarm(rang.set)
    alarm.set(60)
    alarm.set(0.01)
    async with asyncio.timeout(20):
        await rang.wait()


async def test_cancelled_alarm_does_not_ring() -> None:
    rang = asyncio.Event()
    alarm = Alarm(rang.set)
    alarm.set(0.01)
    alarm.cancel()
    await asyncio.sleep(0.05)
    assert not rang.is_set()


def test_what_begins_together_does_not_fall_due_together() -> None:
    streams = OpenStreams(StreamSettings(), NoMeter())
    dues = sorted(streams.apart(4.0) for _ in range(1_000))
    assert 3.0 <= dues[0]
    assert dues[-1] <= 4.0
    assert max(after - before for before, after in pairwise(dues)) < 0.005
