"""Compare the contract with the one that ``main`` promised, and fail when a client would break."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUF = str(Path(sys.executable).with_name("buf"))


def main() -> int:
    """Run ``buf breaking`` against the commit that the contract is held to, if there is one."""
    base = _base()
    if base is None:
        print("breaking: nothing to compare with, this is the first commit of the contract")
        return 0
    command = [BUF, "breaking", "--against", f".git#ref={base}"]
    print(f"breaking: against {base[:12]}")
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def _base() -> str | None:
    """Return the commit to compare with, or None when no earlier one has the contract.

    On a branch it is where the branch left ``main``, as fetched or as local. On ``main`` itself it
    is the commit before; with changes not committed yet, the last commit.
    """
    head = _git("rev-parse", "HEAD")
    if head is None:
        return None
    if _git("status", "--porcelain", "--", "proto", "buf.yaml"):
        candidate: str | None = head
    else:
        main_branch = _git("rev-parse", "--verify", "origin/main") or _git("rev-parse", "main")
        fork = main_branch and _git("merge-base", "HEAD", main_branch)
        candidate = fork if fork and fork != head else _git("rev-parse", "HEAD~1")
    if candidate is None or _git("cat-file", "-e", f"{candidate}:buf.yaml") is None:
        return None
    return candidate


def _git(*arguments: str) -> str | None:
    """Return what git says, or None when it fails."""
    done = subprocess.run(
        ["git", *arguments], cwd=ROOT, check=False, capture_output=True, text=True
    )
    return done.stdout.strip() if done.returncode == 0 else None


if __name__ == "__main__":
    sys.exit(main())
