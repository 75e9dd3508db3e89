"""The compose file: valid, hardened, and all of Mextrain in it as it says, run as its words say."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft201909Validator
from typer.testing import CliRunner

from mextrain_service.cli.app import app
from tests.deploy.manifests import ROOT
from tests.deploy.servers import DEPLOY, HOST, WITHIN_S, exporter, running
from tests.front.rest import Rest, persons
from tests.polling import eventually
from tests.storage.valkeys import free_ports
from tests.worker.processes import command, fetch

Service = dict[str, Any]
_STOP_MARGIN_S = 5


@cache
def compose() -> Any:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))


def _services() -> dict[str, Service]:
    return dict(compose()["services"])


def test_file_is_valid_to_the_letter() -> None:
    schema = json.loads((ROOT / "third_party" / "compose" / "compose-spec.json").read_text("utf-8"))
    schema["$schema"] = Draft201909Validator.META_SCHEMA["$id"]
    problems = [
        f"{error.json_path}: {error.message}"
        for error in Draft201909Validator(schema).iter_errors(compose())
    ]
    assert [] == problems


@pytest.mark.parametrize("name", sorted(_services()))
def test_service_can_change_nothing_but_its_data_and_has_its_limits(name: str) -> None:
    service = _services()[name]
    assert service["read_only"]
    assert ["ALL"] == service["cap_drop"]
    assert ["no-new-privileges:true"] == service["security_opt"]
    assert service["user"].partition(":")[0] not in {"", "0", "root"}
    assert {"cpus", "memory"} == service["deploy"]["resources"]["limits"].keys()
    for volume in service.get("volumes", ()):
        assert volume.endswith(":ro") or not volume.startswith("."), volume
    for port in service.get("ports", ()):
        assert port.startswith("127.0.0.1:")
    # The exporter's image has nothing in it that could ask.
    assert name == "redis-exporter" or "healthcheck" in service


def test_services_wait_for_what_they_need_and_have_a_place_on_the_inner_network() -> None:
    for name, service in _services().items():
        assert "inside" in service["networks"]
        for needed, condition in service.get("depends_on", {}).items():
            assert "healthcheck" in _services()[needed], name
            assert {"condition": "service_healthy"} == condition
    assert compose()["networks"]["inside"]["internal"]


def test_only_fronts_face_strangers() -> None:
    worker = _services()["mextrain-worker"]
    assert "ports" not in worker
    assert ["inside"] == worker["networks"]
    published = {name for name, service in _services().items() if "ports" in service}
    assert {"mextrain-front", "prometheus", "grafana"} == published


def test_workers_and_fronts_get_the_time_that_draining_takes() -> None:
    for name in ("mextrain-worker", "mextrain-front"):
        assert 15 + _STOP_MARGIN_S <= int(_services()[name]["stop_grace_period"].removesuffix("s"))


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("secrets")
    made = _made(folder)
    (folder / "platform-key").write_text(made.strip().rpartition(" ")[2])
    return folder


def _made(folder: Path) -> str:
    return subprocess.run(
        [DEPLOY / "secrets.sh", folder, "acme"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout


def test_secrets_are_made_once_and_are_those_that_the_file_names(secrets: Path) -> None:
    named = {Path(each["file"]).name for each in compose()["secrets"].values()}
    assert named == {each.name for each in secrets.iterdir()} - {"platform-key"}
    before = {each: each.read_bytes() for each in secrets.iterdir()}
    assert "" == _made(secrets)
    assert before == {each: each.read_bytes() for each in secrets.iterdir()}
    assert all(
        name in compose()["secrets"]
        for each in _services().values()
        for name in each.get("secrets", ())
    )


@dataclass(frozen=True)
class Host:
    """What the compose file says, running without containers.

    Attributes:
        front: its HTTP front.
        exporter_url: where Prometheus learns of Redis.
        variables: of the service's own programs, by their names in the file.
    """

    front: Rest
    exporter_url: str
    variables: dict[str, dict[str, str]]


def _variables(name: str, secrets: Path, **more: str) -> dict[str, str]:
    """Return a service's variables, the paths of secrets being those of the tests."""
    given = {key: str(value) for key, value in _services()[name]["environment"].items()}
    return {key: value.replace("/run/secrets", str(secrets)) for key, value in given.items()} | more


