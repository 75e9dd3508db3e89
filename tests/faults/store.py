"""A single server that is frozen, filled, stopped and set back, beside being killed."""

from __future__ import annotations

import os
import resource
import signal
from pathlib import Path

from tests.polling import WITHIN_S
from tests.storage.valkeys import Valkey

KEEPING = (
    *("--appendonly", "yes", "--appendfsync", "everysec"),
    *("--auto-aof-rewrite-percentage", "0"),
)
"""Of its command line: it keeps an append-only file, which is never rewritten."""


class Store(Valkey):
    """A server that keeps an append-only file."""

    def stop(self) -> None:
        """Ask it to end, and return when it has."""
        assert self._process is not None
        self._process.stop(WITHIN_S)
        self._process = None

    def freeze(self) -> None:
        """Let it stand still."""
        os.kill(self._pid, signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        os.kill(self._pid, signal.SIGCONT)

    def written(self) -> int:
        """Return how many bytes its append-only file has."""
        return self._file().stat().st_size

    def cut(self, size: int) -> None:
        """Cut the append-only file of a server that does not run."""
        os.truncate(self._file(), min(size, self.written()))

    def fill_disk(self) -> None:
        """Let its append-only file grow no more: each write fails, as on a full disk."""
        self._limit_files(self.written())

    def free_disk(self) -> None:
        """Let files grow again."""
        self._limit_files(resource.RLIM_INFINITY)

    def _limit_files(self, size: int) -> None:
        _, most = resource.prlimit(self._pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self._pid, resource.RLIMIT_FSIZE, (size, most))

    @property
    def _pid(self) -> int:
        assert self._process is not None, "it does not run"
        return self._process.pid

    def _file(self) -> Path:
        return max((self.folder / "appendonlydir").glob("*.incr.aof"))
