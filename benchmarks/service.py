"""Measure the service on one core against the floor that it stands on, in one run.

``make bench-service``; with ``JSON=1`` one JSON object. PlayMove, complete and stored in a real
Valkey, and a bare ``grpc.aio`` echo with answers of the same size take turns on the same core under
the same load; Valkey and the load generator have the other core.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Iterable
from dataclasses import dataclass

from google.protobuf.wrappers_pb2 import BytesValue
from redis import Redis

from benchmarks.echo import ECHO_PATH
from benchmarks.report import as_json, progress, report, report_grid
from benchmarks.rounds import Table, Turn, opening, playing, reading, recorded
from benchmarks.servers import Cores, Server, echo, on_core, two_cores, valkey, worker
from benchmarks.wire import Lane, Load, Request, drive, request, shared

CONCURRENT = (1, 8, 64)
GAMES_PER_LANE = {1: 8, 8: 2, 64: 1}
LEAST_READS_PER_LANE = 40
LEAST_READS = 400
"""So many that the kernel's steps of 10 ms of CPU time are small beside them."""
ECHO_TOKEN = "t" * 190
"""As long as a seat's token: the echo is asked with the same headers."""
ECHO_REQUEST_BYTES = 75

NOTES = {
    "play_move_per_s": "PlayMove: authenticated, decided, stored in Valkey, answered; 64 at once",
    "echo_per_s": "the bare grpc.aio echo, same core, same load, same sizes; 64 at once",
    "ratio": "play_move_per_s / echo_per_s, median of pairs",
    "ratio_cpu": "CPU time of an echo / of a PlayMove, in the server; 64 at once",
    "answer_bytes": "mean size of a PlayMove's answer, and the echo's size",
    "redis_round_trips_per_move": "what Valkey read from its connections, per move; 64 at once",
    "redis_commands_per_move": "all that it carried out, those inside scripts included",
}

SHOWN = {
    "per_s": "calls/s",
    "p50_ms": "p50 ms",
    "p99_ms": "p99 ms",
    "cpu_us": "server CPU µs",
    "generator_share": "generator's share of its core",
}
"""What is told of each kind of call, and how it is headed."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One measurement of one kind of call.

    Attributes:
        per_s: calls per second.
        p50_ms: median latency.
        p99_ms: latency that one call in a hundred exceeds.
        cpu_us: CPU time of the server per call, in microseconds.
        generator_share: of its core's time that the load generator used, 0 to 1.
        answer_bytes: mean size of an answer.
    """

    per_s: float
    p50_ms: float
    p99_ms: float
    cpu_us: float
    generator_share: float
    answer_bytes: float


def measured(server: Server, lanes: Iterable[Lane]) -> Sample:
    """Run the lanes and return what their calls took."""
    server_before, own_before = server.cpu_s(), time.process_time()
    load = drive(server.port, lanes)
    own, used = time.process_time() - own_before, server.cpu_s() - server_before
    return _sample(load, own, used)


