"""The lock file, the project file and the generated code speak of the same versions."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.project.tree import ROOT
from tools.libpython_package import package

CLIENT = ROOT / "sdk" / "python"
GENERATED = CLIENT / "src" / "mextrain" / "v1"


@cache
def _project(folder: Path = ROOT) -> dict[str, Any]:
    return tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))


@cache
def _pins() -> dict[str, Version]:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    found = re.findall(r"^([\w.-]+)==([^\s;\\]+)", lock, re.MULTILINE)
    return {canonicalize_name(name): Version(version) for name, version in found}


def _requirements() -> list[Requirement]:
    extras = _project()["project"]["optional-dependencies"].values()
    groups = _project()["dependency-groups"].values()
    client = _project(CLIENT)["project"]["dependencies"]
    texts = [text for group in (*extras, *groups, client) for text in group]
    return [Requirement(text) for text in texts if not text.startswith("mextrain")]


def _lower_bound(name: str) -> str:
    (requirement,) = (each for each in _requirements() if each.name == name)
    return str(requirement.specifier).removeprefix(">=")


def test_engine_has_no_dependency() -> None:
    assert _project()["project"]["dependencies"] == []


@pytest.mark.parametrize("requirement", _requirements(), ids=str)
def test_lock_satisfies_requirement(requirement: Requirement) -> None:
    assert requirement.specifier.contains(_pins()[canonicalize_name(requirement.name)])


def test_every_pin_carries_a_hash() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    blocks = re.split(r"^(?=[\w.-]+==)", lock, flags=re.MULTILINE)[1:]
    assert [block.split()[0] for block in blocks if "--hash=sha256:" not in block] == []


def test_grpcio_is_at_least_the_version_that_generated_the_stubs() -> None:
    stubs = (GENERATED / "game_service_pb2_grpc.py").read_text(encoding="utf-8")
    found = re.search(r"GRPC_GENERATED_VERSION = '([\d.]+)'", stubs)
    assert found is not None
    assert found[1] == _lower_bound("grpcio")


def test_protobuf_is_at_least_the_version_that_generated_the_messages() -> None:
    messages = (GENERATED / "tile_pb2.py").read_text(encoding="utf-8")
    found = re.search(r"^# Protobuf Python Version: ([\d.]+)$", messages, re.MULTILINE)
    assert found is not None
    assert found[1] == _lower_bound("protobuf")


def test_client_has_the_version_of_the_service_that_depends_on_it() -> None:
    version = _project()["project"]["version"]
    assert version == _project(CLIENT)["project"]["version"]
    assert (
        f"mextrain-client=={version}" in _project()["project"]["optional-dependencies"]["service"]
    )


def test_folder_of_generated_packages_is_no_package_as_two_wheels_share_its_name() -> None:
    folders = (ROOT / "proto", ROOT / "proto" / "gen" / "mextrain", GENERATED.parent)
    assert [] == [folder for folder in folders if (folder / "__init__.py").exists()]


def test_client_carries_the_licence_of_the_project() -> None:
    assert (ROOT / "LICENSE").read_bytes() == (CLIENT / "LICENSE").read_bytes()


@pytest.mark.parametrize(
    ("expected", "base_prefix"),
    [("libpython3.13", "/usr"), ("", "/usr/local"), ("", "/opt/python/3.13.1")],
)
def test_system_installs_the_library_of_a_python_that_is_debians(
    expected: str, base_prefix: str
) -> None:
    assert expected == package(base_prefix, (3, 13))
