"""Ties a child process to its parent, so that neither outlives the other unnoticed."""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
from collections.abc import Mapping
from typing import Final

_PR_SET_PDEATHSIG: Final = 1


def end_with_parent(parent_pid: int) -> None:
    """Ask the kernel for a SIGTERM when the parent ends, even by ``kill -9``.

    Only Linux can; elsewhere this does nothing. The signal follows the thread that started this
    process, so a parent starts its children from its main thread.

    Args:
        parent_pid: the process that started this one.

    Raises:
        SystemExit: the parent is gone already.
    """
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent_pid:  # it ended before the kernel was asked
        raise SystemExit(0)


def report(descriptor: int | None, facts: Mapping[str, object]) -> None:
    """Tell the parent something, as one line of JSON on a pipe that it reads.

    Args:
        descriptor: the pipe's write end; None if no parent listens.
        facts: what to tell.
    """
    if descriptor is None:
        return
    try:
        os.write(descriptor, json.dumps(facts).encode() + b"\n")
    except BrokenPipeError:
        return  # a parent that is gone says so by its signal
