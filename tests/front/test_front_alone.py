"""A front in a process of its own, as a container runs it: settings, operator's port, stopping."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

import pytest

from mextrain_service.local.discovery import Running
from mextrain_service.process.ports import free_ports
from tests.front.rest import Rest
from tests.polling import WITHIN_S, eventually
from tests.worker.processes import Command, command, fetch, log_lines

_HOST = "127.0.0.1"
_DRAIN_S = 20


@dataclass(frozen=True)
class Front:
    """A front that runs by itself.

    Attributes:
        command: its process.
        port: of clients.
        operator_url: its operator's port.
    """

    command: Command
    port: int
    operator_url: str

    @property
    def rest(self) -> Rest:
        return Rest(f"http://{_HOST}:{self.port}")

    def serves(self) -> bool:
        """Whether a call comes through."""
        try:
            return self.rest.get("/v1/presets").status == 200
        except OSError:
            return False


@contextmanager
def _front(folder: Path, workers: str, **variables: str) -> Iterator[Front]:
    port, admin_port, operator_port = free_ports(_HOST, 3)
    settings = {
        "MEXTRAIN_FRONT_PORT": str(port),
        "MEXTRAIN_FRONT_ADMIN_PORT": str(admin_port),
        "MEXTRAIN_FRONT_METRICS_PORT": str(operator_port),
        "MEXTRAIN_SERVER_DRAIN_DELAY_S": "0",
        "MEXTRAIN_SERVER_GRACE_S": "1",
        **variables,
    }
    with command(folder, "front", f"--workers={workers}", **settings) as started:
        front = Front(started, port, f"http://{_HOST}:{operator_port}")
        assert eventually(front.serves, 60), started.logged()
        yield front


def test_front_serves_the_workers_that_it_is_shown_and_stops_when_told(
    running: Running, tmp_path: Path
) -> None:
    with _front(tmp_path, running.endpoint) as front:
        assert 0 == front.command.stop(signal.SIGTERM)


def test_front_shows_operators_its_readiness_and_metrics_and_nothing_that_changes_it(
    running: Running, tmp_path: Path
) -> None:
    with _front(tmp_path, running.endpoint) as front:
        assert (200, "LIVE\n") == fetch(f"{front.operator_url}/ready")
        status, metrics = fetch(f"{front.operator_url}/stats/prometheus")
        assert 200 == status
        assert 'envoy_cluster_membership_healthy{envoy_cluster_name="workers"} 1' in metrics
        for path in ("/", "/quitquitquit", "/config_dump", "/drain_listeners", "/stats"):
            assert 404 == fetch(f"{front.operator_url}{path}")[0], path
        assert 404 == Rest(front.operator_url).call("POST", "/ready").status


def test_front_goes_on_serving_while_it_drains_and_lets_connections_go(
    running: Running, tmp_path: Path
) -> None:
    """Balancers learn of a stop late: until they have, new connections must find a front."""
    with _front(tmp_path, running.endpoint, MEXTRAIN_SERVER_GRACE_S=str(_DRAIN_S)) as front:
        assert 200 == front.rest.get("/healthz").status
        kept = HTTPConnection(_HOST, front.port, timeout=WITHIN_S)
        assert not _told_to_go(kept)

        front.command.process.send_signal(signal.SIGTERM)

        assert eventually(lambda: front.rest.get("/healthz").status == 503, 60)
        assert front.serves()
        assert eventually(lambda: _told_to_go(kept)), "the chance to be told grows while it drains"
        assert front.command.process.poll() is None
        front.command.process.send_signal(signal.SIGTERM)  # in a hurry
        assert 0 == front.command.process.wait(WITHIN_S)
        assert any(line["event"] == "draining" for line in log_lines(front.command.logged()))


def test_front_takes_limits_from_the_same_variables_as_workers(
    running: Running, tmp_path: Path
) -> None:
    with _front(tmp_path, running.endpoint, MEXTRAIN_LIMITS_MAX_REQUEST_BYTES="1024") as front:
        answer = front.rest.post("/v1/games", {"seats": "x" * 2_000})
        assert (413, "REQUEST_TOO_LARGE") == answer.refused


@pytest.mark.parametrize(
    ("variable", "words"),
    [
        ("MEXTRAIN_FRONT_PROT", "unknown setting; did you mean MEXTRAIN_FRONT_PORT?"),
        ("MEXTRAIN_FRONT_THREADS", "should be greater than or equal to 1"),
    ],
)
def test_front_says_what_is_wrong_with_its_settings(variable: str, words: str) -> None:
    refused = subprocess.run(
        [sys.executable, "-P", "-m", "mextrain_service.cli", "front", "--workers=localhost:1"],
        env={"PATH": "", variable: "0", "MEXTRAIN_REDIS_URL": "of no concern to a front"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert 78 == refused.returncode
    assert f"{variable}: {words}" in refused.stderr


def _told_to_go(connection: HTTPConnection) -> bool:
    connection.request("GET", "/v1/presets")
    with connection.getresponse() as answer:
        answer.read()
        return answer.getheader("connection") == "close"
