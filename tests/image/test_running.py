"""The image in each of its parts: it plays, says how it is, writes nothing and stops when told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mextrain_service.local.discovery import Running
from mextrain_service.local.local_keys import new_keys
from tests.image.container import WITHIN_S, Container, Image
from tests.polling import eventually
from tests.storage.valkeys import Valkey, free_ports
from tests.worker.processes import alive, children, fetch

pytestmark = pytest.mark.timeout(300)


@dataclass(frozen=True)
class Service:
    """A worker and a front, each in a container of its own.

    Attributes:
        worker: the one.
        front: the other.
        client: the variables with which commands find the front.
        ports: the variables with which ``mextrain health`` finds both.
    """

    worker: Container
    front: Container
    client: dict[str, str]
    ports: dict[str, str]


@pytest.fixture
def service(image: Image, valkey: Valkey, tmp_path: Path) -> Iterator[Service]:
    grpc_port, metrics_port, http_port, admin_port, front_metrics_port = map(str, free_ports(5))
    keys = new_keys()
    worker = {
        "MEXTRAIN_REDIS_URL": f"redis://127.0.0.1:{valkey.port}/0",
        "MEXTRAIN_AUTH_PLATFORM_KEYS": keys.platform_entry(),
        "MEXTRAIN_AUTH_SIGNING_KEY": keys.signing_key,
        "MEXTRAIN_SERVER_PORT": grpc_port,
        "MEXTRAIN_SERVER_DRAIN_DELAY_S": "0.5",
        "MEXTRAIN_METRICS_PORT": metrics_port,
    }
    front = {
        "MEXTRAIN_FRONT_PORT": http_port,
        "MEXTRAIN_FRONT_ADMIN_PORT": admin_port,
        "MEXTRAIN_FRONT_METRICS_PORT": front_metrics_port,
    }
    with (
        image.started(tmp_path / "worker.log", **worker) as a_worker,
        image.started(
            tmp_path / "front.log", "front", "--workers", f"127.0.0.1:{grpc_port}", **front
        ) as a_front,
    ):
        client = {
            "MEXTRAIN_ENDPOINT": f"127.0.0.1:{http_port}",
            "MEXTRAIN_PLATFORM_KEY": keys.platform_key,
        }
        ports = {key: value for key, value in (worker | front).items() if key.endswith("_PORT")}
        yield Service(a_worker, a_front, client, ports)


def _await_readiness(service: Service) -> None:
    """Wait until the front has found the worker well."""
    presets = f"http://{service.client['MEXTRAIN_ENDPOINT']}/v1/presets"
    assert eventually(lambda: 200 == fetch(presets)[0], WITHIN_S)


def test_match_is_played_through_the_front_when_worker_and_front_are_containers(
    image: Image, service: Service, tmp_path: Path
) -> None:
    _await_readiness(service)
    well = image.run(tmp_path, "health", "--ready", **service.ports)
    assert (0, "worker: ready\nfront: LIVE\n", "") == well

    code, said, logged = image.run(tmp_path, "demo", "--json", "--rounds=1", **service.client)
    assert (0, "") == (code, logged)
    assert json.loads(said)["tiles_conserved"] is True

    assert (0, 0) == (service.front.stop(), service.worker.stop())
    code, _, logged = image.run(tmp_path, "health", **service.ports)
    assert (1, "mextrain: Neither a worker nor a front answers here.\n") == (code, logged)


def test_nobody_in_a_container_has_rights(service: Service) -> None:
    _await_readiness(service)
    for container in (service.worker, service.front):
        facts = dict(
            line.split(":\t", 1)
            for line in Path(f"/proc/{container.first}/status").read_text().splitlines()
        )
        assert ["65532"] * 4 == facts["Uid"].split()
        assert ["65532"] * 4 == facts["Gid"].split()
        assert 0 == int(facts["CapEff"], 16) == int(facts["CapPrm"], 16)
        assert "1" == facts["NoNewPrivs"]
        assert "1" == facts["NSpid"].split()[-1]


def test_everything_runs_in_one_container_with_nothing_but_tmp_to_write_to(
    image: Image, tmp_path: Path
) -> None:
    words = ["--json", "--workers=2", "--port=0", "--http-port=0"]
    free = ("FRONT_ADMIN_PORT", "FRONT_METRICS_PORT", "METRICS_PORT")
    settings = {f"MEXTRAIN_{name}": "0" for name in free}
    log = tmp_path / "serve.log"
    with image.started(log, "serve", *words, **settings) as container:
        assert container.process.stdout is not None
        line = container.process.stdout.readline()
        assert line, container.logged()
        running = Running.from_json(line)
        client = {
            "MEXTRAIN_ENDPOINT": running.http_url.removeprefix("http://"),
            "MEXTRAIN_PLATFORM_KEY": running.platform_key,
        }
        code, said, _ = image.run(tmp_path, "demo", "--json", "--rounds=1", **client)
        assert 0 == code
        assert json.loads(said)["moves"] > 0
        mounts = _mounts(container)
        assert ("ro", "rw") == (mounts["/"][0], mounts["/tmp"][0])  # else this test says nothing
        assert 0 == container.stop()


def test_container_that_is_ended_leaves_nothing_running(image: Image, tmp_path: Path) -> None:
    words = ["--json", "--workers=1", "--port=0", "--no-front"]
    with image.started(tmp_path / "log", "serve", *words, MEXTRAIN_METRICS_PORT="0") as container:
        assert container.process.stdout is not None
        assert container.process.stdout.readline(), container.logged()
        inside = {container.first, *children(container.first)}
        assert all(map(alive, inside))
    eventually(lambda: not any(map(alive, inside)), WITHIN_S)


def _mounts(container: Container) -> dict[str, list[str]]:
    lines = Path(f"/proc/{container.first}/mounts").read_text().splitlines()
    return {place: options.split(",") for _, place, _, options, *_ in map(str.split, lines)}


def test_worker_without_settings_says_all_that_is_missing(image: Image, tmp_path: Path) -> None:
    code, said, logged = image.run(tmp_path, "worker")
    assert (78, "") == (code, said)
    for variable in ("REDIS_URL", "AUTH_SIGNING_KEY", "AUTH_PLATFORM_KEYS"):
        assert f"MEXTRAIN_{variable}" in logged


@pytest.mark.parametrize(
    "setting", [("MEXTRAIN_TRACING_ENABLED", "true"), ("MEXTRAIN_SERVER_TRANSPORT", "envoy")]
)
def test_what_is_off_can_be_switched_on(
    setting: tuple[str, str], image: Image, valkey: Valkey, tmp_path: Path
) -> None:
    grpc_port, metrics_port = map(str, free_ports(2))
    keys = new_keys()
    settings = {
        "MEXTRAIN_REDIS_URL": f"redis://127.0.0.1:{valkey.port}/0",
        "MEXTRAIN_AUTH_PLATFORM_KEYS": keys.platform_entry(),
        "MEXTRAIN_AUTH_SIGNING_KEY": keys.signing_key,
        "MEXTRAIN_SERVER_PORT": grpc_port,
        "MEXTRAIN_METRICS_PORT": metrics_port,
        "MEXTRAIN_SERVER_DRAIN_DELAY_S": "0",
        setting[0]: setting[1],
    }
    client = {
        "MEXTRAIN_ENDPOINT": f"127.0.0.1:{grpc_port}",
        "MEXTRAIN_PLATFORM_KEY": keys.platform_key,
    }
    with image.started(tmp_path / "worker.log", "worker", **settings) as worker:
        ready = f"http://127.0.0.1:{metrics_port}/readyz"
        assert eventually(lambda: 200 == fetch(ready)[0], WITHIN_S), worker.logged()
        code, said, logged = image.run(tmp_path, "demo", "--json", "--rounds=1", **client)
        assert (0, "") == (code, logged)
        assert json.loads(said)["moves"] > 0
        assert 0 == worker.stop()