def _sample(load: Load, own_s: float, server_s: float) -> Sample:
    calls = len(load.latencies_s)
    ordered = sorted(load.latencies_s)
    return Sample(
        per_s=calls / load.seconds,
        p50_ms=1_000 * ordered[calls // 2],
        p99_ms=1_000 * ordered[math.ceil(0.99 * calls) - 1],
        cpu_us=1e6 * server_s / calls,
        generator_share=own_s / load.seconds,
        answer_bytes=load.answer_bytes / calls,
    )


class ServiceBenchmark:
    """The worker, the echo beside it, and what was measured of both.

    Attributes:
        samples: by kind of call and how many were in flight; in the order of measuring, so that
            the n-th of the echo stands beside the n-th of PlayMove.
        store_reads: what Valkey read from its connections while moves were made 64 at once.
        store_commands: what it carried out meanwhile.
        moves: how many moves those were.
    """

    def __init__(self, service: Server, bare: Server, store: Redis, turns: list[Turn]) -> None:
        self._service = service
        self._bare = bare
        self._store = store
        self._turns = turns
        self.samples: dict[tuple[str, int], list[Sample]] = {}
        self.store_reads = self.store_commands = self.moves = 0

    def repeat(self, concurrent: int) -> None:
        """Measure everything once more: a round in new games, with reads at its middle."""
        tables = [Table() for _ in range(concurrent * GAMES_PER_LANE[concurrent])]
        self._opening(tables, concurrent)
        half = len(self._turns) // 2
        self._echo(half * len(tables), concurrent)
        self._playing(tables, concurrent, self._turns[:half])
        for name, method in (("get_game", "GetGame"), ("list_legal_moves", "ListLegalMoves")):
            times = max(LEAST_READS_PER_LANE, LEAST_READS // concurrent)
            asking = [reading(tables[lane], method, times) for lane in range(concurrent)]
            self._add(name, concurrent, self._service, asking)
        self._echo(half * len(tables), concurrent)
        self._playing(tables, concurrent, self._turns[half:])

    def _opening(self, tables: list[Table], concurrent: int) -> None:
        openings = [opening(table, self._service.key) for table in tables]
        self._add("create_and_deal", concurrent, self._service, shared(openings, concurrent))

    def _playing(self, tables: list[Table], concurrent: int, turns: list[Turn]) -> None:
        before = self._counts()
        games = [playing(table, turns) for table in tables]
        self._add("play_move", concurrent, self._service, shared(games, concurrent))
        after = self._counts()
        if concurrent == CONCURRENT[-1]:
            self.store_reads += after[0] - before[0] - 1  # one of them asked for the count
            self.store_commands += after[1] - before[1] - 1
            self.moves += len(tables) * len(turns)

    def _echo(self, calls: int, concurrent: int) -> None:
        asked = request(
            ECHO_PATH, BytesValue(value=bytes(ECHO_REQUEST_BYTES)).SerializeToString(), ECHO_TOKEN
        )
        lanes = [repeated(asked, calls // concurrent) for _ in range(concurrent)]
        self._add("echo", concurrent, self._bare, lanes)

    def _add(self, kind: str, concurrent: int, server: Server, lanes: list[Lane]) -> None:
        sample = measured(server, lanes)
        progress(f"{kind}, {concurrent} at once: {sample.per_s:,.0f} calls/s")
        self.samples.setdefault((kind, concurrent), []).append(sample)

    def _counts(self) -> tuple[int, int]:
        stats = self._store.info("stats")
        assert isinstance(stats, dict)
        return int(stats["total_reads_processed"]), int(stats["total_commands_processed"])


def repeated(asked: Request, times: int) -> Lane:
    """Ask the same so many times."""
    for _ in range(times):
        yield asked


def summary(benchmark: ServiceBenchmark) -> dict[str, float]:
    """Return the main figures: medians over the samples, and of the ratios of neighbours."""
    samples, most = benchmark.samples, CONCURRENT[-1]
    moves, echoes = samples["play_move", most], samples["echo", most]
    pairs = list(zip(moves, echoes, strict=True))
    return {
        "play_move_per_s": statistics.median(move.per_s for move in moves),
        "echo_per_s": statistics.median(bare.per_s for bare in echoes),
        "ratio": statistics.median(move.per_s / bare.per_s for move, bare in pairs),
        "ratio_cpu": statistics.median(bare.cpu_us / move.cpu_us for move, bare in pairs),
        "answer_bytes": statistics.mean(move.answer_bytes for move in moves),
        "redis_round_trips_per_move": benchmark.store_reads / benchmark.moves,
        "redis_commands_per_move": benchmark.store_commands / benchmark.moves,
    }


def details(benchmark: ServiceBenchmark) -> dict[str, dict[str, float]]:
    """Return the medians of each kind of call at each number in flight."""
    return {
        f"{kind}_{concurrent}": {
            name: statistics.median(getattr(sample, name) for sample in taken) for name in SHOWN
        }
        for (kind, concurrent), taken in sorted(benchmark.samples.items())
    }


def measure(cores: Cores, repetitions: int) -> ServiceBenchmark:
    """Start everything, measure, end everything, and return what was measured."""
    with (
        valkey(cores.load) as store,
        worker(store.url, cores.server) as service,
        on_core(cores.load),
    ):
        turns = recorded(service.port, service.key)
        answer_bytes = _answer_bytes(service, turns)
        with echo(answer_bytes, cores.server) as bare, Redis.from_url(store.url) as client:
            benchmark = ServiceBenchmark(service, bare, client, turns)
            for concurrent in CONCURRENT:
                for _ in range(repetitions):
                    benchmark.repeat(concurrent)
            return benchmark


def _answer_bytes(service: Server, turns: list[Turn]) -> int:
    """Return the mean size of the answers in a round; it warms the worker up, too."""
    tables = [Table() for _ in range(4)]
    drive(service.port, [opening(table, service.key) for table in tables])
    load = drive(service.port, [playing(table, turns) for table in tables])
    return round(load.answer_bytes / len(load.latencies_s))


def main() -> None:
    """Read the options, measure, and report."""
    parser = argparse.ArgumentParser(description="Measure the service beside a bare echo.")
    parser.add_argument("--repetitions", type=int, default=5, help="of everything; 5")
    benchmark = measure(two_cores(), parser.parse_args().repetitions)
    rows = details(benchmark)
    report_grid("Calls, by kind and how many are in flight", rows, SHOWN)
    title = "The service on one core, beside a bare grpc.aio echo"
    flat = {f"{row}_{name}": value for row, shown in rows.items() for name, value in shown.items()}
    report(title, summary(benchmark) | (flat if as_json() else {}), NOTES)


if __name__ == "__main__":
    main()
