"""Become a container's first process, as the JSON of the one argument says.

Starts as root in mount and process namespaces of its own. The root becomes read-only, /tmp a small
file system in memory, and the user gains no rights: the image is run as docs/image.md says.
"""

from __future__ import annotations

import ctypes
import json
import os
import subprocess
import sys
from pathlib import Path

_PR_SET_NO_NEW_PRIVS = 38
_DEVICES = ("full", "null", "random", "urandom", "zero")


def main() -> None:
    """Mount, give up all rights, become the program."""
    told = json.loads(sys.argv[1])
    _mount_all(told["root"])
    os.chroot(told["root"])
    os.chdir(told["folder"])
    _give_up_rights(*map(int, told["user"].split(":")))
    os.execvpe(told["command"][0], told["command"], told["environment"])  # noqa: S606 - no shell


def _mount_all(root: str) -> None:
    _mount("--bind", root, root)
    _mount("-t", "tmpfs", "-o", "size=64m,mode=1777", "tmp", f"{root}/tmp")
    _mount("-t", "tmpfs", "-o", "size=64k,mode=755", "dev", f"{root}/dev")
    for name in _DEVICES:
        Path(f"{root}/dev/{name}").touch()
        _mount("--bind", f"/dev/{name}", f"{root}/dev/{name}")
    _mount("-t", "proc", "proc", f"{root}/proc")
    _mount("-o", "remount,bind,ro", root)


def _mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True)


def _give_up_rights(user: int, group: int) -> None:
    os.setgroups([])
    os.setgid(group)
    os.setuid(user)
    if ctypes.CDLL(None).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise SystemExit("the kernel does not let rights be given up for good")


if __name__ == "__main__":
    main()
