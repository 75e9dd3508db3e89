"""Measure moves per second with more and more workers on one Redis Cluster of three masters.

``make bench-scale``; with ``JSON=1`` one JSON object. Workers are held to one core each as long as
there are cores; Valkeys and load generators run wherever there is room. Two curves are fitted: to
what was measured, which the machine's cores bound, and to what the same workers would do with a
core each, from the CPU time that a move then took.
"""

from __future__ import annotations

import argparse
import contextlib
import multiprocessing
import os
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection as Pipe
from typing import NoReturn

from benchmarks.cluster import Cluster, cluster
from benchmarks.report import as_json, progress, report, report_grid
from benchmarks.rounds import Table, Turn, opening, playing, recorded
from benchmarks.servers import Server, worker
from benchmarks.usl import Curve, fit
from benchmarks.wire import drive, shared

AT_ONCE = 32
"""Calls in flight at each worker."""

COLUMNS = {
    "moves_per_s": "moves/s",
    "worker_us": "worker CPU µs a move",
    "valkey_us": "Valkey CPU µs a move",
    "generator_us": "generator CPU µs a move",
    "cores_used": "cores used",
    "moves_per_s_with_cores": "moves/s with a core each",
}
NOTES = {
    "cores": "that this machine lets the benchmark use; above it, workers take turns",
    "measured_rate": "moves a second of one worker, fitted to what was measured",
    "measured_contention": "sigma of the USL; with more to run than cores, mostly the machine's",
    "measured_coherency": "kappa of the USL",
    "measured_worst_residual": "the largest, measured / fitted - 1",
    "own_core_rate": "moves a second of one worker that has a core, fitted",
    "own_core_contention": "sigma of the USL: what workers with a core each lose to one another",
    "own_core_coherency": "kappa of the USL",
    "own_core_worst_residual": "the largest, measured / fitted - 1",
    "workers": "at most",
    "moves_per_s_with_cores": "of so many with a core each, from the CPU time of their moves",
    "worker_us_per_move": "CPU time of the worker for each move, when there is one",
    "valkey_us_per_move": "CPU time of all masters for each move",
    "valkey_bytes_per_move": "to and from the masters, as they count them",
}


@dataclass(frozen=True, slots=True)
class Sample:
    """Moves at some workers at once.

    Attributes:
        workers: how many.
        moves: made at all of them.
        seconds: from the first to the last.
        worker_s: CPU time of all workers.
        valkey_s: CPU time of all masters.
        generator_s: CPU time of all load generators.
        valkey_bytes: to and from all masters.
    """

    workers: int
    moves: int
    seconds: float
    worker_s: float
    valkey_s: float
    generator_s: float
    valkey_bytes: int

    def figures(self) -> dict[str, float]:
        """Return what is told of it."""
        return {
            "moves_per_s": self.moves / self.seconds,
            "worker_us": 1e6 * self.worker_s / self.moves,
            "valkey_us": 1e6 * self.valkey_s / self.moves,
            "generator_us": 1e6 * self.generator_s / self.moves,
            "cores_used": (self.worker_s + self.valkey_s + self.generator_s) / self.seconds,
            "moves_per_s_with_cores": self.workers * self.moves / self.worker_s,
            "valkey_bytes": self.valkey_bytes / self.moves,
        }


