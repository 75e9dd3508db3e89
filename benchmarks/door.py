"""Measure what calls cost a worker when no transport carries them, in one process on one core.

``make bench-door``; with ``JSON=1`` one JSON object. Calls are handed to the dispatcher of a worker
in this process as a transport hands them over, 64 at once, each in a task of its own; Valkey has
the other core. What is left of a call beside it is the transport's. ``py-spy`` and ``perf`` see
here what the service does, and little else.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, Final, NoReturn

import grpc
from hpack import Decoder

from benchmarks.report import report
from benchmarks.rounds import (
    SEEDS,
    Table,
    Turn,
    exploring,
    opening,
    playing,
    reading,
    tables_of_all_seeds,
)
from benchmarks.servers import on_core, two_cores, valkey, worker_settings
from benchmarks.wire import MESSAGE_HEAD, Lane, Request
from mextrain_service.local.local_keys import LocalKeys, new_keys
from mextrain_service.process.logs import configure
from mextrain_service.process.stopping import Stopping
from mextrain_service.rpc.dispatcher import BoundMethod, Dispatcher
from mextrain_service.settings.loading import load
from mextrain_service.settings.model import Settings
from mextrain_service.worker.worker import serve
from mextrain_service.worker.worker_options import WorkerOptions

AT_ONCE = 64
READS = 40
_DEADLINE_S = 20.0
_SETTLED_S = 0.2
"""How long a worker takes to get to rest when it is ready."""

NOTES = {
    "play_move_us": "PlayMove, from bytes to bytes, stored in Valkey: CPU time of this process",
    "get_game_us": "GetGame, likewise",
    "list_legal_moves_us": "ListLegalMoves, likewise",
    "play_move_calls": "Python functions that a PlayMove enters, but for the event loop's own",
    "get_game_calls": "GetGame, likewise",
}


_EVENT_LOOP: Final = str(Path(asyncio.__file__).parent)


class _NoTransport:
    """A server that nobody can call."""

    async def start(self) -> None:
        pass

    async def stop(self, grace: float | None) -> None:
        del grace

    def add_generic_rpc_handlers(self, handlers: object) -> None:
        pass

    def add_registered_method_handlers(self, service: str, handlers: object) -> None:
        pass


class _Context:
    """A call's context, as a transport gives one."""

    def __init__(self, metadata: Sequence[tuple[str, str]]) -> None:
        self._metadata = metadata
        self._trailing: Any = None
        self._until = time.monotonic() + _DEADLINE_S

    def invocation_metadata(self) -> Any:
        return self._metadata

    def set_trailing_metadata(self, trailing_metadata: Any) -> None:
        self._trailing = trailing_metadata

    def trailing_metadata(self) -> Any:
        return self._trailing

    def time_remaining(self) -> float:
        return self._until - time.monotonic()

    def peer(self) -> str:
        return "ipv4:127.0.0.1:4711"

    def code(self) -> None:
        return None

    async def abort(self, code: grpc.StatusCode, details: str, trailing: Any) -> NoReturn:
        raise AssertionError(f"{code}: {details} {trailing}")

    async def send_initial_metadata(self, initial_metadata: Any) -> None:
        raise AssertionError(f"a call that is no stream begins with {initial_metadata}")

    async def write(self, message: Any) -> None:
        raise AssertionError(f"a call that is no stream writes {message}")


@dataclass(frozen=True, slots=True)
class _Call:
    """A call that is ready to be made."""

    method: BoundMethod
    metadata: tuple[tuple[str, str], ...]
    body: bytes

    async def made(self) -> bytes:
        """Make it; return its answer."""
        return self.method.serialize(await self.method.serve(self.body, _Context(self.metadata)))


def _ready(dispatcher: Dispatcher, asked: Request) -> _Call:
    """Return a request as a transport hands it over."""
    sent: dict[Any, Any] = dict(Decoder().decode(asked.head))
    method = dispatcher.method(sent[":path"])
    assert method is not None, "benchmarks call what there is"
    kept = [(name, sent[name]) for name in ("user-agent", "authorization") if name in sent]
    return _Call(method, tuple(kept), asked.body[MESSAGE_HEAD:])


async def _driven(dispatcher: Dispatcher, lanes: Iterable[Lane]) -> None:
    """Run lanes to their ends, each with one call at a time."""

    async def follow(lane: Lane) -> None:
        asked = next(lane)
        with suppress(StopIteration):
            while True:
                asked = lane.send(await _ready(dispatcher, asked).made())

    await asyncio.gather(*map(follow, lanes))


