"""Runs the command ``mextrain`` with a wall clock that others can set.

Run as ``python -m tests.faults.skewed FILE WORD ...``: the file holds by how many nanoseconds the
clock is ahead, as a signed integer of 8 bytes.
"""

from __future__ import annotations

import mmap
import struct
import sys
import time
from pathlib import Path

_AHEAD_NS = struct.Struct("<q")


def set_ahead(file: Path, seconds: float) -> None:
    """Set the wall clock of whatever runs with this file ahead; behind if it is below 0."""
    with file.open("r+b" if file.exists() else "wb") as opened:
        opened.write(_AHEAD_NS.pack(round(seconds * 1e9)))


def follow(file: Path) -> None:
    """Let the wall clock of this process be ahead by what the file says at each moment."""
    true_ns, true_s = time.time_ns, time.time
    with file.open("rb") as opened:
        shared = mmap.mmap(opened.fileno(), _AHEAD_NS.size, prot=mmap.PROT_READ)

    def ahead_ns() -> int:
        return int(_AHEAD_NS.unpack_from(shared)[0])

    time.time_ns = lambda: true_ns() + ahead_ns()
    time.time = lambda: true_s() + ahead_ns() / 1e9


if __name__ == "__main__":
    follow(Path(sys.argv.pop(1)))
    from mextrain_service.cli import main

    main()
