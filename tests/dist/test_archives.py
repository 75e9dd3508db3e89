"""What is in the archives of a release, and that they can be made again."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Mapping
from email.parser import HeaderParser
from pathlib import Path
from zipfile import ZipFile

import pytest

from mextrain_service.rpc.contract import contract_files
from tests.project.tree import ROOT, project_files

PACKAGES = {
    "mextrain_arena": ROOT / "service",
    "mextrain_engine": ROOT / "engine",
    "mextrain_service": ROOT / "service",
    "mextrain": ROOT / "proto/gen",
}
CLIENT_PACKAGES = dict.fromkeys(("mextrain", "mextrain_client"), ROOT / "sdk/python/src")


@pytest.fixture(scope="session")
def names(wheel: Path) -> list[str]:
    return _names(wheel)


@pytest.fixture(scope="session")
def client_names(client_wheel: Path) -> list[str]:
    return _names(client_wheel)


def test_wheel_has_every_file_of_its_packages_and_no_other(names: list[str]) -> None:
    assert _files_of(PACKAGES) == {name for name in names if ".dist-info/" not in name}


def test_client_has_every_file_of_its_packages_and_no_other(client_names: list[str]) -> None:
    expected = _files_of(CLIENT_PACKAGES)
    assert {"mextrain_client/py.typed", "mextrain/v1/py.typed"} <= expected
    assert expected == {name for name in client_names if ".dist-info/" not in name}


def test_no_file_is_in_both_wheels(names: list[str], client_names: list[str]) -> None:
    assert set() == set(names) & set(client_names)


def test_wheel_has_what_is_no_python(names: list[str]) -> None:
    kinds = Counter(Path(name).suffix for name in names)
    assert kinds[".lua"] >= 16
    typed = ("mextrain/store", "mextrain_arena", "mextrain_engine", "mextrain_service")
    assert {f"{package}/py.typed" for package in typed} <= set(names)
    pages = "mextrain_service/front/pages"
    for page in ("docs.html", "openapi.json", "table/index.html"):
        assert f"{pages}/{page}" in names


def test_wheels_have_the_contract_that_the_front_is_told(
    names: list[str], client_names: list[str]
) -> None:
    """The descriptor set is made of the generated modules, so these must all be there."""
    ours = [file.name for file in contract_files() if file.name.startswith("mextrain/")]
    assert ours
    generated = {name.replace(".proto", "_pb2.py") for name in ours}
    assert set() == generated - {*names, *client_names}


def test_wheel_has_the_licences_of_all_that_is_in_it(
    names: list[str], client_names: list[str]
) -> None:
    licences = {name.partition("licenses/")[2] for name in names if "/licenses/" in name}
    assert {"LICENSE", "third_party/licences/web.txt"} <= licences
    assert [] != [name for name in client_names if name.endswith("/licenses/LICENSE")]


def test_wheel_says_what_it_is(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        (name,) = (each for each in archive.namelist() if each.endswith("/METADATA"))
        facts = HeaderParser().parsestr(archive.read(name).decode())
    assert "mextrain" == facts["Name"]
    assert wheel.name.split("-")[1] == facts["Version"]
    assert "Apache-2.0" == facts["License-Expression"]
    assert [] == [each for each in facts.get_all("Requires-Dist", []) if "extra ==" not in each]


def test_source_archive_makes_the_same_wheel(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    """It is complete, and a build depends on nothing but the sources and the date of the commit."""
    _require_same(wheel, sdist, tmp_path)


def test_source_archive_of_the_client_makes_the_same_wheel(
    client_wheel: Path, client_sdist: Path, tmp_path: Path
) -> None:
    _require_same(client_wheel, client_sdist, tmp_path)


def _require_same(wheel: Path, sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as archive:
        date = str(archive.getmembers()[0].mtime)
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel"],
        cwd=source,
        env={**os.environ, "SOURCE_DATE_EPOCH": date},
        check=True,
    )
    assert _digest(wheel) == _digest(source / "dist" / wheel.name)


def _names(wheel: Path) -> list[str]:
    with ZipFile(wheel) as archive:
        return archive.namelist()


def _files_of(packages: Mapping[str, Path]) -> set[str]:
    return {
        str(path.relative_to(source))
        for package, source in packages.items()
        for path in project_files()
        if path.is_relative_to(source / package)
    }


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
