"""The image in each of its parts: it plays, says how it is, writes nothing and stops when told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mextrain_service.local.discovery import Running
from mextrain_service.local.local_keys import LocalKeys, new_keys
from tests.front.rest import Rest, persons
from tests.image.container import Container, Image
from tests.polling import eventually
from tests.worker.processes import alive, children, fetch

pytestmark = pytest.mark.timeout(300)


@dataclass(frozen=True)
class Service:
    """A worker and a front, each in a container of its own.

    Attributes:
        worker: the one.
        front: the other.
        key: the platform's.
    """

    worker: Container
    front: Container
    key: str

    @property
    def rest(self) -> Rest:
        """The platform, at the port of the front that is published on this machine."""
        return Rest(f"http://{self.front.place(7380)}", self.key)


def _settings(keys: LocalKeys, redis_url: str) -> dict[str, str]:
    return {
        "MEXTRAIN_REDIS_URL": redis_url,
        "MEXTRAIN_AUTH_PLATFORM_KEYS": keys.platform_entry(),
        "MEXTRAIN_AUTH_SIGNING_KEY": keys.signing_key,
        "MEXTRAIN_SERVER_DRAIN_DELAY_S": "0.5",
    }


@pytest.fixture
def service(image: Image, redis_url: str) -> Iterator[Service]:
    keys = new_keys()
    with image.started(published=(), **_settings(keys, redis_url)) as worker:
        words = ("front", "--workers", f"{worker.name}:7300")
        with image.started(*words, published=[7380]) as front:
            presets = f"http://{front.place(7380)}/v1/presets"
            eventually(lambda: fetch(presets)[0] == 200)
            yield Service(worker, front, keys.platform_key)


def test_match_is_played_through_the_front_when_worker_and_front_are_containers(
    image: Image, service: Service
) -> None:
    game = service.rest.post("/v1/games", {"seats": persons("ada", "bob")}).body["game"]
    assert 200 == service.rest.post(f"/v1/games/{game['gameId']}:deal").status

    client = {"MEXTRAIN_PLATFORM_KEY": service.key, "MEXTRAIN_ENDPOINT": "127.0.0.1:7380"}
    code, said, logged = service.front.run("demo", "--json", "--rounds=1", **client)
    assert (0, "") == (code, logged)
    assert json.loads(said)["tiles_conserved"] is True


def test_container_says_how_it_is(image: Image, service: Service) -> None:
    assert (0, "worker: ready\n", "") == service.worker.run("health", "--ready")
    assert (0, "front: LIVE\n", "") == service.front.run("health", "--ready")
    assert (0, 0) == (service.worker.check(), service.front.check())
    code, _, logged = image.run("health")
    assert (1, "mextrain: Neither a worker nor a front answers here.\n") == (code, logged)


def test_container_that_is_stopped_ends_well_within_its_grace(service: Service) -> None:
    assert (0, 0) == (service.front.stop(), service.worker.stop())


def test_nobody_in_a_container_has_rights(service: Service) -> None:
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


def test_everything_runs_in_one_container_with_nothing_but_tmp_to_write_to(image: Image) -> None:
    words = ("serve", "--json", "--workers=2")
    with image.started(*words, published=[7300, 7380]) as container:
        running = _running(container)
        presets = f"http://{container.place(7380)}/v1/presets"
        assert 200 == fetch(presets)[0]
        client = {"MEXTRAIN_PLATFORM_KEY": running.platform_key}
        client["MEXTRAIN_ENDPOINT"] = f"{container.name}:7300"
        code, said, _ = image.run("demo", "--json", "--rounds=1", **client)
        assert 0 == code
        assert json.loads(said)["moves"] > 0
        assert {"/tmp"} == _writable(container)
        assert 0 == container.stop()


def _running(container: Container) -> Running:
    line = eventually(container.said)
    return Running.from_json(line)


def _writable(container: Container) -> set[str]:
    """Return where files can be made, apart from the kernel's and the devices' own places."""
    lines = Path(f"/proc/{container.first}/mounts").read_text().splitlines()
    return {
        place
        for _, place, _, options, *_ in map(str.split, lines)
        if options.split(",")[0] == "rw" and not place.startswith(("/dev", "/proc", "/sys"))
    }


def test_container_that_is_ended_leaves_nothing_running(image: Image) -> None:
    with image.started("serve", "--json", "--workers=1", "--no-front") as container:
        _running(container)
        inside = {container.first, *children(container.first)}
        assert all(map(alive, inside))
    eventually(lambda: not any(map(alive, inside)))


def test_worker_without_settings_says_all_that_is_missing(image: Image) -> None:
    code, said, logged = image.run("worker")
    assert (78, "") == (code, said)
    for variable in ("REDIS_URL", "AUTH_SIGNING_KEY", "AUTH_PLATFORM_KEYS"):
        assert f"MEXTRAIN_{variable}" in logged


@pytest.mark.parametrize(
    "setting", [("MEXTRAIN_TRACING_ENABLED", "true"), ("MEXTRAIN_SERVER_TRANSPORT", "envoy")]
)
def test_what_is_off_can_be_switched_on(
    setting: tuple[str, str], image: Image, redis_url: str
) -> None:
    keys = new_keys()
    settings = {**_settings(keys, redis_url), setting[0]: setting[1]}
    client = {"MEXTRAIN_ENDPOINT": "127.0.0.1:7300", "MEXTRAIN_PLATFORM_KEY": keys.platform_key}
    with image.started(published=[7390], **settings) as worker:
        ready = f"http://{worker.place(7390)}/readyz"
        eventually(lambda: fetch(ready)[0] == 200)
        code, said, logged = worker.run("demo", "--json", "--rounds=1", **client)
        assert (0, "") == (code, logged)
        assert json.loads(said)["moves"] > 0
        assert 0 == worker.stop()
