"""One worker: what it says of itself while it starts, stands, loses its store, and stops."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.local.local_keys import new_keys
from mextrain_service.process.ports import free_ports
from tests.polling import WITHIN_S, eventually
from tests.worker.processes import Command, command, fetch, log_lines, page
from tests.worker.reflection import named

_NAMES = ("", "mextrain.v1.GameService")
_HOST = "127.0.0.1"
_Status = health_pb2.HealthCheckResponse


@pytest.fixture
def valkey() -> Iterator[EmbeddedValkey]:
    with EmbeddedValkey() as server:
        yield server


@dataclass
class Worker:
    """A worker that runs, and a channel to it."""

    command: Command
    channel: grpc.Channel
    metrics_url: str

    def health(self) -> set[int]:
        """Return the health statuses under both names; empty if nothing answers."""
        stub = health_pb2_grpc.HealthStub(self.channel)
        try:
            return {
                stub.Check(health_pb2.HealthCheckRequest(service=name), timeout=WITHIN_S).status
                for name in _NAMES
            }
        except grpc.RpcError:
            return set()

    def serves(self) -> bool:
        """Whether it is healthy under both names and ready, by each of its pages."""
        return self.health() == {_Status.SERVING} and self._pages_say(200, "1.0")

    def refuses(self) -> bool:
        """Whether it answers that it takes no calls, in every way there is to ask."""
        return self.health() == {_Status.NOT_SERVING} and self._pages_say(503, "0.0")

    def _pages_say(self, status: int, gauge: str) -> bool:
        found, _ = page(self.metrics_url, "/readyz")
        metrics = page(self.metrics_url, "/metrics")[1].splitlines()
        return found == status and f"mextrain_ready {gauge}" in metrics

    def lives(self) -> bool:
        """Whether it passes its liveness probe."""
        return page(self.metrics_url, "/healthz") == (200, "ok\n")


@contextmanager
def _worker(folder: Path, redis_url: str, **variables: str) -> Iterator[Worker]:
    port, metrics_port = free_ports(_HOST, 2)
    keys = new_keys()
    settings = {
        "MEXTRAIN_REDIS_URL": redis_url,
        "MEXTRAIN_REDIS_PING_INTERVAL_MS": "50",
        "MEXTRAIN_AUTH_PLATFORM_KEYS": keys.platform_entry(),
        "MEXTRAIN_AUTH_SIGNING_KEY": keys.signing_key,
        "MEXTRAIN_SERVER_PORT": str(port),
        "MEXTRAIN_SERVER_DRAIN_DELAY_S": "0",
        "MEXTRAIN_METRICS_PORT": str(metrics_port),
    }
    with (
        command(folder, "worker", **{**settings, **variables}) as started,
        grpc.insecure_channel(
            f"{_HOST}:{port}", options=[("grpc.initial_reconnect_backoff_ms", 50)]
        ) as channel,
    ):
        yield Worker(started, channel, f"http://{_HOST}:{metrics_port}/metrics")


def test_a_worker_serves_under_both_names_when_the_store_answers(
    tmp_path: Path, valkey: EmbeddedValkey
) -> None:
    with _worker(tmp_path, valkey.url) as worker:
        eventually(worker.serves)
        assert worker.lives()


def test_a_worker_lives_and_does_not_serve_when_the_store_is_away_from_the_start(
    tmp_path: Path,
) -> None:
    with _worker(tmp_path, f"unix://{tmp_path}/nothing") as worker:
        eventually(worker.refuses)
        assert worker.lives()


def test_a_worker_stops_serving_and_serves_again_when_the_store_goes_and_returns(
    tmp_path: Path, valkey: EmbeddedValkey
) -> None:
    with _worker(tmp_path, valkey.url) as worker:
        eventually(worker.serves)
        valkey.stop()
        eventually(worker.refuses)
        assert worker.lives()
        valkey.start()
        eventually(worker.serves)


def test_a_worker_serves_soon_after_the_store_returned_however_seldom_it_asks(
    tmp_path: Path, valkey: EmbeddedValkey
) -> None:
    valkey.stop()
    with _worker(tmp_path, valkey.url, MEXTRAIN_REDIS_PING_INTERVAL_MS="60000") as worker:
        eventually(worker.refuses)
        valkey.start()
        eventually(worker.serves)


def test_a_worker_says_so_before_it_stops(tmp_path: Path, valkey: EmbeddedValkey) -> None:
    with _worker(tmp_path, valkey.url, MEXTRAIN_SERVER_DRAIN_DELAY_S="60") as worker:
        eventually(worker.serves)
        worker.command.process.send_signal(signal.SIGTERM)
        eventually(worker.refuses)
        assert worker.lives()
        assert worker.command.process.poll() is None
        assert worker.command.stop(signal.SIGTERM) == 0  # the second one cuts the delay short
        assert "Traceback" not in worker.command.logged()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_ends_well_when_it_is_asked_to_stop(
    tmp_path: Path, valkey: EmbeddedValkey, number: int
) -> None:
    with _worker(tmp_path, valkey.url) as worker:
        eventually(worker.serves)
        assert worker.command.stop(number) == 0
        events = [line["event"] for line in log_lines(worker.command.logged())]
        assert events[-1] == "stopped"


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
def test_a_worker_answers_reflection_of_both_versions(
    tmp_path: Path, valkey: EmbeddedValkey, version: str
) -> None:
    with _worker(tmp_path, valkey.url) as worker:
        eventually(worker.serves)
        assert {"mextrain.v1.GameService", "grpc.health.v1.Health"} <= named(
            worker.channel, version
        )


def test_a_worker_lists_its_pages_and_its_metrics(tmp_path: Path, valkey: EmbeddedValkey) -> None:
    with _worker(tmp_path, valkey.url) as worker:
        eventually(worker.serves)
        index = page(worker.metrics_url, "/")[1]
        assert all(path in index for path in ("/metrics", "/healthz", "/readyz"))
        metrics = fetch(worker.metrics_url)[1]
        assert 'mextrain_store_seconds_count{operation="ping",result="answered"}' in metrics
        assert "mextrain_calls_in_flight 0.0" in metrics
        assert "process_resident_memory_bytes" in metrics


def test_a_worker_refuses_to_start_when_settings_are_missing(tmp_path: Path) -> None:
    with command(tmp_path, "worker") as refused:
        assert refused.process.wait(WITHIN_S) == 78
    assert "MEXTRAIN_REDIS_URL: is required" in refused.logged()
    assert "MEXTRAIN_AUTH_SIGNING_KEY: is required" in refused.logged()


def test_a_worker_refuses_to_start_when_its_port_is_taken(
    tmp_path: Path, valkey: EmbeddedValkey
) -> None:
    with _worker(tmp_path, valkey.url) as first:
        eventually(first.serves)
        taken = first.metrics_url.removesuffix("/metrics").rpartition(":")[2]
        with _worker(tmp_path, valkey.url, MEXTRAIN_METRICS_PORT=taken) as second:
            assert second.command.process.wait(WITHIN_S) == 78
        assert f":{taken}" in second.command.logged()
        assert "Traceback" not in second.command.logged()


def test_the_settings_are_checked_without_starting_anything(tmp_path: Path) -> None:
    with command(tmp_path, "config", "check", MEXTRAIN_SERVER_PORT="x") as checked:
        assert checked.process.wait(WITHIN_S) == 1
    assert "MEXTRAIN_SERVER_PORT: " in checked.logged()
