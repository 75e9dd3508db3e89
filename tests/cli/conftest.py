"""A service of the tests' own, and the command line as a person or a script starts it."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Protocol

import pytest

from mextrain_client import MextrainClient
from mextrain_service.cli import main
from mextrain_service.local.discovery import Running
from mextrain_service.local.self_started import self_started

Finished = subprocess.CompletedProcess[str]


class Mextrain(Protocol):
    """Runs ``mextrain`` with these arguments, in a pipe."""

    def __call__(self, *arguments: str, typed: str = "") -> Finished: ...


@pytest.fixture(scope="session")
def service() -> Iterator[Running]:
    """A service that every test of this folder may use."""
    with self_started() as running:
        yield running


@pytest.fixture
def mextrain() -> Mextrain:
    """Run the command line in a process of its own, without a service."""
    return _run


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Mextrain:
    """Run the command line in this process: quicker, where that makes no difference."""

    def run(*arguments: str, typed: str = "") -> Finished:
        monkeypatch.setattr(sys, "argv", ["mextrain", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        monkeypatch.setenv("COLUMNS", "80")
        capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        written = capsys.readouterr()
        assert isinstance(end.value.code, int)
        return Finished([*arguments], end.value.code, written.out, written.err)

    return run


@pytest.fixture
def on_service(service: Running) -> Mextrain:
    """Run the command line in a process of its own, on the service of the tests."""

    def run(*arguments: str, typed: str = "") -> Finished:
        address = ("--endpoint", service.endpoint, "--key", service.platform_key)
        return _run(*arguments, *address, typed=typed)

    return run


@pytest.fixture
def platform(service: Running) -> Iterator[MextrainClient]:
    """A client with the platform's key."""
    with MextrainClient(service.endpoint, service.platform_key) as client:
        yield client


def _run(*arguments: str, typed: str = "") -> Finished:
    names = {"PATH", "HOME", "PYTHONPATH", "TMPDIR"}
    return subprocess.run(
        [sys.executable, "-m", "mextrain_service.cli", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={name: value for name, value in os.environ.items() if name in names},
    )
