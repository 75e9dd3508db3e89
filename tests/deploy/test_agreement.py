"""Settings, manifests, compose file and documents: what one of them says, the others say too."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

from mextrain_service.cli.app import app
from mextrain_service.settings.loading import load, load_front
from mextrain_service.settings.model import (
    FrontSettings,
    MetricsSettings,
    ServerSettings,
    variables,
)
from tests.deploy.manifests import OVERLAYS, ROOT, containers, named, of_kind, ports, settings
from tests.deploy.servers import DEPLOY
from tests.deploy.test_compose import compose

_VARIABLE = re.compile(r"\bMEXTRAIN_[A-Z0-9]+(?:_[A-Z0-9]+)+\b")
_ROLES = ("mextrain-worker", "mextrain-front")
_VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
_NOT_SETTINGS = {"MEXTRAIN_WORKER_PORT", "MEXTRAIN_IMAGE"}
"""A variable that must not come into being, and one of the compose file's own."""


def _texts() -> Iterator[Path]:
    for folder in (ROOT / "k8s", DEPLOY):
        for path in folder.rglob("*"):
            if path.is_file() and path.suffix in {".yaml", ".yml", ".env", ".md", ".conf", ".sh"}:
                yield path
    yield ROOT / "docs" / "operations.md"
    yield ROOT / "docs" / "image.md"


def test_every_variable_that_is_spoken_of_is_a_setting() -> None:
    known = {*variables(), *_NOT_SETTINGS}
    unknown = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in _texts()
        for name in _VARIABLE.findall(path.read_text("utf-8"))
        if name not in known
    }
    assert set() == unknown


def test_every_setting_is_documented() -> None:
    document = (ROOT / "docs" / "settings.md").read_text("utf-8")
    assert [] == [name for name in variables() if f"| `{name}` |" not in document]


def _in_files(given: Mapping[str, str], secrets: Mapping[str, str], folder: Path) -> dict[str, str]:
    """Return the variables with files of secrets in the folder."""
    for name, text in secrets.items():
        (folder / name).write_text(text)
    return {
        name: str(folder / Path(value).name) if name.endswith("_FILE") else value
        for name, value in given.items()
    }


@pytest.fixture
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in variables():
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


_SECRETS = {
    "redis-url": "redis://redis:6379/0",
    "signing-key": "a-signing-key-of-32-characters-or-more",
    "platform-keys": f"acme:{'ab' * 32}",
}


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_workers_and_fronts_take_the_settings_of_an_overlay(
    overlay: str, nothing_set: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = settings(overlay)
    template = named(overlay, "Deployment", "mextrain-worker")["spec"]["template"]
    (volume,) = (each for each in template["spec"]["volumes"] if each["name"] == "secrets")
    assert all(
        value.startswith("/etc/mextrain/secrets/") and Path(value).name in _SECRETS
        for name, value in found.items()
        if name.endswith("_FILE")
    )
    for secret in of_kind(overlay, "Secret"):
        assert _SECRETS.keys() == secret["data"].keys()
        assert secret["metadata"]["name"] == volume["secret"]["secretName"]
    for name, value in _in_files(found, _SECRETS, tmp_path).items():
        nothing_set.setenv(name, value)
    assert "0.0.0.0" == load().server.host  # noqa: S104
    assert "0.0.0.0" == load_front().front.host  # noqa: S104


def test_workers_and_fronts_take_the_settings_of_the_compose_file(
    nothing_set: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    services = compose()["services"]
    for name, value in _in_files(
        services["mextrain-worker"]["environment"], _SECRETS, tmp_path
    ).items():
        nothing_set.setenv(name, value)
    assert "0.0.0.0" == load().metrics.host  # noqa: S104
    for name in services["mextrain-worker"]["environment"]:
        nothing_set.delenv(name)
    for name, value in services["mextrain-front"]["environment"].items():
        nothing_set.setenv(name, value)
    assert "0.0.0.0" == load_front().metrics.host  # noqa: S104


def _ports() -> dict[str, dict[str, int]]:
    """Return the ports of a worker and of a front, as the settings have them."""
    return {
        "mextrain-worker": {"grpc": ServerSettings().port, "operator": MetricsSettings().port},
        "mextrain-front": {"http": FrontSettings().port, "operator": FrontSettings().metrics_port},
    }


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_ports_of_pods_are_those_of_the_settings(overlay: str) -> None:
    for name, wanted in _ports().items():
        assert wanted == ports(named(overlay, "Deployment", name)["spec"]["template"])


def test_ports_of_the_image_are_those_of_the_settings() -> None:
    document = (ROOT / "docs" / "image.md").read_text("utf-8")
    (worker,) = re.findall(r"^\| a worker \|.*$", document, re.MULTILINE)
    (front,) = re.findall(r"^\| the HTTP front.*$", document, re.MULTILINE)
    assert all(str(port) in worker for port in _ports()["mextrain-worker"].values())
    assert all(str(port) in front for port in _ports()["mextrain-front"].values())


def test_prometheus_asks_the_ports_of_the_settings_under_the_names_of_the_rules() -> None:
    scraped = yaml.safe_load((DEPLOY / "prometheus" / "prometheus.yml").read_text("utf-8"))
    found = {
        job["job_name"]: (place["names"], place["port"])
        for job in scraped["scrape_configs"]
        for place in job.get("dns_sd_configs", ())
    }
    for name, wanted in _ports().items():
        assert ([name], wanted["operator"]) == found[name]
    assert set(compose()["services"]) >= {name for names, _ in found.values() for name in names}


def _commands() -> Iterator[tuple[str, list[str]]]:
    for name in _ROLES:
        yield name, compose()["services"][name]["command"]
        for overlay in OVERLAYS:
            template = named(overlay, "Deployment", name)["spec"]["template"]
            yield name, next(containers(template))["args"]


def test_commands_are_those_of_the_program() -> None:
    program: Any = get_command(app)
    for name, (command, *options) in _commands():
        parameters = program.get_command(None, command).params
        known = {option for parameter in parameters for option in parameter.opts}
        assert {option.partition("=")[0] for option in options} <= known
        asked = [option for option in options if option.startswith("--workers=")]
        port = _ports()["mextrain-worker"]["grpc"]
        assert asked == ([f"--workers=mextrain-worker:{port}"] if name == "mextrain-front" else [])


def test_image_is_of_this_version_and_runs_as_its_own_user() -> None:
    document = (ROOT / "docs" / "image.md").read_text("utf-8")
    for name in _ROLES:
        service = compose()["services"][name]
        assert service["image"] == f"${{MEXTRAIN_IMAGE:-mextrain:{_VERSION}}}"
        assert f"| user | `{service['user']}`" in document
        for overlay in OVERLAYS:
            template = named(overlay, "Deployment", name)["spec"]["template"]
            image = next(containers(template))["image"]
            assert image.rpartition("/")[2] == f"mextrain:{_VERSION}"
            security = template["spec"]["securityContext"]
            assert f"`{security['runAsUser']}:{security['runAsGroup']}`" in document


def test_what_redis_must_never_do_is_said_wherever_one_is_started() -> None:
    redis = named("dev", "Deployment", "redis")["spec"]["template"]["spec"]["containers"][0]
    assert "--maxmemory-policy=noeviction" in redis["args"]
    assert "single.conf" == compose()["services"]["redis"]["command"][0]
