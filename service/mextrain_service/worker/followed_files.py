"""Files that are read again when they change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import structlog

_Signature = tuple[int, int, int]


class FollowedFile:
    """One file, and what to do with its text."""

    def __init__(self, path: Path, apply: Callable[[str], None]) -> None:
        """Take what to call with the text; it raises ``ValueError`` if it cannot use it."""
        self.path = path
        self._apply = apply
        self._seen: _Signature | None = None
        self._log: Any = structlog.get_logger("mextrain.files")

    def read(self) -> None:
        """Read the file now.

        Raises:
            OSError: it cannot be read.
            ValueError: its text cannot be used.
        """
        signature = self._signature()
        self._apply(self.path.read_text(encoding="utf-8"))
        self._seen = signature

    def look(self) -> None:
        """Read the file if it changed. If it cannot be used, all stays as it was and a log says so.

        Such a file is not tried again before it changes once more.
        """
        try:
            signature = self._signature()
            if signature == self._seen:
                return
            self._seen = signature
            self._apply(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            self._log.error("file not used", path=str(self.path), error=str(error))
        else:
            self._log.info("file read again", path=str(self.path))

    def _signature(self) -> _Signature:
        """Return what changes with the file, also when another one is put in its place."""
        status = self.path.stat()
        return status.st_mtime_ns, status.st_ino, status.st_size


async def follow(files: tuple[FollowedFile, ...], interval_s: float) -> NoReturn:
    """Look at the files again and again; ends when it is cancelled."""
    while True:
        await asyncio.sleep(interval_s)
        for file in files:
            file.look()
