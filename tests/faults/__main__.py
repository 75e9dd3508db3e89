"""The command `python -m tests.faults`."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from tests.faults.faults import FAULTS, Fault
from tests.faults.findings import Findings
from tests.faults.report import as_json, table_of
from tests.faults.rig import KINDS, rig
from tests.faults.running import Pace, run


def main() -> int:
    """Run faults as the command line says; return 0 if nothing was wrong under any, else 1."""
    given = _arguments()
    chosen = [fault for name, fault in FAULTS.items() if name in (given.only or FAULTS)]
    pace = Pace(
        seconds=given.seconds / len(chosen),
        tables=given.tables,
        think_s=given.think,
        seed=given.seed,
    )
    with tempfile.TemporaryDirectory() as folder, _progress(len(chosen)) as progress:
        found = _run_all(chosen, pace, Path(folder), progress)
    if given.json:
        sys.stdout.write(json.dumps({"options": vars(given), "faults": as_json(found)}) + "\n")
    else:
        console = Console(width=None if sys.stdout.isatty() else 200)
        console.print(table_of(found))
        for name, each in found.items():
            for detail in each.details:
                console.print(f"{name}: {detail}", markup=False, highlight=False)
    return 1 if any(each.anomalies() for each in found.values()) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults",
        description="Play games while the service and its store are broken in known ways, and hold "
        "all that was acknowledged, read and watched to one history of each game. Prints a row for "
        "each fault; the exit code is 1 if anything was found that may not be.",
        epilog="The faults:\n"
        + "\n".join(f"  {each.name:26} {each.summary}" for each in FAULTS.values()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--seconds", type=float, default=600, help="of play in all (600)")
    parser.add_argument(
        "--only",
        nargs="+",
        action="extend",
        choices=sorted(FAULTS),
        metavar="NAME",
        help="run these faults alone",
    )
    parser.add_argument("--tables", type=int, default=6, help="played at once (6)")
    parser.add_argument(
        "--think", type=float, default=0.02, help="mean seconds between two steps of a table (0.02)"
    )
    parser.add_argument("--seed", type=int, default=1, help="of all chance (1)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser.parse_args()


def _run_all(
    chosen: Sequence[Fault], pace: Pace, folder: Path, progress: _Shown
) -> dict[str, Findings]:
    """Run faults on a rig of each kind, one after the other."""
    found: dict[str, Findings] = {}
    ordered = sorted(chosen, key=lambda fault: KINDS.index(fault.kind))
    for kind, faults in groupby(ordered, key=lambda fault: fault.kind):
        progress.says(f"starting {kind}")
        with tempfile.TemporaryDirectory(dir=folder) as files, rig(kind, Path(files)) as whole:
            for fault in faults:
                progress.says(fault.name)
                found[fault.name] = asyncio.run(run(fault, whole, pace, progress.counts))
                progress.advances()
    return found


class _Shown:
    """The progress on a terminal."""

    def __init__(self, bar: Progress, task: TaskID) -> None:
        self._bar = bar
        self._task = task
        self._name = ""

    def says(self, name: str) -> None:
        """Name what is done now."""
        self._name = name
        self._bar.update(self._task, description=name)

    def counts(self, acknowledged: int) -> None:
        """Tell how far it is."""
        self._bar.update(self._task, description=f"{self._name}: {acknowledged} acknowledged")

    def advances(self) -> None:
        """Tell that one fault is done with."""
        self._bar.advance(self._task)


@contextmanager
def _progress(faults: int) -> Iterator[_Shown]:
    """Yield what shows progress, on standard error and only on a terminal."""
    console = Console(stderr=True)
    columns = (BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        yield _Shown(bar, bar.add_task("", total=faults))


if __name__ == "__main__":
    sys.exit(main())
