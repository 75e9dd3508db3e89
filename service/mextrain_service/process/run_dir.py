"""A private directory for the socket and the log of a server, gone with the one who made it.

A process that is killed outright cannot clean up, so the next one does: a directory whose lock
nobody holds has lost its maker.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from pathlib import Path

_YOUNG_S = 60.0
"""A directory this young may not be locked yet by its maker."""


class RunDir:
    """A new directory in the system's temporary files, readable by this user alone."""

    def __init__(self, server: str = "valkey") -> None:
        """Make and lock it, and remove those of makers that were killed.

        Args:
            server: what it is for, as a part of its name.
        """
        root = Path(tempfile.gettempdir())
        prefix = f"mextrain-{server}-"
        _remove_abandoned(root, prefix)
        self.path = Path(tempfile.mkdtemp(prefix=prefix, dir=root))
        self._lock = os.open(self.path, os.O_RDONLY)
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def hand_over(self) -> None:
        """Let the program that this process becomes hold it, and remove it in the end."""
        os.set_inheritable(self._lock, True)

    def remove(self) -> None:
        """Remove it with all that is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        os.close(self._lock)


def _remove_abandoned(root: Path, prefix: str) -> None:
    for folder in root.glob(f"{prefix}*"):
        if _is_abandoned(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _is_abandoned(folder: Path) -> bool:
    try:
        facts = folder.lstat()
        if facts.st_uid != os.getuid() or time.time() - facts.st_mtime < _YOUNG_S:
            return False
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(lock)
    return True
