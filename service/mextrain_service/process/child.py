"""Starts, watches and ends child processes, and lets a child report to its parent."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, Final, NoReturn, TypeAlias

from mextrain_service.process import pdeathsig_exec

_FIRST_DELAY_S: Final = 0.1
_LONGEST_DELAY_S: Final = 10.0
_LIVED_WELL_S: Final = 10.0
_LOOK_AGAIN_S: Final = 0.01

Stream: TypeAlias = int | IO[Any] | None
"""Where output goes: as in `subprocess.Popen`, None for where this process writes."""


class ChildFailedError(Exception):
    """A child process did not come up; the message says why."""


class ChildProcess:
    """A program that runs in a session of its own and ends with this one.

    Ctrl-C on the terminal does not reach it: this process stops its children in order. On Linux the
    kernel ends a child together with the thread that started it, so start it from one that lives as
    long (the main one); elsewhere a child outlives a parent that is killed outright.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str] | None = None,
        stdout: Stream = None,
        stderr: Stream = None,
        inherited: Sequence[int] = (),
        folder: Path | None = None,
    ) -> None:
        """Start it.

        Args:
            command: path of the program, and its arguments.
            environment: all of its variables; None for those of this process.
            stdout: where its output goes.
            stderr: where its errors go.
            inherited: descriptors of this process that it gets.
            folder: where it runs; None for where this process does.
        """
        tied = (sys.executable, "-I", "-S", pdeathsig_exec.__file__, str(os.getpid()))
        self._process = subprocess.Popen(  # noqa: S603 - no shell; the program is the caller's
            [*tied, *command],
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            env=environment,
            pass_fds=inherited,
            cwd=folder,
            start_new_session=True,
        )

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """How it ended; None while it runs."""
        return self._process.poll()

    @property
    def output(self) -> IO[bytes]:
        """What it writes, if its ``stdout`` is ``subprocess.PIPE``."""
        assert self._process.stdout is not None
        return self._process.stdout

    def wait_until(self, ready: Callable[[], bool], within_s: float) -> None:
        """Return when it is ready, which is asked again and again.

        Raises:
            ChildFailedError: it ended, or is not ready in time.
        """
        deadline = time.monotonic() + within_s
        while not ready():
            if self.exit_code is not None:
                raise ChildFailedError("ended at once")
            if time.monotonic() > deadline:
                raise ChildFailedError("does not answer")
            time.sleep(_LOOK_AGAIN_S)

    def kill(self) -> None:
        """End it at once; nothing happens if it has ended."""
        self._process.kill()

    def join(self) -> int:
        """Return its exit code when it has ended."""
        return self._process.wait()

    def stop(self, within_s: float) -> None:
        """Ask it to end, kill it if it does not in time, and return when it has ended."""
        self._process.terminate()
        try:
            self._process.wait(within_s)
        except subprocess.TimeoutExpired:
            self.kill()
            self.join()
        if self._process.stdout is not None:
            self._process.stdout.close()

    async def ended(self) -> int:
        """Return its exit code when it has ended, as ``join``."""
        loop, over = asyncio.get_running_loop(), asyncio.Event()

        def watch() -> None:
            self.join()
            with contextlib.suppress(RuntimeError):  # the loop is closed
                loop.call_soon_threadsafe(over.set)

        threading.Thread(target=watch, daemon=True).start()
        await over.wait()
        return self.join()

    async def stopped(self, within_s: float) -> bool:
        """Stop it, as ``stop``; return whether it ended in time."""
        self._process.terminate()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                await self.ended()
                return True
        self.kill()
        await self.ended()
        return False


class KeptProcess(ABC):
    """Keeps a child running: started again, after a growing delay, whenever it ends.

    Attributes:
        ready: set once it has taken calls for the first time.
    """

    def __init__(self, kind: str, stop_s: float, log: Any) -> None:
        """Prepare it.

        Args:
            kind: what the log calls it.
            stop_s: how long it may take to stop before it is killed, in seconds.
            log: where its ends are noted.
        """
        self.ready = asyncio.Event()
        self._kind = kind
        self._stop_s = stop_s
        self._log = log
        self._child: ChildProcess | None = None

    @abstractmethod
    def _start(self) -> ChildProcess:
        """Start it once."""

    @abstractmethod
    async def _follow(self, child: ChildProcess) -> int:
        """Set ``ready`` when it is, and return its exit code when it has ended."""

    @abstractmethod
    def _failure(self, exit_code: int) -> str:
        """Return what to say of an end before it came up."""

    def _came_up(self) -> bool:
        """Return whether it ever came up, so that trying again may help."""
        return self.ready.is_set()

    async def keep_running(self) -> NoReturn:
        """Start it, and start it again whenever it ends; stop it when this is cancelled.

        Raises:
            ChildFailedError: it never came up, so that trying again would not help.
        """
        failures = 0
        while True:
            started = time.monotonic()
            exit_code = await self.run_once()
            if not self._came_up():
                raise ChildFailedError(self._failure(exit_code))
            failures = 0 if time.monotonic() - started > _LIVED_WELL_S else failures + 1
            delay_s = min(_FIRST_DELAY_S * 2**failures, _LONGEST_DELAY_S)
            self._log.warning(f"{self._kind} ended", exit_code=exit_code, delay_s=delay_s)
            await asyncio.sleep(delay_s)

    async def run_once(self) -> int:
        """Return its exit code when it has ended; stop it when this is cancelled."""
        self._child = child = self._start()
        try:
            return await self._follow(child)
        finally:
            if child.exit_code is None and not await child.stopped(self._stop_s):
                self._log.error(f"{self._kind} did not stop in time", seconds=self._stop_s)

    def kill(self) -> None:
        """End it at once."""
        if self._child is not None:
            self._child.kill()


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
