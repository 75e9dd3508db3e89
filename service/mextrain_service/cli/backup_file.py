"""Copies of games in a file: one line of JSON each, compressed, with a last line that counts them.

By its last line a file is known to be whole.
"""

from __future__ import annotations

import gzip
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from mextrain_service.cli.complaints import CliError

if TYPE_CHECKING:
    from mextrain_service.storage.backups import GameCopy

_FORM: Final = 1
_OWNER_ONLY: Final = 0o600


@dataclass(slots=True)
class BackupWriter:
    """Writes copies.

    Attributes:
        games: how many so far.
    """

    _file: IO[str]
    games: int = 0

    def write(self, copy: GameCopy) -> None:
        """Write one copy."""
        self._line(
            {
                "game": copy.game_id,
                "snapshot": b64encode(copy.snapshot).decode(),
                "log": b64encode(copy.log).decode(),
                "ends_ms": copy.ends_ms,
            }
        )
        self.games += 1

    def begin(self) -> None:
        """Write the first line."""
        self._line({"mextrain_backup": _FORM})

    def end(self) -> None:
        """Write the last line."""
        self._line({"games": self.games})

    def _line(self, fields: dict[str, Any]) -> None:
        self._file.write(json.dumps(fields) + "\n")


@contextmanager
def written(path: Path) -> Iterator[BackupWriter]:
    """Write a backup, which has its name only when it is whole; readable by its owner only.

    Raises:
        CliError: the file cannot be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _OWNER_ONLY)
        with os.fdopen(descriptor, "wb") as raw:
            with gzip.open(raw, "wt", encoding="utf-8") as file:
                writer = BackupWriter(file)
                writer.begin()
                yield writer
                writer.end()
            raw.flush()
            os.fsync(raw.fileno())
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        reason = (error.strerror or "it cannot be opened").lower()
        raise CliError(f"{path} cannot be written: {reason}.") from None
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def read(path: Path) -> Iterator[GameCopy]:
    """Yield the copies of a backup.

    Raises:
        CliError: the file cannot be read, is no backup, or is not whole.
    """
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from _copies(path, file)
    except (EOFError, gzip.BadGzipFile, UnicodeDecodeError, ValueError, KeyError, TypeError):
        raise CliError(f"{path} is no backup of games, or only a part of one.") from None
    except OSError as error:
        reason = (error.strerror or "it cannot be opened").lower()
        raise CliError(f"{path} cannot be read: {reason}.") from None


def _copies(path: Path, file: IO[str]) -> Iterator[GameCopy]:
    from mextrain_service.storage.backups import GameCopy  # noqa: PLC0415 - only if it is wanted

    form = json.loads(next(file, "null"))["mextrain_backup"]
    if form != _FORM:
        raise CliError(f"{path} is a backup of a later release.")
    for games, line in enumerate(file):
        fields = json.loads(line)
        if "games" in fields:
            if fields["games"] != games or file.read(1):  # which reads the checksum, too
                raise ValueError
            return
        snapshot, log = (b64decode(fields[each], validate=True) for each in ("snapshot", "log"))
        yield GameCopy(fields["game"], snapshot, log, int(fields["ends_ms"]))
    raise EOFError