@contextlib.contextmanager
def _exporter(secrets: Path, redis_port: int, port: int) -> Iterator[str]:
    """Run the exporter as the compose file does, but for the place of Redis."""
    passwords = secrets / "redis-exporter-passwords"
    there = secrets.parent / f"passwords-{port}"
    there.write_text(passwords.read_text().replace("redis:6379", f"{HOST}:{redis_port}"))
    variables = _variables("redis-exporter", secrets)
    variables |= {
        "REDIS_ADDR": f"redis://{HOST}:{redis_port}",
        "REDIS_PASSWORD_FILE": str(there),
        "REDIS_EXPORTER_WEB_LISTEN_ADDRESS": f"{HOST}:{port}",
    }
    nowhere = subprocess.DEVNULL
    with subprocess.Popen([exporter()], env=variables, stdout=nowhere, stderr=nowhere) as process:
        try:
            yield f"http://{HOST}:{port}/metrics"
        finally:
            process.kill()


@pytest.fixture(scope="module")
def host(secrets: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    folder = tmp_path_factory.mktemp("host")
    redis, worker, metrics, front, admin, operator, exporting = free_ports(7)
    elsewhere = {"/run/secrets/redis-users": str(secrets / "redis-users"), "/data": str(folder)}
    words = [elsewhere.get(word, word) for word in _services()["redis"]["command"]]
    url = (secrets / "redis-url").read_text().replace("redis:6379", f"{HOST}:{redis}")
    (folder / "redis-url").write_text(url)
    with contextlib.ExitStack() as stack:
        stack.enter_context(running(folder, *words, "--port", str(redis), port=redis))
        of_worker = {
            "MEXTRAIN_SERVER_PORT": str(worker),
            "MEXTRAIN_METRICS_PORT": str(metrics),
            "MEXTRAIN_REDIS_URL_FILE": str(folder / "redis-url"),
        }
        of_worker = _variables("mextrain-worker", secrets, **of_worker)
        (role,) = _services()["mextrain-worker"]["command"]
        stack.enter_context(command(folder, role, **of_worker))
        of_front = {
            "MEXTRAIN_FRONT_PORT": str(front),
            "MEXTRAIN_FRONT_ADMIN_PORT": str(admin),
            "MEXTRAIN_FRONT_METRICS_PORT": str(operator),
            "MEXTRAIN_SERVER_GRACE_S": "1",
        }
        role, workers = _services()["mextrain-front"]["command"]
        place = workers.replace("mextrain-worker:7300", f"{HOST}:{worker}")
        variables = _variables("mextrain-front", secrets, **of_front)
        stack.enter_context(command(folder, role, place, **variables))
        key = (secrets / "platform-key").read_text()
        exporter_url = stack.enter_context(_exporter(secrets, redis, exporting))
        roles = {"mextrain-worker": of_worker, "mextrain-front": variables}
        yield Host(Rest(f"http://{HOST}:{front}", key), exporter_url, roles)


def test_host_plays_with_the_secrets_that_were_made(host: Host) -> None:
    def created() -> Any:
        with contextlib.suppress(OSError):
            answer = host.front.post("/v1/games", {"seats": persons("ada", "bob")})
            return answer.body if answer.status == 200 else None
        return None

    game = eventually(created, WITHIN_S)
    game_id = game["game"]["gameId"]
    assert 200 == host.front.post(f"/v1/games/{game_id}:deal").status
    seat = host.front.bearing(game["seatTokens"][0]["token"])
    assert 200 == seat.get(f"/v1/games/{game_id}").status
    stranger = host.front.bearing(f"{host.front.credential}x")
    assert 401 == stranger.get(f"/v1/games/{game_id}").status


@pytest.mark.parametrize("name", ["mextrain-worker", "mextrain-front"])
def test_check_of_the_file_finds_a_program_well(name: str, host: Host) -> None:
    word, program, *check = _services()[name]["healthcheck"]["test"]
    assert ("CMD", "mextrain") == (word, program)
    nobody, nothing = free_ports(2)  # in a container there is one program
    alone = {"MEXTRAIN_METRICS_PORT": str(nobody), "MEXTRAIN_FRONT_ADMIN_PORT": str(nothing)}

    def well() -> str | None:
        found = CliRunner().invoke(app, check, env=alone | host.variables[name])
        return found.output if found.exit_code == 0 else None

    assert name.removeprefix("mextrain-") in eventually(well, WITHIN_S)


def test_exporter_reaches_redis_as_the_user_that_was_made_for_it(host: Host) -> None:
    metrics = eventually(lambda: fetch(host.exporter_url)[1], WITHIN_S)
    own = [line for line in metrics.splitlines() if line.startswith("redis_")]
    assert "redis_up 1" in own
    assert "redis_memory_max_bytes 5.36870912e+08" in own
    assert any('maxmemory_policy="noeviction"' in line for line in own)


def test_script_of_secrets_needs_nothing_that_a_host_lacks() -> None:
    """It is for people's hosts: bash and the core utilities."""
    assert os.access(DEPLOY / "secrets.sh", os.X_OK)
    subprocess.run(["bash", "-n", DEPLOY / "secrets.sh"], check=True, timeout=60)
