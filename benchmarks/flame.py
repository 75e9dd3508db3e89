"""Draw where the time of a move goes: a flame graph of a worker under PlayMove with 64 in flight.

``make bench-flame``; writes ``docs/move-flame.svg``. Needs py-spy, and the right to look into other
processes. Only what held the interpreter is shown: what gRPC does in its own threads is not. What
``grpc.aio`` does in C counts for the function of the event loop that runs it.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from benchmarks.report import progress
from benchmarks.rounds import SEEDS, opening, playing, recorded, tables_of_all_seeds
from benchmarks.servers import Server, on_core, two_cores, valkey, worker
from benchmarks.wire import drive, shared

AT_ONCE = 64
RATE_PER_S = 400
WIDTH, ROW, TOP, LEAST = 1200, 17, 58, 2.0
"""Pixels: of the picture, of a row, above the first row, and of the narrowest box."""
CHARACTER = 6.3

LAYERS = (
    ("rpc/pipeline", "pipeline", "#e4a33c"),
    ("rpc/", "servicer, converters", "#d9c04a"),
    ("application/", "application", "#7fb35a"),
    ("mextrain_engine/", "engine", "#3f9d7a"),
    ("storage/", "storage", "#5b8fd0"),
    ("worker/", "logs, metrics of the store", "#a487cf"),
    ("structlog/", "structlog", "#c48bb8"),
    ("prometheus_client/", "prometheus_client", "#cf8f8f"),
    ("asyncio/", "event loop with grpc.aio's C", "#b5b5b5"),
    ("", "the rest", "#d3cfc4"),
)
"""What the path of a file begins with, in its package; the name of that part, and its colour."""


@dataclass(slots=True)
class Box:
    """A function under its callers.

    Attributes:
        samples: that were taken in it, or in what it called.
        below: what it called, by name.
    """

    samples: int = 0
    below: dict[str, Box] = field(default_factory=dict)


def samples_of(service: Server, seconds: int) -> str:
    """Return the stacks of a worker under load, one a line, each with how often it was seen."""
    rounds = {seed: recorded(service.port, service.key, seed=seed) for seed in SEEDS}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "stacks"
        spying: subprocess.Popen[bytes] | None = None
        while spying is None or spying.poll() is None:
            tables = tables_of_all_seeds(AT_ONCE)
            openings = [opening(table, service.key) for table in tables]
            drive(service.port, shared(openings, AT_ONCE))
            spying = spying or _spy(service.pid, seconds, path)
            drive(service.port, [playing(table, rounds[table.seed]) for table in tables])
            progress("another round of 64 games")
        return path.read_text(encoding="utf-8")


def _spy(pid: int, seconds: int, path: Path) -> subprocess.Popen[bytes]:
    program = str(Path(sys.executable).with_name("py-spy"))
    how = f"--format=raw --gil --function --rate={RATE_PER_S} --duration={seconds}"
    return subprocess.Popen(
        [program, "record", *how.split(), f"--pid={pid}", f"--output={path}"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def tree_of(stacks: str) -> Box:
    """Return all stacks laid upon each other, from where a call of the service begins."""
    root = Box()
    for line in stacks.splitlines():
        frames, _, count = line.rpartition(" ")
        names = [_name(frame) for frame in frames.split(";")]
        if not any("asyncio/" in name for name in names):
            continue  # a thread of gRPC, or the start of the worker
        root.samples += int(count)
        box = root
        for name in _from_the_loop_on(names):
            box = box.below.setdefault(name, Box())
            box.samples += int(count)
    return root


def _name(frame: str) -> str:
    """Return function and file, the file from its package on."""
    function, _, place = frame.partition(" (")
    path = place.rstrip(")").rpartition(":")[0].replace("\\", "/")
    for package in ("mextrain_service/", "mextrain_engine/", "site-packages/", "asyncio/"):
        if package in path:
            kept = "asyncio/" if package == "asyncio/" else package
            path = (kept if kept != "site-packages/" else "") + path.rpartition(package)[2]
            break
    return f"{function} ({path})" if path else function


def _from_the_loop_on(names: list[str]) -> list[str]:
    """Leave out what is the same in every stack: how the worker came to its event loop."""
    for at, name in enumerate(names):
        if "_run_once (" in name:
            return names[at:]
    return names


def layer_of(name: str) -> tuple[str, str]:
    """Return the part that a function belongs to, and its colour."""
    path = name.partition(" (")[2].removeprefix("mextrain_service/")
    return next((part, colour) for start, part, colour in LAYERS if path.startswith(start))


def own_share(box: Box, total: int, name: str = "") -> dict[str, float]:
    """Return for each part the share of samples whose innermost function is of it."""
    shares: dict[str, float] = {}
    own = box.samples - sum(each.samples for each in box.below.values())
    if name and own:
        shares[layer_of(name)[0]] = own / total
    for inner, below in box.below.items():
        for part, share in own_share(below, total, inner).items():
            shares[part] = shares.get(part, 0.0) + share
    return shares


def drawing(root: Box) -> str:
    """Return the picture: callers above what they call, as wide as their share."""
    boxes = list(_boxes(root, 0.0, 0, root.samples))
    height = TOP + ROW * (1 + max(row for row, _ in boxes)) + 8
    shares = own_share(root, root.samples)
    legend = "".join(
        f'<rect x="{8 + 236 * (at % 5)}" y="{24 + 17 * (at // 5)}" width="12" height="12" '
        f'fill="{colour}"/><text x="{25 + 236 * (at % 5)}" y="{34 + 17 * (at // 5)}">'
        f"{escape(part)} {100 * shares.get(part, 0):.0f} %</text>"
        for at, (_, part, colour) in enumerate(LAYERS)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
        f'viewBox="0 0 {WIDTH} {height}" font-family="sans-serif" font-size="11">'
        f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>'
        f'<text x="8" y="15" font-size="13">A worker under PlayMove, 64 in flight: '
        f"{root.samples:,} samples; shares are of the innermost function</text>"
        f"{legend}{''.join(svg for _, svg in boxes)}</svg>\n"
    )


def _boxes(box: Box, left: float, row: int, total: int) -> Iterator[tuple[int, str]]:
    for name, below in sorted(box.below.items()):
        width = WIDTH * below.samples / total
        if width >= LEAST:
            yield row, _rectangle(name, left, row, width, below.samples / total)
            yield from _boxes(below, left, row + 1, total)
        left += width


def _rectangle(name: str, left: float, row: int, width: float, share: float) -> str:
    top, room = TOP + ROW * row, int((width - 6) / CHARACTER)
    shown = name if len(name) <= room else f"{name[: room - 1]}…" if room > 2 else ""
    text = f'<text x="{left + 3:.1f}" y="{top + 12}">{escape(shown)}</text>' if shown else ""
    return (
        f"<g><title>{escape(name)}: {100 * share:.1f} %</title>"
        f'<rect x="{left:.1f}" y="{top}" width="{max(width - 0.5, 0.5):.1f}" height="{ROW - 1}" '
        f'fill="{layer_of(name)[1]}"/>{text}</g>'
    )


def main() -> None:
    """Read the options, measure, and write the picture."""
    parser = argparse.ArgumentParser(description="Draw where the time of a move goes.")
    parser.add_argument("--seconds", type=int, default=20, help="to look at the worker; 20")
    parser.add_argument("--output", type=Path, default=Path("docs/move-flame.svg"))
    options = parser.parse_args()
    cores = two_cores()
    with (
        valkey(cores.load) as store,
        worker(store.url, cores.server) as service,
        on_core(cores.load),
    ):
        root = tree_of(samples_of(service, options.seconds))
    options.output.write_text(drawing(root), encoding="utf-8")
    for part, share in sorted(own_share(root, root.samples).items(), key=lambda each: -each[1]):
        sys.stdout.write(f"{100 * share:5.1f} %  {part}\n")


if __name__ == "__main__":
    main()
