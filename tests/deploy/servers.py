"""Servers of Redis that run with the project's own settings, as an operator starts them."""

from __future__ import annotations

import contextlib
import shutil
import socket
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from mextrain_service.local.embedded import find_server
from mextrain_service.process.child import ChildFailedError, ChildProcess
from tests.storage.valkeys import free_ports

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
REDIS = DEPLOY / "redis"
HOST = "127.0.0.1"
OTHER_HOST = "127.0.0.2"
"""This machine too, but no certificate of the tests is for it."""

WITHIN_S = 60.0
"""How long a program may take to start or to notice, on a machine that is busy."""

PASSWORDS = {"mextrain": "of-the-workers", "exporter": "of-the-exporter", "admin": "of-the-tests"}


def with_tls() -> Path:
    """Return a server that knows TLS; the one in the wheel does not."""
    found = shutil.which("redis-server")
    assert found, "redis-server is missing: `make system` installs it"
    return Path(found)


def exporter() -> Path:
    """Return the exporter that tells Prometheus of a Redis."""
    found = shutil.which("prometheus-redis-exporter")
    assert found, "prometheus-redis-exporter is missing: `make system` installs it"
    return Path(found)


def users(folder: Path) -> Path:
    """Write the example of users with passwords for those that the tests are, and one for them."""
    example = (REDIS / "users.acl.example").read_text()
    text = f"{example}user admin on #SHA-256-of-its-password-in-hex ~* &* +@all\n"
    for name, password in PASSWORDS.items():
        before, marker, after = text.partition(f"user {name} on #SHA-256-of-its-password-in-hex")
        assert marker, name
        text = f"{before}user {name} on #{sha256(password.encode()).hexdigest()}{after}"
    kept = [line for line in text.splitlines() if "SHA-256" not in line]
    path = folder / "users.acl"
    path.write_text("\n".join(kept) + "\n")
    return path


def at_ports(name: str) -> tuple[int, tuple[str, ...]]:
    """Return a free port, and the words that start the server of these settings there."""
    port, bus = free_ports(2)
    more = ("--cluster-port", str(bus)) if name == "cluster.conf" else ()
    return port, (name, "--port", str(port), *more)


@contextlib.contextmanager
def running(folder: Path, *words: str, port: int, program: Path | None = None) -> Iterator[Path]:
    """Run a server with these words, from the folder of the settings, until the context closes.

    Yields:
        its log.
    """
    log = folder / f"redis-{port}.log"
    command = [str(program or find_server()), *words]
    where = ("--bind", HOST, OTHER_HOST, "--dir", str(folder))
    with log.open("w") as output:
        server = ChildProcess([*command, *where], folder=REDIS, stdout=output, stderr=output)
    try:
        server.wait_until(lambda: _listens(port), WITHIN_S)
        yield log
    except ChildFailedError as error:
        raise AssertionError(log.read_text()) from error
    finally:
        server.kill()
        server.join()


def _listens(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection((HOST, port), timeout=5):
        return True
    return False
