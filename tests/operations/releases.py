"""Releases of the service side by side: this one, and those that would come after it.

A later release is this one with the two numbers changed by which stored games are told apart, as
the policy has it: a form of stored games is read one release before any worker writes it.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import signal
import socket
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import mextrain_service
from mextrain_service.local.local_keys import LocalKeys
from mextrain_service.storage.record import READABLE, SCHEMA
from tests.polling import eventually
from tests.worker.processes import Command, command, fetch

_PACKAGE = Path(mextrain_service.__file__).parent
_RECORD = "storage/record.py"


def later_release(folder: Path, *, writes: int, reads: int) -> Path:
    """Make a copy of the service that writes and reads other forms of stored games.

    Returns:
        What is to come first on the path of Python.
    """
    folder.mkdir()
    copy = folder / _PACKAGE.name
    shutil.copytree(_PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    record = copy / _RECORD
    text = record.read_text()
    for name, value, present in (("SCHEMA", writes, SCHEMA), ("READABLE", reads, READABLE)):
        text, found = re.subn(
            rf"^{name} = {present}$", f"{name} = {value}", text, flags=re.MULTILINE
        )
        assert found == 1, name
    record.write_text(text)
    return folder


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port


@dataclass
class Fleet:
    """Workers of several releases on one store, each on one of a fixed number of addresses.

    Attributes:
        ports: the addresses; a client knows all of them.
        running: the workers that run, by their port.
    """

    folder: Path
    redis_url: str
    keys: LocalKeys
    ports: tuple[int, ...]
    running: dict[int, Command] = field(default_factory=dict)

    @property
    def endpoint(self) -> str:
        """All addresses, as gRPC takes them."""
        return "ipv4:" + ",".join(f"127.0.0.1:{port}" for port in self.ports)

    def start(self, stack: contextlib.ExitStack, release: Path | None = None) -> int:
        """Start a worker of a release, this one by default; return its port when it is ready."""
        port = next(port for port in self.ports if port not in self.running)
        metrics = free_port()
        variables = {
            "MEXTRAIN_SERVER_PORT": str(port),
            "MEXTRAIN_SERVER_HOST": "127.0.0.1",
            "MEXTRAIN_METRICS_PORT": str(metrics),
            "MEXTRAIN_SERVER_DRAIN_DELAY_S": "0",
            "MEXTRAIN_REDIS_URL": self.redis_url,
            "MEXTRAIN_AUTH_SIGNING_KEY": self.keys.signing_key,
            "MEXTRAIN_AUTH_PLATFORM_KEYS": self.keys.platform_entry(),
            "MEXTRAIN_LOGGING_FORMAT": "json",
            **({} if release is None else {"PYTHONPATH": str(release)}),
        }
        started = stack.enter_context(command(self.folder, "worker", **variables))
        eventually(lambda: fetch(f"http://127.0.0.1:{metrics}/readyz")[0] == 200)
        self.running[port] = started
        return port

    def stop(self, port: int) -> int:
        """Ask a worker to stop, as Kubernetes does; return its exit code."""
        return self.running.pop(port).stop(signal.SIGTERM)

    def complaints(self) -> list[str]:
        """Return the lines that workers logged as errors."""
        return [
            line
            for log in self.folder.glob("worker.*.log")
            for line in log.read_text().splitlines()
            if "Traceback" in line or '"level":"error"' in line
        ]


@contextlib.contextmanager
def fleet(folder: Path, redis_url: str, keys: LocalKeys, size: int) -> Iterator[Fleet]:
    """Run workers until the context closes, which stops those that still run."""
    workers = Fleet(folder, redis_url, keys, tuple(free_port() for _ in range(size)))
    yield workers
    for port in tuple(workers.running):
        workers.stop(port)
