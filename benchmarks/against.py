"""Measure a benchmark of this tree beside that of an earlier commit, by turns, in one run.

``make bench-against ARGS="<commit> door"``; with ``JSON=1`` one JSON object. The commit is checked
out beside this tree and run by the same Python and libraries, so what differs is our own code.
Figures that both have are reported as what is now over what was: below 1 is less than before.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.report import report

ROOT = Path(__file__).resolve().parent.parent
_PACKAGES = (".", "engine", "service", "proto/gen", "sdk/python/src")


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """Yield a folder with the tree of a commit, as long as the context is open."""
    folder = ROOT / "build" / "against" / commit
    _git("add", "--quiet", "--force", "--detach", str(folder), commit)
    try:
        yield folder
    finally:
        _git("remove", "--force", str(folder))


def _git(*words: str) -> None:
    subprocess.run(["git", "worktree", *words], cwd=ROOT, check=True)


def figures(tree: Path, bench: str, arguments: Sequence[str]) -> dict[str, float]:
    """Run a benchmark of a tree; return what it says."""
    path = os.pathsep.join(str(tree / each) for each in _PACKAGES)
    ran = subprocess.run(
        [sys.executable, "-P", "-m", f"benchmarks.{bench}", *arguments],
        cwd=tree,
        env={**os.environ, "JSON": "1", "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=True,
    )
    said: dict[str, float | str] = json.loads(ran.stdout.splitlines()[-1])
    return {name: value for name, value in said.items() if not isinstance(value, str)}


def main() -> None:
    """Read the options, measure both by turns, and report the ratios."""
    parser = argparse.ArgumentParser(description="Measure beside an earlier commit.")
    parser.add_argument("commit", help="the earlier one")
    parser.add_argument("bench", help="the benchmark, like door or service")
    parser.add_argument("--turns", type=int, default=3, help="of each; 3")
    options, arguments = parser.parse_known_args()
    before: list[dict[str, float]] = []
    now: list[dict[str, float]] = []
    with checked_out(options.commit) as tree:
        for turn in range(options.turns):
            sys.stderr.write(f"turn {turn + 1} of {options.turns}\n")
            before.append(figures(tree, options.bench, arguments))
            now.append(figures(ROOT, options.bench, arguments))
    ratios = {
        name: _median(now, name) / _median(before, name)
        for name in now[0]
        if name in before[0] and _median(before, name)
    }
    notes = {
        name: f"{_median(now, name):.5g} now, {_median(before, name):.5g} then" for name in ratios
    }
    report(f"{options.bench}: now over {options.commit}", ratios, notes)


def _median(runs: Sequence[dict[str, float]], name: str) -> float:
    return statistics.median(run[name] for run in runs)


if __name__ == "__main__":
    main()
