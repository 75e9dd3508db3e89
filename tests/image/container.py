"""Runs the image from its unpacked root as a container, on the network of the machine."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from tests.polling import eventually
from tests.worker.processes import Command, children

WITHIN_S = 100
_ENTER = Path(__file__).with_name("enter.py")


@dataclass(frozen=True)
class Image:
    """The image that ``make image`` built.

    Attributes:
        root: its root file system, unpacked.
    """

    root: Path

    @cached_property
    def config(self) -> dict[str, Any]:
        """What the image says of how it is to be run."""
        facts = json.loads(self.root.with_suffix(".json").read_text(encoding="utf-8"))
        config: dict[str, Any] = facts["Docker"]["config"]
        return config

    @cached_property
    def files(self) -> dict[str, Path]:
        """All that is in it: what the image calls it, and where it is on this machine."""
        return {f"/{path.relative_to(self.root)}": path for path in self.root.rglob("*")}

    @contextlib.contextmanager
    def started(self, log: Path, *words: str, **variables: str) -> Iterator[Container]:
        """Run a command of the image; its end is that of the context."""
        told = {
            "root": str(self.root),
            "folder": self.config["WorkingDir"],
            "user": self.config["User"],
            "command": [*self.config["Entrypoint"], *(words or self.config["Cmd"])],
            "environment": dict(each.split("=", 1) for each in self.config["Env"]) | variables,
        }
        enter = [sys.executable, "-P", str(_ENTER), json.dumps(told)]
        with log.open("w") as errors:
            process = subprocess.Popen(
                ["unshare", "--mount", "--pid", "--fork", "--kill-child", *enter],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,
            )
        with process:
            try:
                yield Container(process, log)
            finally:
                for first in children(process.pid):
                    os.kill(first, signal.SIGKILL)  # and so all that is inside
                process.kill()

    def run(self, folder: Path, *words: str, **variables: str) -> tuple[int, str, str]:
        """Run a command to its end; return its exit code, what it said and what it logged."""
        log = folder / f"{words[0]}.{time.monotonic_ns()}.log"
        with self.started(log, *words, **variables) as container:
            said, _ = container.process.communicate(timeout=WITHIN_S)
        return container.process.returncode, said, log.read_text()


@dataclass
class Container(Command):
    """A command of the image that runs."""

    @cached_property
    def first(self) -> int:
        """The first process inside, by its number outside."""
        return min(eventually(lambda: children(self.process.pid), WITHIN_S))

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Signal the first process, as the stop of a container does; return the exit code."""
        os.kill(self.first, number)
        return self.process.wait(WITHIN_S)
