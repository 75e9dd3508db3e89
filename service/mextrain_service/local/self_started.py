"""A service of one's own for the length of a block, on free ports: for demonstrations and tests."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Final

from mextrain_service.local.discovery import Running
from mextrain_service.process.child import ChildProcess

_MODULE: Final = "mextrain_service.local.supervisor"
_STOP_S: Final = 30.0
_LAST_BYTES: Final = 2_000


class SelfStartError(Exception):
    """The service did not start; the message says why."""


@contextmanager
def self_started(
    workers: int = 1,
    redis_url: str | None = None,
    data_dir: str | None = None,
    *,
    front: bool = False,
) -> Iterator[Running]:
    """Run a service while the context is open; it has keys of its own and is not announced.

    Call it from the main thread: the service ends with the thread that started it.

    Args:
        workers: how many worker processes.
        redis_url: a Redis that is there; None starts a Valkey too.
        data_dir: where it keeps games and keys; None forgets them.
        front: with the HTTP front.

    Yields:
        where it is, and its key.

    Raises:
        SelfStartError: it did not start.
    """
    options: dict[str, object] = {
        "port": 0,
        "workers": workers,
        "redis_url": redis_url,
        "data_dir": data_dir,
        "front": front,
        "as_json": True,
        "announce": False,
    }
    with tempfile.TemporaryFile() as log:
        command = [sys.executable, "-P", "-m", _MODULE, json.dumps(options)]
        child = ChildProcess(command, stdout=subprocess.PIPE, stderr=log)
        try:
            yield _when_ready(child, log)
        finally:
            child.stop(_STOP_S)


def _when_ready(child: ChildProcess, log: IO[bytes]) -> Running:
    line = child.output.readline()
    if not line:
        exit_code = child.join()
        log.seek(0)
        message = log.read()[-_LAST_BYTES:].decode(errors="replace").strip()
        raise SelfStartError(message or f"it ended with exit code {exit_code}")
    return Running.from_json(line)
