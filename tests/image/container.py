"""Runs the image in podman, straight from the store that ``make image`` built it in."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from tests.polling import WITHIN_S
from tests.project.tree import ROOT

NAME: Final = f"localhost/mextrain:{version('mextrain')}"

GRACE_S: Final = 20
"""What docs/image.md says that a container needs to stop."""

RESTRICTED: Final = (
    "--read-only",
    "--read-only-tmpfs=false",  # podman would let /run and /var/tmp be written to
    "--tmpfs=/tmp:size=64m,mode=1777",
    "--memory=1g",
    "--cap-drop=ALL",
    "--security-opt=no-new-privileges",
)
"""With what containers of the tests run, as an orchestrator's do."""


def engine(*words: str, may_fail: bool = False) -> tuple[int, str, str]:
    """Call podman; return its exit code, what it said and what it logged."""
    done = subprocess.run(
        [ROOT / "tools" / "image.sh", "engine", *words],
        check=False,
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
    )
    assert may_fail or done.returncode == 0, f"{words}: {done.stderr}"
    return done.returncode, done.stdout, done.stderr


@dataclass(frozen=True)
class Container:
    """A container that was started.

    Attributes:
        name: what the engine, and others on its network, call it.
    """

    name: str

    @cached_property
    def first(self) -> int:
        """The first process inside, by its number outside."""
        return int(engine("inspect", "--format={{.State.Pid}}", self.name)[1])

    def said(self) -> str:
        """Return what it wrote to standard output."""
        return engine("logs", self.name)[1]

    def logged(self) -> str:
        """Return what it wrote to standard error."""
        return engine("logs", self.name)[2]

    def place(self, port: int) -> str:
        """Return where on this machine a port of it is published, as ``host:port``."""
        return engine("port", self.name, str(port))[1].strip()

    def address(self) -> str:
        """Return its address, which containers of other networks reach too."""
        form = "--format={{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}"
        return engine("inspect", form, self.name)[1].strip()

    def run(self, *words: str, **variables: str) -> tuple[int, str, str]:
        """Run ``mextrain`` in it; return its exit code, what it said and what it logged."""
        command = ("exec", *_given(variables), self.name, "mextrain", *words)
        return engine(*command, may_fail=True)

    def check(self) -> int:
        """Run the image's check of health as the engine does; return its exit code."""
        return engine("healthcheck", "run", self.name, may_fail=True)[0]

    def stop(self) -> int:
        """Stop it, by force after the grace; return the exit code."""
        engine("stop", f"--time={GRACE_S}", self.name)
        return int(engine("inspect", "--format={{.State.ExitCode}}", self.name)[1])


@dataclass(frozen=True)
class Image:
    """The image that ``make image`` built.

    Attributes:
        root: its root file system, unpacked, to look at.
        network: of its containers.
    """

    root: Path
    network: str

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What the image says of how it is to be run, as the engine understands it."""
        (facts,) = json.loads(engine("image", "inspect", NAME)[1])
        return {**facts["Config"], "Healthcheck": facts["Healthcheck"]}

    @cached_property
    def files(self) -> dict[str, Path]:
        """All that is in it: what the image calls it, and where it is on this machine."""
        return {f"/{path.relative_to(self.root)}": path for path in self.root.rglob("*")}

    @contextlib.contextmanager
    def started(
        self,
        *words: str,
        published: Sequence[int] = (),
        entrypoint: str = "",
        **variables: str,
    ) -> Iterator[Container]:
        """Run a command of the image; its end is that of the context.

        Args:
            words: of the command; the image's own if there are none.
            published: ports of it that get one on this machine.
            entrypoint: the program, if not the image's own.
            variables: of its environment.
        """
        container = Container(f"{(words or ('worker',))[0].strip('-')}-{uuid.uuid4().hex[:8]}")
        options = [f"--publish=127.0.0.1::{port}" for port in published]
        options += [f"--entrypoint={entrypoint}"] if entrypoint else []
        engine(
            *("run", "--detach", f"--name={container.name}", f"--network={self.network}"),
            *(*RESTRICTED, *options, *_given(variables), NAME, *words),
        )
        try:
            yield container
        finally:
            engine("rm", "--force", "--time=0", container.name)

    def run(self, *words: str, **variables: str) -> tuple[int, str, str]:
        """Run a command to its end; return its exit code, what it said and what it logged."""
        command = ("run", "--rm", f"--network={self.network}", *RESTRICTED, *_given(variables))
        return engine(*command, NAME, *words, may_fail=True)


def _given(variables: dict[str, str]) -> list[str]:
    return [f"--env={name}={value}" for name, value in variables.items()]


@contextlib.contextmanager
def network() -> Iterator[str]:
    """Make a network on which containers find each other by their names."""
    name = f"tests-{os.getpid()}"
    engine("network", "create", name)
    try:
        yield name
    finally:
        engine("network", "rm", "--force", name)
