"""How a benchmark reports: a table for people, one JSON object for machines."""

from __future__ import annotations

import json
import os
import platform
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

MEASURED = Path(__file__).with_name("measured.json")
"""Figures that were kept: what the pages on capacity are made of."""


def as_json() -> bool:
    """Tell whether the caller asked for JSON, with ``JSON=1`` in the environment."""
    return os.environ.get("JSON") == "1"


def report(title: str, figures: Mapping[str, float | int | str], notes: Mapping[str, str]) -> None:
    """Print the figures: a table with what each one is, or one JSON object and nothing else.

    With ``RECORD=<name>`` in the environment they are also kept under that name, for the pages that
    are made of them.
    """
    if name := os.environ.get("RECORD"):
        keep(name, figures)
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


def keep(name: str, figures: Mapping[str, float | int | str]) -> None:
    """Write figures into the file of measured ones, with when and where they were measured.

    Args:
        name: under which; what was there is replaced.
        figures: those to keep.
    """
    kept = json.loads(MEASURED.read_text()) if MEASURED.exists() else {}
    one_min, _, _ = os.getloadavg()
    kept[name] = {
        "command": " ".join([*_module(), *sys.argv[1:]]),
        "date": datetime.now(tz=UTC).date().isoformat(),
        "machine": _machine(),
        "load_average_at_end": round(one_min, 1),
        "figures": {
            figure: float(f"{value:.5g}") if isinstance(value, float) else value
            for figure, value in figures.items()
        },
    }
    MEASURED.write_text(json.dumps(dict(sorted(kept.items())), indent=2) + "\n")


def _module() -> tuple[str, ...]:
    spec = sys.modules["__main__"].__spec__
    return () if spec is None else ("python -m", spec.name.removesuffix(".__main__"))


def _machine() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    model = models[0] if models else platform.machine()
    return f"{len(os.sched_getaffinity(0))} cores, {model}, Python {platform.python_version()}"


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
