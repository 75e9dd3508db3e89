"""A whole soak: a service, matches, deaths of workers, and what it all came to."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from mextrain_service.local.embedded import EmbeddedValkey
from tests.polling import eventually
from tests.soak.caller import Caller
from tests.soak.match import Match, Terms
from tests.soak.memory import Memory
from tests.soak.newsreader import Newsreader
from tests.soak.tally import SoakFault, Tally
from tests.soak.wandering import Wanderer
from tests.worker.processes import command, served, workers

_PLAYED: Final = 0.9
"""The share of the time over which matches begin."""
_AT_MOST: Final = 6
"""How many times as long matches are played on a machine on which none comes to its end."""
_SAMPLE_S: Final = 1.0
_TERMINATED: Final = 0.25
_SETTLE_S: Final = 60.0
_LOUD: Final = ("Traceback", '"level":"error"')


@dataclass(frozen=True, slots=True)
class Options:
    """What is asked of a soak.

    Attributes:
        seconds: how long matches are played; longer if by then none is finished.
        workers: how many worker processes, 2 or more: one is spared, and its memory followed.
        matches: how many matches are begun, evenly over the time.
        seed: of all chance in it.
        kill_every_s: the mean time from one worker's end to the next, in seconds.
        think_s: the mean time from one move of a match to the next, in seconds.
        transport: what carries calls, as the setting of the service has it.
    """

    seconds: float
    workers: int
    matches: int
    seed: int
    kill_every_s: float = 8.0
    think_s: float = 0.1
    transport: str = "grpc"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a soak came to.

    Attributes:
        tally: what was counted.
        worker: the memory of the worker that was spared.
        valkey: that of the store.
        doctor: what ``mextrain doctor`` says at the end.
        faults: what went wrong; empty if all promises were kept.
        seconds: how long it took, without the start of the service.
    """

    tally: Tally
    worker: Memory
    valkey: Memory
    doctor: dict[str, Any]
    faults: tuple[str, ...]
    seconds: float


def soak(
    options: Options, folder: Path, progress: Callable[[Tally], None] = lambda _: None
) -> Outcome:
    """Run a soak and return what it came to.

    Args:
        options: how much of everything.
        folder: for the logs of the service.
        progress: is called each second.
    """
    with (
        EmbeddedValkey() as valkey,
        served(
            folder,
            *("--no-front", f"--workers={options.workers}", f"--redis-url={valkey.url}"),
            MEXTRAIN_SERVER_TRANSPORT=options.transport,
        ) as service,
    ):
        tally = Tally()
        pids = eventually(
            lambda: found if len(found := workers(service.process.pid)) == options.workers else None
        )
        spared = Memory(min(pids))
        store = Memory(valkey.pid or 0)
        began = time.monotonic()
        terms = Terms(
            endpoint=service.running.endpoint,
            platform_key=service.running.platform_key,
            tally=tally,
            time_is_up=lambda: _is_up(options, tally, time.monotonic() - began),
            think_s=options.think_s,
            news=set(),
        )
        faults: list[str] = []
        asyncio.run(_run(options, terms, (spared, store), service.process.pid, progress, faults))
        seconds = time.monotonic() - began
        doctor = _examined(folder, valkey.url)
        if not doctor["sound"]:
            faults.append(f"the doctor finds {doctor['faults']}: {doctor['findings'][:5]}")
        logged = service.logged().splitlines()
        faults += [line for line in logged if any(word in line for word in _LOUD)][:10]
        return Outcome(tally, spared, store, doctor, tuple(faults), seconds)


def _is_up(options: Options, tally: Tally, seconds: float) -> bool:
    """Whether matches stop: not before one is finished, which has a record to be held to."""
    return seconds > options.seconds * (1 if tally.finished else _AT_MOST)


async def _run(
    options: Options,
    terms: Terms,
    memories: tuple[Memory, Memory],
    service_pid: int,
    progress: Callable[[Tally], None],
    faults: list[str],
) -> None:
    ending = asyncio.create_task(_end_workers(options, terms.tally, service_pid, memories[0].pid))
    looking = asyncio.create_task(_look(memories, lambda: progress(terms.tally)))
    try:
        async with _news_read(options, terms, faults):
            await asyncio.gather(
                *(_match(options, terms, each, faults) for each in range(options.matches))
            )
    finally:
        for task in (ending, looking):
            task.cancel()
        await asyncio.gather(ending, looking, return_exceptions=True)
    faults += [repr(task.exception()) for task in (ending, looking) if not task.cancelled()]
    for memory in memories:
        memory.look()


@asynccontextmanager
async def _news_read(options: Options, terms: Terms, faults: list[str]) -> AsyncIterator[None]:
    """Read the feed of the platform meanwhile, and at the end wait for the last of it."""
    chance = random.Random(options.seed)
    caller = Caller(terms.endpoint, terms.platform_key, terms.tally, chance)
    reader = Newsreader(Wanderer(caller, terms.tally, chance), terms.news)
    reading = asyncio.create_task(reader.read())
    try:
        yield
        await reader.finish(reading)
    except SoakFault as broken:
        faults.append(str(broken))
    finally:
        reading.cancel()
        await caller.close()
    terms.tally.news = len(reader.told)


async def _match(options: Options, terms: Terms, number: int, faults: list[str]) -> None:
    await asyncio.sleep(options.seconds * _PLAYED * number / options.matches)
    if faults or terms.time_is_up():
        return
    try:
        await Match(terms, f"{options.seed}/{number}").run()
    except* SoakFault as broken:
        faults += [str(each) for each in broken.exceptions]


async def _end_workers(options: Options, tally: Tally, service_pid: int, spared: int) -> None:
    """End workers at random, the first one with SIGKILL; the supervisor starts them again."""
    chance = random.Random(options.seed)
    while True:
        await asyncio.sleep(chance.expovariate(1 / options.kill_every_s))
        mortal = sorted(workers(service_pid) - {spared})
        if not mortal:
            continue
        gently = tally.killed > 0 and chance.random() < _TERMINATED
        try:
            os.kill(chance.choice(mortal), signal.SIGTERM if gently else signal.SIGKILL)
        except ProcessLookupError:
            continue
        if gently:
            tally.stopped += 1
        else:
            tally.killed += 1


async def _look(memories: tuple[Memory, Memory], progress: Callable[[], None]) -> None:
    while True:
        for memory in memories:
            memory.look()
        progress()
        await asyncio.sleep(_SAMPLE_S)


def _examined(folder: Path, url: str) -> dict[str, Any]:
    """Return what the doctor says, once what dead workers left was swept or the time is up."""
    give_up = time.monotonic() + _SETTLE_S
    while True:
        with command(folder, "doctor", "--json", "--replay", f"--redis-url={url}") as doctor:
            said: dict[str, Any] = json.loads(doctor.process.communicate(timeout=60)[0])
        if said["sound"] or time.monotonic() > give_up:
            return said
