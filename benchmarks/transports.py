"""Measure the two transports side by side on one core, in one run, with a bare echo between them.

``make bench-transports``; with ``JSON=1`` one JSON object. The same round is played, complete and
stored in a real Valkey, by a worker on ``grpc.aio``, by one inside Envoy, and by that one in JSON;
they take turns with a bare ``grpc.aio`` echo of the same size under the same load.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterable
from contextlib import ExitStack

from google.protobuf.wrappers_pb2 import BytesValue

from benchmarks.echo import ECHO_PATH
from benchmarks.report import as_json, progress, report, report_grid
from benchmarks.rounds import Table, Turn, in_json, opening, playing, recorded
from benchmarks.servers import (
    Cores,
    Server,
    echo,
    on_core,
    resident_bytes,
    two_cores,
    valkey,
    worker,
)
from benchmarks.service import (
    CONCURRENT,
    ECHO_REQUEST_BYTES,
    ECHO_TOKEN,
    GAMES_PER_LANE,
    SHOWN,
    Sample,
    measured,
    repeated,
)
from benchmarks.wire import request, shared

NOTES = {
    "echo_per_s": "the bare grpc.aio echo, same core, same load, same sizes; 64 at once",
    "grpc_per_s": "PlayMove on grpc.aio, 64 at once",
    "envoy_per_s": "PlayMove inside Envoy, 64 at once",
    "rest_per_s": "PlayMove as JSON, in the same process, 64 at once",
    "grpc_ratio": "grpc_per_s / echo_per_s, median of neighbours",
    "envoy_ratio": "envoy_per_s / echo_per_s, likewise",
    "rest_ratio": "rest_per_s / envoy_per_s, likewise",
    "envoy_ratio_cpu": "CPU time of an echo / of a PlayMove inside Envoy",
    "grpc_resident_mb": "private memory of the worker on grpc.aio, at the end",
    "envoy_resident_mb": "the same of the one inside Envoy",
}


class TransportsBenchmark:
    """The workers, the echo beside them, and what was measured of them.

    Attributes:
        samples: by what was called and how many were in flight, in the order of measuring.
    """

    def __init__(self, plain: Server, hosted: Server, bare: Server, turns: list[Turn]) -> None:
        self._plain = plain
        self._hosted = hosted
        self._bare = bare
        self._turns = turns
        self.samples: dict[tuple[str, int], list[Sample]] = {}

    def repeat(self, concurrent: int) -> None:
        """Measure everything once more, in new games."""
        self._echo(concurrent)
        self._play("grpc", self._plain, concurrent)
        self._play("envoy", self._hosted, concurrent)
        self._play("rest", self._hosted, concurrent)

    def _play(self, kind: str, server: Server, concurrent: int) -> None:
        tables = [Table() for _ in range(concurrent * GAMES_PER_LANE[concurrent])]
        measured(server, shared([opening(table, server.key) for table in tables], concurrent))
        lanes = [
            in_json(table, self._turns) if kind == "rest" else playing(table, self._turns)
            for table in tables
        ]
        self._add(kind, concurrent, measured(server, shared(lanes, concurrent)))

    def _echo(self, concurrent: int) -> None:
        message = BytesValue(value=bytes(ECHO_REQUEST_BYTES)).SerializeToString()
        asked = request(ECHO_PATH, message, ECHO_TOKEN)
        calls = len(self._turns) * GAMES_PER_LANE[concurrent]
        lanes = [repeated(asked, calls) for _ in range(concurrent)]
        self._add("echo", concurrent, measured(self._bare, lanes))

    def _add(self, kind: str, concurrent: int, sample: Sample) -> None:
        progress(f"{kind}, {concurrent} at once: {sample.per_s:,.0f} calls/s")
        self.samples.setdefault((kind, concurrent), []).append(sample)


def measure(cores: Cores, repetitions: int) -> tuple[TransportsBenchmark, dict[str, float]]:
    """Start everything, measure, and return what was measured, and the memory of the workers."""
    with ExitStack() as stack:
        store = stack.enter_context(valkey(cores.load))
        plain = stack.enter_context(worker(store.url, cores.server))
        inside = {"MEXTRAIN_SERVER_TRANSPORT": "envoy"}
        hosted = stack.enter_context(worker(store.url, cores.server, inside))
        stack.enter_context(on_core(cores.load))
        turns = recorded(plain.port, plain.key)
        recorded(hosted.port, hosted.key)  # warms it up
        bare = stack.enter_context(echo(207, cores.server))
        benchmark = TransportsBenchmark(plain, hosted, bare, turns)
        for concurrent in CONCURRENT:
            for _ in range(repetitions):
                benchmark.repeat(concurrent)
        memory = {
            "grpc_resident_mb": resident_bytes(plain.pid) / 1e6,
            "envoy_resident_mb": resident_bytes(hosted.pid) / 1e6,
        }
        return benchmark, memory


def summary(samples: dict[tuple[str, int], list[Sample]]) -> dict[str, float]:
    """Return the main figures: medians over the samples, and of the ratios of neighbours."""
    most = CONCURRENT[-1]
    of = {kind: samples[kind, most] for kind in ("echo", "grpc", "envoy", "rest")}
    return {
        **{f"{kind}_per_s": _median(each.per_s for each in taken) for kind, taken in of.items()},
        "grpc_ratio": _ratio(of["grpc"], of["echo"]),
        "envoy_ratio": _ratio(of["envoy"], of["echo"]),
        "rest_ratio": _ratio(of["rest"], of["envoy"]),
        "envoy_ratio_cpu": _median(
            bare.cpu_us / move.cpu_us for bare, move in zip(of["echo"], of["envoy"], strict=True)
        ),
    }


def _ratio(ours: list[Sample], others: list[Sample]) -> float:
    return _median(one.per_s / other.per_s for one, other in zip(ours, others, strict=True))


def _median(values: Iterable[float]) -> float:
    return statistics.median(values)


def main() -> None:
    """Read the options, measure, and report."""
    parser = argparse.ArgumentParser(description="Measure the two transports side by side.")
    parser.add_argument("--repetitions", type=int, default=5, help="of everything; 5")
    benchmark, memory = measure(two_cores(), parser.parse_args().repetitions)
    rows = {
        f"{kind}_{concurrent}": {
            name: _median(getattr(sample, name) for sample in taken) for name in SHOWN
        }
        for (kind, concurrent), taken in sorted(benchmark.samples.items())
    }
    report_grid("Calls, by transport and how many are in flight", rows, SHOWN)
    title = "PlayMove on one core over both transports, beside a bare grpc.aio echo"
    flat = {f"{row}_{name}": value for row, shown in rows.items() for name, value in shown.items()}
    main_figures = summary(benchmark.samples) | memory
    report(title, main_figures | (flat if as_json() else {}), NOTES)


if __name__ == "__main__":
    main()
