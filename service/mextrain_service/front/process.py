"""Envoy as its supervisor sees it: started, found ready, drained, started again when it dies."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from typing import Final

import structlog

from mextrain_service.front.binary import envoy_command
from mextrain_service.front.configuration import configuration
from mextrain_service.front.planning import FrontPlan
from mextrain_service.process.child import ChildProcess, KeptProcess

_LOOK_AGAIN_S: Final = 0.05
_ANSWER_S: Final = 2.0
_TERMINATE_S: Final = 5.0


class FrontProcess(KeptProcess):
    """Keeps one Envoy running."""

    def __init__(self, plan: FrontPlan) -> None:
        super().__init__("front", _TERMINATE_S, structlog.get_logger("mextrain.supervisor"))
        self._plan = plan

    async def drain(self) -> None:
        """Let load balancers look elsewhere, and ask the connections that there are to go."""
        await self._ask("POST", "/healthcheck/fail")
        await self._ask("POST", "/drain_listeners?graceful")

    def _start(self) -> ChildProcess:
        plan = self._plan
        path = plan.folder / "envoy.yaml"
        path.write_text(configuration(plan.terms), encoding="utf-8")
        plan.held.close()
        command = envoy_command(plan.program, path, plan.threads, plan.terms.drain_s)
        return ChildProcess(command, stdout=sys.stderr.fileno())

    async def _follow(self, child: ChildProcess) -> int:
        looking = asyncio.create_task(self._look_until_ready())
        try:
            return await child.ended()
        finally:
            looking.cancel()

    def _failure(self, exit_code: int) -> str:
        return f"the HTTP front ended with exit code {exit_code}; see what it wrote"

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
