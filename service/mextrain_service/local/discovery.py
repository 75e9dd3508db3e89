"""Lets a command in another terminal find the service that runs on this machine.

The file is locked while its service lives, so one left by a crash is told from a live one.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import stat
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Running:
    """A service that takes calls.

    Attributes:
        endpoint: ``host:port`` of its gRPC port.
        platform_key: the API key that it made for itself; empty if its keys are in its settings.
        platform_id: whose key that is; empty likewise.
        metrics_urls: one per worker.
        pid: the process that supervises it.
        http_url: where its HTTP front is; empty if it has none.
        redis_url: the address of the Valkey that it started for itself; empty if it has none.
    """

    endpoint: str
    platform_key: str
    platform_id: str = ""
    metrics_urls: tuple[str, ...] = ()
    pid: int = 0
    http_url: str = ""
    redis_url: str = ""

    def to_json(self) -> str:
        """Return the attributes as one line of JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str | bytes) -> Running:
        """Read what ``to_json`` wrote.

        Raises:
            ValueError: the text is something else.
        """
        match json.loads(text):
            case {
                "endpoint": str(endpoint),
                "platform_key": str(platform_key),
                "platform_id": str(platform_id),
                "metrics_urls": [*urls],
                "pid": int(pid),
                "http_url": str(http_url),
                "redis_url": str(redis_url),
            }:
                workers = tuple(map(str, urls))
                return cls(endpoint, platform_key, platform_id, workers, pid, http_url, redis_url)
        message = "this does not describe a running service"
        raise ValueError(message)


@contextlib.contextmanager
def announced(running: Running) -> Iterator[Path]:
    """Let ``find_running`` find this service while the context is open.

    Yields:
        the file that says so, readable by this user only.
    """
    folder = _folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_ours_alone(folder):
        message = f"{folder} belongs to somebody else or is open to others"
        raise PermissionError(message)
    path = folder / f"{running.endpoint.rpartition(':')[2]}.json"
    descriptor, draft = tempfile.mkstemp(dir=folder)  # nobody but this user may read it
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        os.write(descriptor, running.to_json().encode())
        Path(draft).rename(path)  # locked and whole before anyone can see it
        yield path
    finally:
        path.unlink(missing_ok=True)
        os.close(descriptor)
        with contextlib.suppress(OSError):  # others may be announced in it
            folder.rmdir()


def find_running() -> Running | None:
    """Return the service of this user that was started last; None if none runs."""
    folder = _folder()
    if not folder.is_dir() or not _is_ours_alone(folder):
        return None
    for path in sorted(folder.glob("*.json"), key=_started, reverse=True):
        with contextlib.suppress(OSError, ValueError):
            if (running := _read(path)) is not None:
                return running
    return None


def _folder() -> Path:
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime and Path(runtime).is_dir():
        return Path(runtime) / "mextrain"
    return Path(tempfile.gettempdir()) / f"mextrain-{os.getuid()}"


def _is_ours_alone(folder: Path) -> bool:
    """Whether nobody else could have put a file there that points us to a service of theirs."""
    status = folder.lstat()
    return (
        stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077
    )


def _started(path: Path) -> float:
    with contextlib.suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _read(path: Path) -> Running | None:
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return Running.from_json(file.read())
        path.unlink(missing_ok=True)  # nobody holds it: its service is gone
        return None
