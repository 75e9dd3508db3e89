"""Runs the command ``mextrain`` with a wall clock that is wrong.

Run as ``python -m tests.faults.skewed SECONDS WORD ...``: the clock is so many seconds ahead.
"""

from __future__ import annotations

import sys
import time


def skew(seconds: float) -> None:
    """Set the wall clock of this process ahead; behind if the seconds are below 0."""
    true_ns, true_s = time.time_ns, time.time
    time.time_ns = lambda: true_ns() + round(seconds * 1e9)
    time.time = lambda: true_s() + seconds


if __name__ == "__main__":
    skew(float(sys.argv.pop(1)))
    from mextrain_service.cli import main

    main()