async def _cpu_us(dispatcher: Dispatcher, lanes: Iterable[Lane]) -> float:
    """Return the CPU time of each call of lanes that do not depend on answers."""
    prepared = [[_ready(dispatcher, asked) for asked in lane] for lane in lanes]

    async def make(calls: Sequence[_Call]) -> None:
        for call in calls:
            await asyncio.create_task(call.made())

    before = time.process_time()
    await asyncio.gather(*map(make, prepared))
    return 1e6 * (time.process_time() - before) / sum(map(len, prepared))


async def measured(dispatcher: Dispatcher, key: str, repetitions: int) -> dict[str, float]:
    """Return the medians of CPU time per call, in microseconds."""
    rounds: dict[int, list[Turn]] = {seed: [] for seed in SEEDS}
    await _driven(
        dispatcher, [exploring(Table(seed=seed), key, 4, turns) for seed, turns in rounds.items()]
    )
    took: dict[str, list[float]] = {name: [] for name in NOTES if name.endswith("_us")}
    for _ in range(repetitions):
        tables = tables_of_all_seeds(AT_ONCE)
        await _driven(dispatcher, [opening(table, key) for table in tables])
        for name, method in (("get_game_us", "GetGame"), ("list_legal_moves_us", "ListLegalMoves")):
            lanes = [reading(table, method, READS) for table in tables]
            took[name].append(await _cpu_us(dispatcher, lanes))
        moves = [playing(table, rounds[table.seed]) for table in tables]
        took["play_move_us"].append(await _cpu_us(dispatcher, moves))
    tables = tables_of_all_seeds(AT_ONCE)
    await _driven(dispatcher, [opening(table, key) for table in tables])
    return {
        **{name: statistics.median(each) for name, each in took.items()},
        "get_game_calls": min(
            [
                await _python_calls(
                    dispatcher, [reading(table, "GetGame", READS) for table in part]
                )
                for part in (tables,) * 3
            ]
        ),
        "play_move_calls": await _python_calls(
            dispatcher, [playing(table, rounds[table.seed]) for table in tables]
        ),
    }


async def _python_calls(dispatcher: Dispatcher, lanes: Iterable[Lane]) -> float:
    """Return how many Python functions a call enters on average.

    The event loop's own are left out: how often it turns depends on what else the machine does.
    """
    prepared = [[_ready(dispatcher, asked) for asked in lane] for lane in lanes]
    entered = 0

    def count(frame: FrameType, event: str, argument: object) -> None:
        nonlocal entered
        del argument
        if event == "call":
            entered += not frame.f_code.co_filename.startswith((__file__, _EVENT_LOOP))

    async def make(calls: Sequence[_Call]) -> None:
        for call in calls:
            await call.made()

    sys.setprofile(count)
    await asyncio.gather(*map(make, prepared))
    sys.setprofile(None)
    return entered / sum(map(len, prepared))


async def _measured_here(settings: Settings, keys: LocalKeys, repetitions: int) -> dict[str, float]:
    """Run a worker without a transport for as long as it takes."""
    stopping, dispatchers, ready = Stopping(), list[Dispatcher](), asyncio.Event()

    def opened(settings: Settings, dispatcher: Dispatcher, place: WorkerOptions) -> tuple[Any, str]:
        del settings, place
        dispatchers.append(dispatcher)
        return _NoTransport(), "nowhere"

    async def listening() -> None:
        ready.set()

    place = WorkerOptions(metrics_port=0)
    serving = asyncio.create_task(serve(settings, place, stopping, opened, listening))
    await ready.wait()
    await asyncio.sleep(_SETTLED_S)
    figures = await measured(dispatchers[0], keys.platform_key, repetitions)
    stopping.asked.set()
    await serving
    return figures


def main() -> None:
    """Read the options, measure, and report."""
    parser = argparse.ArgumentParser(description="Measure calls without a transport.")
    parser.add_argument("--repetitions", type=int, default=5, help="of everything; 5")
    options = parser.parse_args()
    cores, keys = two_cores(), new_keys()
    with valkey(cores.load) as store, on_core(cores.server):
        os.environ.update(worker_settings(store.url, keys, port=1))
        settings = load()
        said, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)  # where the log goes
        configure(settings.logging, worker=0)
        try:
            figures = asyncio.run(_measured_here(settings, keys, options.repetitions))
        finally:
            os.dup2(said, 2)
    report("Calls without a transport", figures, NOTES)


if __name__ == "__main__":
    main()
