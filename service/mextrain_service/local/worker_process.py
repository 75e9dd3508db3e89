"""One worker as its supervisor sees it: started, heard of, started again when it dies."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import structlog

from mextrain_service.front.planning import worker_socket
from mextrain_service.process.child import ChildProcess, KeptProcess

if TYPE_CHECKING:
    from collections.abc import Mapping

WORKER_MODULE: Final = "mextrain_service.worker.worker"


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


class WorkerProcess(KeptProcess):
    """Keeps one worker running.

    Attributes:
        metrics_url: its HTTP port; empty until it is known.
    """

    def __init__(self, index: int, terms: WorkerTerms) -> None:
        log = structlog.get_logger("mextrain.supervisor").bind(worker=index)
        super().__init__("worker", terms.stop_s, log)
        self.metrics_url = ""
        self._index = index
        self._terms = terms
        self._reports = -1

    def _start(self) -> ChildProcess:
        self._reports, writing = os.pipe()
        try:
            return ChildProcess(
                self._command(writing), environment=self._terms.environment, inherited=(writing,)
            )
        finally:
            os.close(writing)

    async def _follow(self, child: ChildProcess) -> int:
        await self._listen(self._reports)
        return await child.ended()

    def _failure(self, exit_code: int) -> str:
        return f"worker {self._index} ended with exit code {exit_code}"

    def _came_up(self) -> bool:
        return bool(self.metrics_url)

    def _command(self, report_descriptor: int) -> list[str]:
        metrics_port, folder = self._terms.first_metrics_port, self._terms.socket_folder
        return [
            *(sys.executable, "-P", "-m", WORKER_MODULE),
            f"--index={self._index}",
            f"--report={report_descriptor}",
            f"--metrics-port={metrics_port + self._index if metrics_port else 0}",
            *((f"--socket={worker_socket(folder, self._index)}",) if folder else ()),
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
                        self.ready.set()
        finally:
            transport.close()
