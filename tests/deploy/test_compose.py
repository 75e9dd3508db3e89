"""The compose file: valid, hardened, with secrets that are made once; tests/image plays it."""

from __future__ import annotations

import json
import os
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft201909Validator

from tests.deploy.manifests import ROOT
from tests.deploy.servers import DEPLOY

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
    for place in service.get("tmpfs", ()):
        assert place.startswith("/"), place
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


def _made(folder: Path) -> str:
    return subprocess.run(
        [DEPLOY / "secrets.sh", folder, "acme"],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout


def test_secrets_are_made_once_and_are_those_that_the_file_names(tmp_path: Path) -> None:
    assert "mxk_acme_" in _made(tmp_path)
    named = {Path(each["file"]).name for each in compose()["secrets"].values()}
    assert named == {each.name for each in tmp_path.iterdir()}
    before = {each: each.read_bytes() for each in tmp_path.iterdir()}
    assert "" == _made(tmp_path)
    assert before == {each: each.read_bytes() for each in tmp_path.iterdir()}
    assert all(
        name in compose()["secrets"]
        for each in _services().values()
        for name in each.get("secrets", ())
    )


def test_script_of_secrets_needs_nothing_that_a_host_lacks() -> None:
    """It is for people's hosts: bash and the core utilities."""
    assert os.access(DEPLOY / "secrets.sh", os.X_OK)
    subprocess.run(["bash", "-n", DEPLOY / "secrets.sh"], check=True, timeout=60)
