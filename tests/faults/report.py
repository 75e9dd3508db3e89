"""What runs came to, as a table for a person and as figures for a program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from rich.table import Table

from tests.faults.findings import ANOMALIES, Findings

_MOST_REASONS: Final = 3

_COLUMNS: Final = (
    *("fault", "acknowledged", "lost", "below promise", "false", "doubled", "stale"),
    *("gaps", "splices", "corrupt", "early", "resets", "silence s", "back s", "errors"),
)


def table_of(found: Mapping[str, Findings]) -> Table:
    """Return a row for each fault, anomalies in red."""
    table = Table(title="Faults")
    for column in _COLUMNS:
        table.add_column(column, justify="left" if column in {"fault", "errors"} else "right")
    for name, each in found.items():
        figures = figures_of(each)
        table.add_row(name, *(_cell(key, value) for key, value in figures.items()))
    return table


def figures_of(found: Findings) -> dict[str, object]:
    """Return the figures of a run, in the order of the columns."""
    return {
        "acknowledged": found.acknowledged,
        "lost": found.lost,
        "below_promise": found.below_promise,
        "false": found.false,
        "doubled": found.doubled,
        "stale": found.stale,
        "gaps": found.gaps,
        "splices": found.splices,
        "corrupt": found.corrupt,
        "early": found.early,
        "resets": found.resets,
        "silence_s": round(found.silence_s, 1),
        "resumed_s": round(found.resumed_s, 2),
        "errors": {reason: count for reason, count in found.errors.most_common() if count},
    }


def as_json(found: Mapping[str, Findings]) -> dict[str, object]:
    """Return all figures by fault, with the first anomalies in words."""
    return {
        name: {**figures_of(each), "details": list(asdict(each)["details"])}
        for name, each in found.items()
    }


def _cell(name: str, value: object) -> str:
    if isinstance(value, dict):
        reasons = [f"{reason} {count}" for reason, count in value.items()]
        more = [f"{len(reasons) - _MOST_REASONS} more"] if len(reasons) > _MOST_REASONS else []
        return ", ".join((*reasons[:_MOST_REASONS], *more))
    return f"[bold red]{value}[/]" if value and name in ANOMALIES else str(value)
