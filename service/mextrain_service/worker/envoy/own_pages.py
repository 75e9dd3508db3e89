"""Asks Envoy, from inside, by its own pages."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Final

_ANSWER_S: Final = 2.0
_LOOK_AGAIN_S: Final = 0.02


class OwnPages:
    """Envoy's own pages."""

    def __init__(self, socket: Path) -> None:
        """Take the socket that they are on."""
        self._socket = socket

    async def until_ready(self) -> None:
        """Return when Envoy takes calls."""
        while b"LIVE" not in await self._ask("GET", "/ready"):  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_AGAIN_S)

    async def take_no_more(self) -> None:
        """Close the ports; connections are asked to go as they are used."""
        await self._ask("POST", "/healthcheck/fail")
        await self._ask("POST", "/drain_listeners")

    async def until_left(self, within_s: float) -> None:
        """Return when no connection is open any more, or after so many seconds."""
        await self._until_none("downstream_cx_active", within_s)

    async def until_sent(self, within_s: float) -> None:
        """Return when no answer is under way any more, or after so many seconds."""
        await self._until_none("downstream_rq_active", within_s)

    async def _until_none(self, gauge: str, within_s: float) -> None:
        page, none = f"/stats?filter=http.front.{gauge}", f"{gauge}: 0".encode()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                while none not in await self._ask("GET", page):  # noqa: ASYNC110
                    await asyncio.sleep(_LOOK_AGAIN_S)

    async def quit(self) -> None:
        """Let Envoy end, and this process with it."""
        await self._ask("POST", "/quitquitquit")

    async def _ask(self, verb: str, path: str) -> bytes:
        """Return a page with what goes before it; empty if there is no answer."""
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(_ANSWER_S):
                reader, writer = await asyncio.open_unix_connection(str(self._socket))
                with contextlib.closing(writer):
                    head = f"{verb} {path} HTTP/1.1\r\nHost: admin\r\nConnection: close\r\n"
                    writer.write(f"{head}Content-Length: 0\r\n\r\n".encode())
                    return await reader.read()
        return b""
