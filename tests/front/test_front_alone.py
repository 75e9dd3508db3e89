"""A front in a process of its own, as a container runs it: settings, operator's port, stopping."""

from __future__ import annotations

import signal
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path

import pytest

from mextrain_service.local.discovery import Running
from tests.front.fronts import front_alone
from tests.front.rest import Rest
from tests.polling import WITHIN_S, eventually
from tests.worker.processes import fetch, log_lines

_DRAIN_S = 20


def test_front_serves_the_workers_that_it_is_shown_and_stops_when_told(
    running: Running, tmp_path: Path
) -> None:
    with front_alone(tmp_path, running.endpoint) as front:
        assert 0 == front.command.stop(signal.SIGTERM)


def test_front_shows_operators_its_readiness_and_metrics_and_nothing_that_changes_it(
    running: Running, tmp_path: Path
) -> None:
    with front_alone(tmp_path, running.endpoint) as front:
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
    with front_alone(tmp_path, running.endpoint, MEXTRAIN_SERVER_GRACE_S=str(_DRAIN_S)) as front:
        assert 200 == front.rest.get("/healthz").status
        kept = front.rest.connection()
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
    with front_alone(tmp_path, running.endpoint, MEXTRAIN_LIMITS_MAX_REQUEST_BYTES="1024") as front:
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
