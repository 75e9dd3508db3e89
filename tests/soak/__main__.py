"""The command `python -m tests.soak`."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from tests.soak.report import figures
from tests.soak.soak import Options, soak
from tests.soak.tally import Tally


def main() -> int:
    """Run a soak as the command line says; return 0 if every promise was kept, else 1."""
    given = _arguments()
    options = Options(
        given.seconds,
        given.workers,
        given.matches,
        given.seed,
        kill_every_s=given.kill_every,
        think_s=given.think,
        transport=given.transport,
    )
    with tempfile.TemporaryDirectory() as folder, _progress(options.seconds) as progress:
        found = figures(soak(options, Path(folder), progress))
    if given.json:
        sys.stdout.write(json.dumps({"options": vars(given), **found}) + "\n")
    else:
        Console().print(_table(found))
    return 1 if found["faults"] else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.soak",
        description="Play matches while workers die and watchers drop; then check all of it.",
    )
    parser.add_argument("--seconds", type=float, default=600, help="how long to play")
    parser.add_argument("--workers", type=int, default=4, help="worker processes, 2 or more")
    parser.add_argument("--matches", type=int, default=200, help="begun evenly over the time")
    parser.add_argument("--seed", type=int, default=1, help="of all chance")
    parser.add_argument(
        "--kill-every", type=float, default=8, help="mean seconds from one worker's end to the next"
    )
    parser.add_argument(
        "--think", type=float, default=0.1, help="mean seconds from one move of a match to the next"
    )
    parser.add_argument(
        "--transport", choices=("grpc", "envoy"), default="grpc", help="what carries calls"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser.parse_args()


@contextmanager
def _progress(seconds: float) -> Iterator[Callable[[Tally], None]]:
    """Yield what shows progress, on standard error and only on a terminal."""
    console = Console(stderr=True)
    bar = Progress(
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
        console=console,
        disable=not console.is_terminal,
    )
    with bar:
        task = bar.add_task("starting", total=seconds)

        def show(tally: Tally) -> None:
            bar.update(
                task,
                advance=1,
                description=f"{tally.finished}/{tally.begun} matches, {tally.acknowledged} moves, "
                f"{tally.killed + tally.stopped} workers ended, {tally.drops} drops",
            )

        yield show


def _table(found: dict[str, object]) -> Table:
    table = Table("figure", "value", title="Soak")
    for name, value in found.items():
        table.add_row(name, _text(value))
    return table


def _text(value: object) -> str:
    match value:
        case dict():
            return ", ".join(f"{name} {number}" for name, number in value.items()) or "none"
        case list():
            return "\n".join(map(str, value)) or "none"
        case _:
            return str(value)


if __name__ == "__main__":
    sys.exit(main())
