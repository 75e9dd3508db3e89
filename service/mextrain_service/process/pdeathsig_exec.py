"""Becomes another program that the kernel ends together with the process that started it.

Run by path, as `pdeathsig_exec.py PARENT_PID PROGRAM [ARGUMENT …]`, with the standard library only.
A step of its own, because what runs between fork and exec in a program with threads must be next to
nothing.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Ask for SIGTERM when the parent ends, then become the program.

    Only Linux can do that; elsewhere the program outlives a parent that is killed outright.
    """
    parent_pid, *command = sys.argv[1:]
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() == int(parent_pid):  # otherwise it ended before the kernel was asked
        os.execv(command[0], command)  # noqa: S606 - the command is the caller's own


if __name__ == "__main__":
    main()
