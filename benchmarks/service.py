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
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from google.protobuf.wrappers_pb2 import BytesValue
from redis import Redis

from benchmarks.echo import BUILD_PATH, ECHO_PATH
from benchmarks.report import as_json, progress, report, report_grid
from benchmarks.rounds import (
    SEEDS,
    Table,
    Turn,
    in_json,
    move_request,
    opening,
    playing,
    reading,
    recorded,
    tables_of_all_seeds,
)
from benchmarks.servers import Cores, Server, echo, front, on_core, two_cores, valkey, worker
from benchmarks.watchers import Watcher, watcher_process
from benchmarks.wire import Lane, Load, Request, drive, request, shared

CONCURRENT = (1, 8, 64)
GAMES_PER_LANE = {1: 8, 8: 2, 64: 1}
LEAST_READS_PER_LANE = 40
LEAST_READS = 400
"""So many that the kernel's steps of 10 ms of CPU time are small beside them."""
WATCHERS_TOGETHER = 64
"""Watchers that share a connection, as behind a proxy."""
ECHO_TOKEN = "t" * 190
"""As long as a seat's token: the echo is asked with the same headers."""
ECHO_REQUEST_BYTES = 75

NOTES = {
    "play_move_per_s": "PlayMove: authenticated, decided, stored in Valkey, answered; 64 at once",
    "echo_per_s": "the bare grpc.aio echo, same core, same load, same sizes; 64 at once",
    "ratio": "play_move_per_s / echo_per_s, median of pairs",
    "ratio_cpu": "CPU time of an echo / of a PlayMove, in the server; 64 at once",
    "ratio_to_built": "the same to an echo that builds a message like PlayMove's for each call",
    "echo_built_per_s": "that echo; 64 at once",
    "rest_per_s": "PlayMove as JSON through Envoy, which has the same core; 64 at once",
    "rest_ratio": "rest_per_s / play_move_per_s",
    "watched_play_move_per_s": "PlayMove with four live watchers at each table; 64 at once",
    "half_load_echo_p99_ms": "latency of the echo at half of its rate, one in a hundred exceeds it",
    "half_load_play_move_p99_ms": "the same of PlayMove at half of its own rate",
    "half_load_p99_ratio": "the two, one divided by the other",
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


def measured(server: Server, lanes: Iterable[Lane], per_s: float = 0) -> Sample:
    """Run the lanes, at a rate if one is given, and return what their calls took."""
    server_before, own_before = server.cpu_s(), time.process_time()
    load = drive(server.port, lanes, per_s)
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


@dataclass(frozen=True, slots=True)
class Servers:
    """What is measured.

    Attributes:
        service: the worker.
        front: Envoy before the same worker.
        bare: the echo.
        store: a client of the Valkey that the worker stores in.
        load_core: where whoever watches runs.
    """

    service: Server
    front: Server
    bare: Server
    store: Redis
    load_core: int


class ServiceBenchmark:
    """What was measured of the worker and of the echo beside it.

    Attributes:
        samples: by kind of call and how many were in flight; in the order of measuring, so that
            the n-th of the echo stands beside the n-th of PlayMove.
        store_reads: what Valkey read from its connections while moves were made 64 at once.
        store_commands: what it carried out meanwhile.
        moves: how many moves those were.
    """

    def __init__(self, servers: Servers, rounds: Sequence[list[Turn]]) -> None:
        self._servers = servers
        self._service = servers.service
        self._rounds = rounds
        self.samples: dict[tuple[str, int], list[Sample]] = {}
        self.store_reads = self.store_commands = self.moves = 0

    def repeat(self, concurrent: int) -> None:
        """Measure everything once more: a round in new games, with reads at its middle."""
        tables = self._opened(concurrent)
        self._echo("echo", concurrent)
        self._playing(tables, concurrent, 0)
        for name, method in (("get_game", "GetGame"), ("list_legal_moves", "ListLegalMoves")):
            times = max(LEAST_READS_PER_LANE, LEAST_READS // concurrent)
            asking = [reading(tables[lane], method, times) for lane in range(concurrent)]
            self._add(name, concurrent, measured(self._service, asking))
        self._echo("echo", concurrent)
        self._playing(tables, concurrent, 1)

    def repeat_most(self) -> None:
        """Measure once more what is told for the greatest number in flight only."""
        most = CONCURRENT[-1]
        self._echo("echo_built", most)
        tables = self._opened(most)
        self._add(
            "rest", most, measured(self._servers.front, self._lanes(tables, most, 0, in_json))
        )
        watchers = [Watcher(table.game_id, token) for table in tables for token in table.tokens]
        core = self._servers.load_core
        with watcher_process(self._service.port, watchers, WATCHERS_TOGETHER, core) as watching:
            watching.wait_until_open()
            self._add(
                "watched", most, measured(self._service, self._lanes(tables, most, 1, playing))
            )

    def repeat_at_half_load(self) -> None:
        """Measure latency at half of the rate that was the median of those with most in flight."""
        most = CONCURRENT[-1]
        for kind in ("echo", "play_move"):
            full = statistics.median(sample.per_s for sample in self.samples[kind, most])
            if kind == "echo":
                self._echo("half_load_echo", most, full / 2)
                continue
            tables = self._opened(most)
            lanes = self._lanes(tables, most, 0, playing)
            self._add("half_load_play_move", most, measured(self._service, lanes, full / 2))

    def _opened(self, concurrent: int) -> list[Table]:
        """Create and deal games, as many of each seed."""
        count = concurrent * GAMES_PER_LANE[concurrent]
        tables = tables_of_all_seeds(count)
        openings = [opening(table, self._service.key) for table in tables]
        lanes = shared(openings, concurrent)
        self._add("create_and_deal", concurrent, measured(self._service, lanes))
        return tables

    def _lanes(
        self, tables: list[Table], concurrent: int, half: int, play: Callable[..., Lane]
    ) -> list[Lane]:
        """Return lanes that make the moves of the first half of each round, or of the second."""
        return shared([play(table, self._turns(table, half)) for table in tables], concurrent)

    def _turns(self, table: Table, half: int) -> list[Turn]:
        turns = self._rounds[SEEDS.index(table.seed)]
        middle = len(turns) // 2
        return turns[middle:] if half else turns[:middle]

    def _playing(self, tables: list[Table], concurrent: int, half: int) -> None:
        lanes = self._lanes(tables, concurrent, half, playing)
        before = self._counts()
        self._add("play_move", concurrent, measured(self._service, lanes))
        after = self._counts()
        if concurrent == CONCURRENT[-1]:
            self.store_reads += after[0] - before[0] - 1  # one of them asked for the count
            self.store_commands += after[1] - before[1] - 1
            self.moves += sum(len(self._turns(table, half)) for table in tables)

    def _echo(self, kind: str, concurrent: int, per_s: float = 0) -> None:
        """Ask as often as a half round has moves in as many games."""
        asked = request(
            ECHO_PATH, BytesValue(value=bytes(ECHO_REQUEST_BYTES)).SerializeToString(), ECHO_TOKEN
        )
        if kind == "echo_built":
            move = move_request(Table("g" * 22), self._rounds[0][0])
            asked = request(BUILD_PATH, move.SerializeToString(), ECHO_TOKEN)
        calls = len(self._rounds[0]) // 2 * GAMES_PER_LANE[concurrent]
        lanes = [repeated(asked, calls) for _ in range(concurrent)]
        self._add(kind, concurrent, measured(self._servers.bare, lanes, per_s))

    def _add(self, kind: str, concurrent: int, sample: Sample) -> None:
        progress(f"{kind}, {concurrent} at once: {sample.per_s:,.0f} calls/s")
        self.samples.setdefault((kind, concurrent), []).append(sample)

    def _counts(self) -> tuple[int, int]:
        stats = self._servers.store.info("stats")
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
    half_echo, half_move = (
        statistics.median(sample.p99_ms for sample in samples[kind, most])
        for kind in ("half_load_echo", "half_load_play_move")
    )

    def per_s(kind: str) -> float:
        return statistics.median(sample.per_s for sample in samples[kind, most])

    return {
        "play_move_per_s": per_s("play_move"),
        "echo_per_s": per_s("echo"),
        "ratio": statistics.median(move.per_s / bare.per_s for move, bare in pairs),
        "ratio_cpu": statistics.median(bare.cpu_us / move.cpu_us for move, bare in pairs),
        "ratio_to_built": per_s("play_move") / per_s("echo_built"),
        "echo_built_per_s": per_s("echo_built"),
        "rest_per_s": per_s("rest"),
        "rest_ratio": per_s("rest") / per_s("play_move"),
        "watched_play_move_per_s": per_s("watched"),
        "half_load_echo_p99_ms": half_echo,
        "half_load_play_move_p99_ms": half_move,
        "half_load_p99_ratio": half_move / half_echo,
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
    with ExitStack() as stack:
        store = stack.enter_context(valkey(cores.load))
        service = stack.enter_context(worker(store.url, cores.server))
        before = stack.enter_context(front(service, cores.server))
        stack.enter_context(on_core(cores.load))
        rounds = [recorded(service.port, service.key, seed=seed) for seed in SEEDS]
        answer_bytes = _answer_bytes(service, rounds[0])
        bare = stack.enter_context(echo(answer_bytes, cores.server))
        client = stack.enter_context(Redis.from_url(store.url))
        servers = Servers(service, before, bare, client, cores.load)
        benchmark = ServiceBenchmark(servers, rounds)
        for concurrent in CONCURRENT:
            for _ in range(repetitions):
                benchmark.repeat(concurrent)
        for _ in range(repetitions):
            benchmark.repeat_most()
            benchmark.repeat_at_half_load()
        return benchmark


def _answer_bytes(service: Server, turns: list[Turn]) -> int:
    """Return the mean size of the answers in a round; it warms the worker up, too."""
    tables = [Table(seed=SEEDS[0]) for _ in range(4)]
    drive(service.port, [opening(table, service.key) for table in tables])
    load = drive(service.port, [playing(table, turns) for table in tables])
    return round(load.answer_bytes / len(load.latencies_s))


def main() -> None:
    """Read the options, measure, and report."""
    parser = argparse.ArgumentParser(description="Measure the service beside a bare echo.")
    parser.add_argument("--repetitions", type=int, default=3, help="of everything; 3")
    benchmark = measure(two_cores(), parser.parse_args().repetitions)
    rows = details(benchmark)
    report_grid("Calls, by kind and how many are in flight", rows, SHOWN)
    title = "The service on one core, beside a bare grpc.aio echo"
    flat = {f"{row}_{name}": value for row, shown in rows.items() for name, value in shown.items()}
    report(title, summary(benchmark) | (flat if as_json() else {}), NOTES)


if __name__ == "__main__":
    main()
