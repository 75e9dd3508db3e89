"""Releases replace each other under load, forth and back, and nobody who plays or watches loses."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.local.local_keys import new_keys
from mextrain_service.storage.record import READABLE, SCHEMA
from tests.operations.releases import Fleet, fleet, later_release
from tests.polling import until
from tests.soak.match import Match, Terms
from tests.soak.tally import Tally
from tests.worker.processes import command

MATCHES = 4
MOVES_BETWEEN = 15
"""So many moves are made between two steps at least, by both releases."""


@contextlib.asynccontextmanager
async def _played(workers: Fleet, tally: Tally) -> AsyncIterator[None]:
    """Play and watch matches all the while; each is held to its record at the end."""
    over = False
    terms = Terms(
        endpoint=workers.endpoint,
        platform_key=workers.keys.platform_key,
        tally=tally,
        time_is_up=lambda: over,
        think_s=0.02,
        news=set(),
    )

    async def play_on(number: int) -> None:
        again = 0
        while not over:
            await Match(terms, f"{number}/{again}").run()
            again += 1

    async with asyncio.TaskGroup() as group:
        for number in range(MATCHES):
            group.create_task(play_on(number))
        yield
        over = True


async def _some_moves(tally: Tally) -> None:
    enough = tally.acknowledged + MOVES_BETWEEN
    await until(lambda: tally.acknowledged >= enough)


def _examined(folder: Path, url: str) -> dict[str, object]:
    with command(folder, "doctor", "--replay", "--json", f"--redis-url={url}") as doctor:
        report: dict[str, object] = json.loads(doctor.process.communicate(timeout=60)[0])
    return report


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        pytest.param((SCHEMA, READABLE), (SCHEMA, READABLE + 1), id="that reads a new form"),
        pytest.param((SCHEMA, READABLE + 1), (READABLE + 1, READABLE + 1), id="that writes it"),
    ],
)
async def test_release_replaces_the_one_before_and_is_taken_back_again(
    older: tuple[int, int], newer: tuple[int, int], tmp_path: Path
) -> None:
    releases = [
        later_release(tmp_path / name, writes=writes, reads=reads)
        for name, (writes, reads) in (("older", older), ("newer", newer))
    ]
    before, after = releases
    tally, keys = Tally(), new_keys()
    with EmbeddedValkey() as valkey, contextlib.ExitStack() as stack:
        workers = stack.enter_context(fleet(tmp_path, valkey.url, keys, size=3))

        async def step(release: Path, leaving: int) -> int:
            """Start a worker of a release, let both play, stop another."""
            await _some_moves(tally)
            started = await asyncio.to_thread(workers.start, stack, release)
            await _some_moves(tally)
            assert 0 == await asyncio.to_thread(workers.stop, leaving)
            return started

        running = [workers.start(stack, before) for _ in range(2)]
        async with _played(workers, tally):
            running = [await step(after, leaving) for leaving in running]
            running = [await step(before, leaving) for leaving in running]
            await _some_moves(tally)
        report = _examined(tmp_path, valkey.url) if newer[0] == SCHEMA else {"sound": True}
        assert [] == workers.complaints()
    assert report["sound"], report
    assert tally.cut_off, "streams were cut off, and resumed"
    assert tally.acknowledged >= 9 * MOVES_BETWEEN
    assert not {"STORE_UNAVAILABLE", "INTERNAL"} & set(tally.failures), tally.failures
