"""One run: tables play on a rig while a fault comes and goes; then all of it is checked."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.storage import open_client
from mextrain_service.storage.diagnosis import MENDABLE
from mextrain_service.storage.doctor import Doctor, Treatment
from tests.faults.asking import Answered, Asker, GaveUpError, RefusedError
from tests.faults.checking import check
from tests.faults.faults import Fault
from tests.faults.findings import Findings
from tests.faults.history import ABSENT, History
from tests.faults.history import Final as FinalRecord
from tests.faults.reading import read_entries, read_facts
from tests.faults.rig import Rig
from tests.faults.stream_check import LOOKS_AGAIN_S
from tests.faults.table import Desk, Table
from tests.faults.watching import HEARTBEAT_S

_LAST_ANSWERS_S: Final = 15.0
_CATCH_UP_S: Final = 10.0
_FINAL_TRIES: Final = 60


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a run takes, and how much is played in it.

    Attributes:
        seconds: how long tables play at least; a fault that has begun is ended.
        tables: how many play at once.
        calm_s: how long nothing is wrong, before and after each fault.
        held_s: how long a fault lasts, beside what beginning and ending it takes.
        think_s: the mean time from one step of a table to the next.
        seed: of all chance.
    """

    seconds: float
    tables: int = 4
    calm_s: float = 1.0
    held_s: float = 1.5
    think_s: float = 0.02
    seed: int = 1


async def run(
    fault: Fault, rig: Rig, pace: Pace, progress: Callable[[int], None] = lambda _: None
) -> Findings:
    """Return what a run under a fault came to.

    Args:
        fault: comes and goes.
        rig: of its kind, sound; is left sound.
        pace: how long and how much.
        progress: is given the number of acknowledged writes, every now and then.
    """
    rig.empty()
    history = History()
    chance = random.Random(f"{pace.seed}/{fault.name}")
    asker = Asker([worker.endpoint for worker in rig.workers], history.errors, chance)
    over = asyncio.Event()
    desk = Desk(asker, history, rig.platform_key, over.is_set, pace.think_s)
    rig.games = lambda: [table.game_id for table in desk.tables]
    try:
        async with _watched(desk) as watch, asyncio.TaskGroup() as group:
            playing = [
                group.create_task(_play(desk, f"{pace.seed}/{fault.name}/{at}", watch))
                for at in range(pace.tables)
            ]
            await _strike(fault, rig, pace, history, lambda: progress(_count(history)))
            over.set()
            asker.give_up_s = time.monotonic() + _LAST_ANSWERS_S
            await asyncio.wait(playing)
            await _conclude(desk)
    finally:
        await asker.close()
    history.windows, history.returns = rig.windows, rig.returns
    history.damaged += await _examined(rig.url)
    return check(history, heartbeat_s=HEARTBEAT_S)


@asynccontextmanager
async def _watched(desk: Desk) -> AsyncIterator[Callable[[Table], None]]:
    """Yield what lets a table be watched; at the end those who watch leave."""
    tasks: list[asyncio.Task[None]] = []

    def watch(table: Table) -> None:
        tasks.extend(asyncio.create_task(watcher.watch()) for watcher in table.watchers)

    try:
        yield watch
    finally:
        for task in tasks:
            task.cancel()
        ends = await asyncio.gather(*tasks, return_exceptions=True)
        faults = [end for end in ends if isinstance(end, Exception)]
        if faults:
            raise faults[0]


async def _play(desk: Desk, seed: str, watch: Callable[[Table], None]) -> None:
    """Play one game after another, until the time is up."""
    number = 0
    while not desk.is_over():
        number += 1
        table = Table(desk, f"{seed}/{number}")
        with suppress(RefusedError, GaveUpError):
            await table.create()
            watch(table)
            await table.play()


