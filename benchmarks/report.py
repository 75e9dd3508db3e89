"""How a benchmark reports: a table for people, one JSON object for machines.

Knows nothing of what was measured.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping

from rich.console import Console
from rich.table import Table


def as_json() -> bool:
    """Tell whether the caller asked for JSON, with ``JSON=1`` in the environment."""
    return os.environ.get("JSON") == "1"


def report(title: str, figures: Mapping[str, float | int | str], notes: Mapping[str, str]) -> None:
    """Print the figures: a table with what each one is, or one JSON object and nothing else."""
    if as_json():
        json.dump(dict(figures), sys.stdout)
        sys.stdout.write("\n")
        return
    table = Table(title=title)
    table.add_column("figure")
    table.add_column("value", justify="right")
    table.add_column("what it is")
    for name, value in figures.items():
        shown = (
            f"{value:,.2f}"
            if isinstance(value, float)
            else f"{value:,}"
            if isinstance(value, int)
            else value
        )
        table.add_row(name, shown, notes.get(name, ""))
    Console().print(table)


def report_grid(
    title: str, rows: Mapping[str, Mapping[str, float]], columns: Mapping[str, str]
) -> None:
    """Print one line per row for people; nothing for machines, which have the figures already.

    Args:
        title: of the table.
        rows: by name, the figures of each.
        columns: what to show of a row, and how it is headed.
    """
    if as_json():
        return
    table = Table(title=title)
    table.add_column("", no_wrap=True)
    for heading in columns.values():
        table.add_column(heading, justify="right")
    for name, figures in rows.items():
        table.add_row(name, *(f"{figures[column]:,.2f}" for column in columns))
    Console().print(table)


def progress(message: str) -> None:
    """Say on the standard error stream what is being measured, when somebody looks."""
    if sys.stderr.isatty():
        sys.stderr.write(f"{message}…\n")