class LoadProcess:
    """A load generator in a process of its own, as the benchmark holds it."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe

    def begin(self, command: str) -> None:
        """Let it ``open`` new games or ``play`` in them; ``done`` waits for it."""
        self._pipe.send(command)

    def done(self) -> tuple[int, float]:
        """Return how many calls it has made, and its CPU time for them."""
        calls, used_s = self._pipe.recv()
        return int(calls), float(used_s)


@contextlib.contextmanager
def load_process(service: Server, turns: Sequence[Turn], games: int) -> Iterator[LoadProcess]:
    """Run a load generator for one worker."""
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=_load, args=(theirs, service, list(turns), games), daemon=True
    )
    process.start()
    theirs.close()
    try:
        yield LoadProcess(ours)
    finally:
        process.terminate()
        process.join()
        ours.close()


def _load(pipe: Pipe, service: Server, turns: list[Turn], games: int) -> NoReturn:
    tables: list[Table] = []
    while True:
        if pipe.recv() == "open":
            tables = [Table() for _ in range(games)]
            lanes = [opening(table, service.key) for table in tables]
        else:
            lanes = [playing(table, turns) for table in tables]
        before = time.process_time()
        load = drive(service.port, shared(lanes, min(AT_ONCE, games)))
        pipe.send((len(load.latencies_s), time.process_time() - before))


def measured(services: Sequence[Server], loads: Sequence[LoadProcess], store: Cluster) -> Sample:
    """Play a round in new games at all workers at once."""
    for load in loads:
        load.begin("open")
    for load in loads:
        load.done()
    workers_before, store_before, bytes_before = _cpu_s(services), store.cpu_s(), store.net_bytes()
    started = time.perf_counter()
    for load in loads:
        load.begin("play")
    done = [load.done() for load in loads]
    seconds = time.perf_counter() - started
    return Sample(
        workers=len(services),
        moves=sum(calls for calls, _ in done),
        seconds=seconds,
        worker_s=_cpu_s(services) - workers_before,
        valkey_s=store.cpu_s() - store_before,
        generator_s=sum(used_s for _, used_s in done),
        valkey_bytes=store.net_bytes() - bytes_before,
    )


def _cpu_s(services: Sequence[Server]) -> float:
    return sum(service.cpu_s() for service in services)


def measure(most: int, repetitions: int, games: int) -> dict[int, dict[str, float]]:
    """Return the figures of 1 to so many workers, medians over the repetitions."""
    cores = sorted(os.sched_getaffinity(0))
    with contextlib.ExitStack() as stack:
        store = stack.enter_context(cluster())
        services = [
            stack.enter_context(worker(store.url, cores[at % len(cores)])) for at in range(most)
        ]
        turns = recorded(services[0].port, services[0].key)
        loads = [stack.enter_context(load_process(each, turns, games)) for each in services]
        samples: dict[int, list[Sample]] = {}
        for repetition in range(repetitions + 1):
            for count in range(1, most + 1) if repetition else (most,):
                sample = measured(services[:count], loads[:count], store)
                progress(f"{count} workers: {sample.moves / sample.seconds:,.0f} moves/s")
                if repetition:  # before, all workers were warmed up
                    samples.setdefault(count, []).append(sample)
    return {count: _medians(taken) for count, taken in samples.items()}


def _medians(samples: Sequence[Sample]) -> dict[str, float]:
    figures = [sample.figures() for sample in samples]
    return {name: statistics.median(each[name] for each in figures) for name in figures[0]}


def curves(found: Mapping[int, Mapping[str, float]]) -> dict[str, Curve]:
    """Return the curve of what was measured, and of workers with a core each."""
    return {
        "measured": fit({count: each["moves_per_s"] for count, each in found.items()}),
        "own_core": fit({count: each["moves_per_s_with_cores"] for count, each in found.items()}),
    }


def summary(
    found: Mapping[int, Mapping[str, float]], fitted: Mapping[str, Curve]
) -> dict[str, float]:
    """Return the terms of both curves, how far off they are, and what a move costs."""
    told: dict[str, float] = {"cores": len(os.sched_getaffinity(0))}
    for name, curve in fitted.items():
        told |= {
            f"{name}_rate": curve.rate,
            f"{name}_contention": curve.contention,
            f"{name}_coherency": curve.coherency,
            f"{name}_worst_residual": max(curve.residuals.values(), key=abs),
        }
    most = max(found)
    return told | {
        "workers": most,
        "moves_per_s_with_cores": found[most]["moves_per_s_with_cores"],
        "worker_us_per_move": found[1]["worker_us"],
        "valkey_us_per_move": found[1]["valkey_us"],
        "valkey_bytes_per_move": found[1]["valkey_bytes"],
    }


def main() -> None:
    """Read the options, measure, and report."""
    parser = argparse.ArgumentParser(description="Measure moves with more and more workers.")
    parser.add_argument("--workers", type=int, default=4, help="at most; 4")
    parser.add_argument("--repetitions", type=int, default=3, help="of everything; 3")
    parser.add_argument("--games", type=int, default=32, help="at each worker; 32")
    options = parser.parse_args()
    found = measure(options.workers, options.repetitions, options.games)
    fitted = curves(found)
    rows = {
        f"{count} workers": {
            **each,
            **{f"{name}_residual": curve.residuals[count] for name, curve in fitted.items()},
        }
        for count, each in found.items()
    }
    residuals = {"measured_residual": "residual", "own_core_residual": "with a core each"}
    report_grid("More and more workers on a Cluster of three", rows, COLUMNS | residuals)
    flat = {
        f"workers_{count}_{name}": value
        for count, each in zip(found, rows.values(), strict=True)
        for name, value in each.items()
    }
    report("Scaling", summary(found, fitted) | (flat if as_json() else {}), NOTES)


if __name__ == "__main__":
    main()
