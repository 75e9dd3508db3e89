"""What ``make dist`` built, and environments of their own to install it in."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.project.tree import ROOT

_UV = str(Path(sys.executable).with_name("uv"))
_WITHIN_S = 240


@dataclass(frozen=True)
class Environment:
    """An environment with nothing in it but what was asked for.

    Attributes:
        folder: where it is.
    """

    folder: Path

    def run(self, program: str, *words: str) -> tuple[int, str, str]:
        """Run a program of it, away from the tree; return its exit code, output and complaints."""
        done = subprocess.run(
            self.command(program, *words),
            cwd=self.folder,
            env=self.variables,
            capture_output=True,
            check=False,
            text=True,
            timeout=_WITHIN_S,
        )
        return done.returncode, done.stdout, done.stderr

    def command(self, program: str, *words: str) -> list[str]:
        return [str(self.folder / "bin" / program), *words]

    @property
    def variables(self) -> dict[str, str]:
        """The environment's variables: none of the project's or of this interpreter's."""
        outside = ("MEXTRAIN_", "PYTHON", "VIRTUAL_ENV")
        kept = {key: value for key, value in os.environ.items() if not key.startswith(outside)}
        return {**kept, "XDG_RUNTIME_DIR": str(self.folder), "COLUMNS": "120"}


def _only(pattern: str) -> Path:
    found = list((ROOT / "dist").glob(pattern))
    assert len(found) == 1, "build it first: make dist"
    return found[0]


@pytest.fixture(scope="session")
def wheel() -> Path:
    return _only("mextrain-*.whl")


@pytest.fixture(scope="session")
def sdist() -> Path:
    return _only("mextrain-*.tar.gz")


@pytest.fixture(scope="session")
def client_wheel() -> Path:
    return _only("mextrain_client-*.whl")


@pytest.fixture(scope="session")
def client_sdist() -> Path:
    return _only("mextrain_client-*.tar.gz")


@pytest.fixture(scope="session")
def alone(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Where somebody ran ``pip install mextrain``."""
    return _environment(tmp_path_factory.mktemp("alone"), f"mextrain @ {wheel.as_uri()}")


@pytest.fixture(scope="session")
def served(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Where somebody ran ``pip install 'mextrain[service]'``."""
    return _environment(tmp_path_factory.mktemp("served"), f"mextrain[service] @ {wheel.as_uri()}")


@pytest.fixture(scope="session")
def calling(client_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """Where somebody ran ``pip install mextrain-client``."""
    folder = tmp_path_factory.mktemp("calling")
    return _environment(folder, f"mextrain-client @ {client_wheel.as_uri()}")


def _environment(folder: Path, requirement: str) -> Environment:
    _uv("venv", "--quiet", "--python", sys.executable, str(folder))
    locked = ("--constraint", str(ROOT / "requirements-service.lock"))
    ours = ("--find-links", str(ROOT / "dist"))
    _uv("pip", "install", "--quiet", "--python", str(folder), *locked, *ours, requirement)
    return Environment(folder)


def _uv(*words: str) -> None:
    subprocess.run([_UV, *words], check=True, timeout=_WITHIN_S)
