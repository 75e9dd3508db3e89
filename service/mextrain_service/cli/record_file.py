"""A text record as a command is given it: a file's name, or ``-`` for standard input."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from mextrain_engine import Record, parse_record
from mextrain_service.cli.complaints import CliError

_STANDARD_INPUT = "-"
_MOST_BYTES = 16 * 1024 * 1024

RecordArgument = Annotated[
    str, typer.Argument(metavar="FILE", help="A text record; `-` reads standard input.")
]


def read_record(name: str) -> Record:
    """Return the record in a file.

    Args:
        name: the file, or ``-`` for standard input.

    Raises:
        CliError: the file cannot be read, or is no text.
        NotationError: a line is not of a record.
        RuleSetError: its header holds options that do not exist.
    """
    return parse_record(_text(name))


def _text(name: str) -> str:
    try:
        if name == _STANDARD_INPUT:
            return sys.stdin.read(_MOST_BYTES)
        path = Path(name)
        if path.stat().st_size > _MOST_BYTES:
            raise CliError(f"{name} is too large for a record.")
        return path.read_text(encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or "it cannot be opened").lower()
        raise CliError(f"{name} cannot be read: {reason}.") from None
    except ValueError:
        what = "Standard input" if name == _STANDARD_INPUT else name
        raise CliError(f"{what} is not a text record.") from None