async def _strike(
    fault: Fault, rig: Rig, pace: Pace, history: History, progress: Callable[[], None]
) -> None:
    """Let the fault come and go until the time is up, once at least."""
    end_s = time.monotonic() + pace.seconds
    await asyncio.sleep(pace.calm_s)
    while True:
        struck = fault.strike(rig)
        await asyncio.to_thread(struck.__enter__)
        progress()
        await asyncio.sleep(pace.held_s)
        await asyncio.to_thread(struck.__exit__, None, None, None)
        ended_s = time.monotonic()
        await asyncio.sleep(pace.calm_s)
        _note_resumption(history, ended_s)
        progress()
        if time.monotonic() >= end_s:
            return


def _note_resumption(history: History, ended_s: float) -> None:
    later = [
        ack.answered_s for ack in history.acknowledgements[-2_000:] if ack.answered_s > ended_s
    ]
    history.resumed_s.append(min(later, default=time.monotonic()) - ended_s)


async def _conclude(desk: Desk) -> None:
    """Take down what each worker says of each game, and wait for the watchers to be told it.

    After the store went back, a worker may look at a quiet game again only some seconds later.
    """
    back_s = max(desk.history.returns, default=0.0)
    await asyncio.sleep(max(0.0, back_s + LOOKS_AGAIN_S - time.monotonic()))
    for table in desk.tables:
        versions = []
        for worker in range(desk.asker.workers):
            final = await _final(desk, table.game_id, worker)
            desk.history.finals.append(final)
            versions.append(ABSENT if final.problem else final.version)
        await _caught_up(table, max(versions), back_s)


async def _caught_up(table: Table, version: int, back_s: float) -> None:
    """Return when all who watch a table know its version, or the time is up.

    Args:
        table: the table.
        version: that of its game.
        back_s: when the store was back, which is when it counts from; 0 if it never was away.
    """
    give_up_s = time.monotonic() + _CATCH_UP_S
    while time.monotonic() < give_up_s:
        if all(watcher.has_heard(version, back_s) for watcher in table.watchers):
            return
        await asyncio.sleep(0.02)


async def _final(desk: Desk, game_id: str, worker: int) -> FinalRecord:
    """Return what a worker says of a game at the end."""
    try:
        version, facts, token = 0, [], ""
        while True:
            request = pb.ListEventsRequest(game_id=game_id, page_size=500, page_token=token)
            page = await _read(desk, "ListEvents", request, worker)
            facts += page.events
            version, token = page.version, page.next_page_token
            if not token:
                break
        export = await _read(desk, "ExportGame", pb.ExportGameRequest(game_id=game_id), worker)
        entries = read_entries(export.record)
    except RefusedError as refused:
        if refused.reason == "GAME_NOT_FOUND":
            return FinalRecord(game_id, worker, ABSENT)
        return FinalRecord(game_id, worker, ABSENT, problem=refused.reason)
    return FinalRecord(game_id, worker, version, read_facts(facts), entries)


async def _read(desk: Desk, method: str, request: Any, worker: int) -> Any:
    """Return the answer of one worker, which has some time to come back.

    Raises:
        RefusedError: it refuses.
    """
    for _ in range(_FINAL_TRIES):
        got = await desk.asker.look(method, request, desk.platform_key, worker)
        if isinstance(got, Answered):
            return got.answer
        if isinstance(got, RefusedError):
            raise got
        await asyncio.sleep(0.1)
    raise RefusedError("NO_ANSWER")


async def _examined(url: str) -> list[tuple[str, str]]:
    """Return each game of which the doctor finds what no repair can help, and what that is."""
    client = open_client(url)
    try:
        report = await Doctor(client, Treatment(replays=True)).examine()
    finally:
        await client.aclose()
    return [
        (
            finding.key.partition("{")[2].partition("}")[0],
            f"{finding.fault.value}: {finding.detail}",
        )
        for finding in report.findings
        if finding.fault not in MENDABLE
    ]


def _count(history: History) -> int:
    return len(history.acknowledgements)
