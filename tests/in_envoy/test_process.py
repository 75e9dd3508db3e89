"""A service whose workers are inside Envoy starts, loses one, drains and stops as any other."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from mextrain_client import MextrainClient, MextrainError
from tests.front.rest import Rest
from tests.polling import WITHIN_S, eventually
from tests.rpc.serving import persons
from tests.worker.processes import Command, alive, command, log_lines, served, workers
from tests.worker.reflection import named

_HOSTED = {"MEXTRAIN_SERVER_TRANSPORT": "envoy"}


def _open_folders(pid: int) -> set[Path]:
    """Return the folders that a process holds on to."""
    held = {path.readlink() for path in Path(f"/proc/{pid}/fd").iterdir()}
    return {path for path in held if path.is_dir() and path.name.startswith("mextrain-worker-")}


def _calls(service: Command) -> bool:
    running = service.running
    try:
        with MextrainClient(running.endpoint, running.platform_key) as host:
            return bool(host.create_game(persons(2)).game.game_id)
    except MextrainError:
        return False


def test_service_is_there_in_every_language_and_leaves_nothing_when_it_is_stopped(
    tmp_path: Path,
) -> None:
    with served(tmp_path, "--workers=1", **_HOSTED) as service:
        running = service.running
        (worker,) = workers(service.process.pid)
        (folder,) = _open_folders(worker)
        assert _calls(service)
        rest = Rest(running.http_url, running.platform_key)
        assert 200 == rest.get("/v1/presets").status
        assert (404, "ROUTE_NOT_FOUND") == rest.get("/v1/nothing").refused
        with grpc.insecure_channel(running.endpoint) as channel:
            for version in ("v1", "v1alpha"):
                assert {"mextrain.v1.GameService", "grpc.health.v1.Health"} <= named(
                    channel, version
                )
        assert 0 == service.stop(signal.SIGTERM)
        assert not alive(worker)
        assert not folder.exists()


def test_worker_is_started_again_when_it_is_killed(tmp_path: Path) -> None:
    with served(tmp_path, "--workers=1", "--no-front", **_HOSTED) as service:
        (worker,) = workers(service.process.pid)
        os.kill(worker, signal.SIGKILL)
        eventually(lambda: workers(service.process.pid) - {worker}, within_s=WITHIN_S)
        eventually(lambda: _calls(service), within_s=WITHIN_S)


def test_stream_is_told_to_go_elsewhere_when_the_service_stops(tmp_path: Path) -> None:
    with served(tmp_path, "--workers=1", "--no-front", **_HOSTED) as service:
        running = service.running
        with grpc.insecure_channel(running.endpoint) as channel:
            health = health_pb2_grpc.HealthStub(channel).Watch(health_pb2.HealthCheckRequest())
            assert health_pb2.HealthCheckResponse.SERVING == next(health).status
            service.process.send_signal(signal.SIGTERM)
            assert health_pb2.HealthCheckResponse.NOT_SERVING == next(health).status
            health.cancel()
        assert 0 == service.process.wait(WITHIN_S)
        assert not [line for line in log_lines(service.logged()) if line["level"] == "error"]


def test_service_ends_when_the_folders_of_its_workers_are_gone(tmp_path: Path) -> None:
    with served(tmp_path, "--workers=1", "--no-front", **_HOSTED) as service:
        (worker,) = workers(service.process.pid)
        (folder,) = _open_folders(worker)
        shutil.rmtree(folder)
        assert 0 == service.stop(signal.SIGTERM)
        assert not alive(worker)
        assert "did not stop in time" not in service.logged()


def test_worker_refuses_to_start_inside_envoy_when_only_one_port_is_to_be_encrypted(
    tmp_path: Path,
) -> None:
    files = {
        "MEXTRAIN_SERVER_TLS_CERT_FILE": str(tmp_path / "certificate.pem"),
        "MEXTRAIN_SERVER_TLS_KEY_FILE": str(tmp_path / "key.pem"),
        "MEXTRAIN_FRONT_CLEARTEXT": "true",
    }
    with command(tmp_path, "serve", "--port=0", **_HOSTED, **files) as started:
        assert 1 == started.process.wait(WITHIN_S)
        assert "encrypts both ports or neither" in started.logged()
