"""Envoy as its supervisor sees it: started, found ready, drained, started again when it dies."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from pathlib import Path
from time import monotonic
from typing import Final, NoReturn

import structlog

from mextrain_service.front.binary import envoy_command
from mextrain_service.front.configuration import configuration
from mextrain_service.front.planning import FrontPlan
from mextrain_service.process import pdeathsig_exec

_FIRST_DELAY_S: Final = 0.1
_LONGEST_DELAY_S: Final = 10.0
_LIVED_WELL_S: Final = 10.0
_LOOK_AGAIN_S: Final = 0.05
_ANSWER_S: Final = 2.0
_TERMINATE_S: Final = 5.0


class FrontFailedError(Exception):
    """The front cannot be started at all."""


class FrontProcess:
    """Keeps one Envoy running.

    Attributes:
        ready: set once it has taken calls for the first time.
    """

    def __init__(self, plan: FrontPlan) -> None:
        self.ready = asyncio.Event()
        self._plan = plan
        self._process: asyncio.subprocess.Process | None = None
        self._log = structlog.get_logger("mextrain.supervisor")

    async def keep_running(self) -> NoReturn:
        """Start it, and start it again whenever it ends; stop it when this is cancelled.

        Raises:
            FrontFailedError: it never came up, so that trying again would not help.
        """
        failures = 0
        while True:
            started = monotonic()
            exit_code = await self.run_once()
            if not self.ready.is_set():
                message = f"the HTTP front ended with exit code {exit_code}; see what it wrote"
                raise FrontFailedError(message)
            failures = 0 if monotonic() - started > _LIVED_WELL_S else failures + 1
            delay_s = min(_FIRST_DELAY_S * 2**failures, _LONGEST_DELAY_S)
            self._log.warning("front ended", exit_code=exit_code, delay_s=delay_s)
            await asyncio.sleep(delay_s)

    async def drain(self) -> None:
        """Let load balancers look elsewhere, and ask the connections that there are to go."""
        await self._ask("POST", "/healthcheck/fail")
        await self._ask("POST", "/drain_listeners?graceful")

    def kill(self) -> None:
        """End it at once."""
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def run_once(self) -> int:
        """Return its exit code when it has ended; stop it when this is cancelled."""
        path = self._plan.folder / "envoy.yaml"
        path.write_text(configuration(self._plan.terms), encoding="utf-8")
        self._plan.held.close()
        self._process = process = await asyncio.create_subprocess_exec(
            *self._command(path),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=sys.stderr.fileno(),
            start_new_session=True,  # Ctrl-C is for the supervisor, which stops us in order
        )
        looking = asyncio.create_task(self._look_until_ready())
        try:
            return await process.wait()
        finally:
            looking.cancel()
            if process.returncode is None:
                await self._stop(process)

    def _command(self, path: Path) -> list[str]:
        plan = self._plan
        return [
            *(sys.executable, "-P", pdeathsig_exec.__file__, str(os.getpid())),
            *envoy_command(plan.program, path, plan.threads, plan.terms.drain_s),
        ]

    async def _look_until_ready(self) -> None:
        """Envoy tells nobody when it is ready, so it is asked."""
        while await self._ask("GET", "/ready") != b"200":  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_AGAIN_S)
        self.ready.set()

    async def _ask(self, verb: str, path: str) -> bytes:
        """Return the status of a page of the admin port; empty if it does not answer."""
        admin = self._plan.terms.admin
        with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(_ANSWER_S):
                reader, writer = await asyncio.open_connection(admin.host, admin.port)
                with contextlib.closing(writer):
                    head = f"{verb} {path} HTTP/1.1\r\nHost: admin\r\nConnection: close\r\n"
                    writer.write(f"{head}Content-Length: 0\r\n\r\n".encode())
                    return (await reader.readuntil(b"\r\n")).split(b" ")[1]
        return b""

    async def _stop(self, process: asyncio.subprocess.Process) -> None:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            async with asyncio.timeout(_TERMINATE_S):
                await process.wait()
        except TimeoutError:
            self._log.error("front did not stop in time", seconds=_TERMINATE_S)
            self.kill()
            await process.wait()
