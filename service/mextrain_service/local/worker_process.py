"""One worker as its supervisor sees it: started, heard of, started again when it dies."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, NoReturn

import structlog

from mextrain_service.front.planning import worker_socket

if TYPE_CHECKING:
    from collections.abc import Mapping

WORKER_MODULE: Final = "mextrain_service.worker.worker"

_FIRST_DELAY_S: Final = 0.1
_LONGEST_DELAY_S: Final = 10.0
_LIVED_WELL_S: Final = 10.0


class WorkerFailedError(Exception):
    """A worker cannot be started at all."""


@dataclass(frozen=True, slots=True)
class WorkerTerms:
    """What all workers of a service have in common.

    Attributes:
        environment: every variable a worker gets, its settings among them.
        first_metrics_port: the HTTP port of worker 0; 0 lets each take a free one.
        socket_folder: where each listens for the front alone; None without a front.
        fronts: each is the HTTP front, too.
        stop_s: how long a worker may take to stop before it is killed, in seconds.
    """

    environment: Mapping[str, str]
    first_metrics_port: int
    stop_s: float
    socket_folder: Path | None = None
    fronts: bool = False


class WorkerProcess:
    """Keeps one worker running.

    Attributes:
        index: which worker it is, from 0.
        serving: set once it has taken calls for the first time.
        metrics_url: its HTTP port; empty until it is known.
        pid: its process; 0 while there is none.
    """

    def __init__(self, index: int, terms: WorkerTerms) -> None:
        self.index = index
        self.serving = asyncio.Event()
        self.metrics_url = ""
        self.pid = 0
        self._terms = terms
        self._process: asyncio.subprocess.Process | None = None
        self._log = structlog.get_logger("mextrain.supervisor").bind(worker=index)

    async def keep_running(self) -> NoReturn:
        """Start it, and start it again whenever it ends; stop it when this is cancelled.

        Raises:
            WorkerFailedError: it never came up, so that trying again would not help.
        """
        failures = 0
        while True:
            started = monotonic()
            exit_code = await self._run_once()
            if not self.metrics_url:
                message = f"worker {self.index} ended with exit code {exit_code}"
                raise WorkerFailedError(message)
            failures = 0 if monotonic() - started > _LIVED_WELL_S else failures + 1
            delay_s = min(_FIRST_DELAY_S * 2**failures, _LONGEST_DELAY_S)
            self._log.warning("worker ended", exit_code=exit_code, delay_s=delay_s)
            await asyncio.sleep(delay_s)

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def _run_once(self) -> int:
        reading, writing = os.pipe()
        try:
            self._process = process = await asyncio.create_subprocess_exec(
                *self._command(writing),
                stdin=asyncio.subprocess.DEVNULL,
                env=self._terms.environment,
                pass_fds=(writing,),
                start_new_session=True,  # Ctrl-C is for the supervisor, which stops us in order
            )
        finally:
            os.close(writing)
        self.pid = process.pid
        try:
            await self._listen(reading)
            return await process.wait()
        finally:
            if process.returncode is None:
                await self._stop(process)
            self.pid = 0

    def _command(self, report_descriptor: int) -> list[str]:
        metrics_port, folder = self._terms.first_metrics_port, self._terms.socket_folder
        return [
            *(sys.executable, "-P", "-m", WORKER_MODULE),
            f"--index={self.index}",
            f"--parent={os.getpid()}",
            f"--report={report_descriptor}",
            f"--metrics-port={metrics_port + self.index if metrics_port else 0}",
            *((f"--socket={worker_socket(folder, self.index)}",) if folder else ()),
            *(("--fronts",) if self._terms.fronts else ()),
        ]

    async def _listen(self, descriptor: int) -> None:
        """Read the worker's reports until it ends."""
        reader = asyncio.StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(descriptor, "rb")
        )
        try:
            async for line in reader:
                match json.loads(line):
                    case {"metrics_url": str(url)}:
                        self.metrics_url = url
                    case {"state": "serving"}:
                        self.serving.set()
        finally:
            transport.close()

    async def _stop(self, process: asyncio.subprocess.Process) -> None:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            async with asyncio.timeout(self._terms.stop_s):
                await process.wait()
        except TimeoutError:
            self._log.error("worker did not stop in time", seconds=self._terms.stop_s)
            self.kill()
            await process.wait()
