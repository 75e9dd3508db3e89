"""All that goes between one browser and the front: forwarded, kept, and cut when a test says so."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field


@dataclass
class Connection:
    """What one connection has carried.

    Attributes:
        sent: from the browser.
        received: by the browser.
    """

    sent: bytearray = field(default_factory=bytearray)
    received: bytearray = field(default_factory=bytearray)


class Wire:
    """A port of its own for one browser, before the front's.

    Attributes:
        url: where the browser connects.
        connections: every one since the beginning, in order.
    """

    def __init__(self, port: int) -> None:
        self.url = ""
        self.connections: list[Connection] = []
        self._port = port
        self._whole = True
        self._open: set[asyncio.StreamWriter] = set()

    def cut(self) -> None:
        """Break off every connection, and let no new one through."""
        self._whole = False
        for writer in self._open:
            writer.transport.abort()

    def mend(self) -> None:
        """Let connections through again."""
        self._whole = True

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Carry one connection until either side ends it."""
        if not self._whole:
            writer.transport.abort()
            return
        kept = Connection()
        self.connections.append(kept)
        front_reader, front_writer = await asyncio.open_connection("127.0.0.1", self._port)
        both = {writer, front_writer}
        self._open |= both
        try:
            await asyncio.gather(
                _carry(reader, front_writer, kept.sent),
                _carry(front_reader, writer, kept.received),
            )
        finally:
            self._open -= both
            for each in both:
                each.transport.abort()


NewWire = Callable[[], Awaitable[Wire]]
"""Makes a wire to the tests' service."""


async def _carry(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, kept: bytearray
) -> None:
    with contextlib.suppress(ConnectionError):
        while data := await reader.read(65_536):
            kept += data
            writer.write(data)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def wire_to(http_url: str) -> AsyncIterator[Wire]:
    """Serve a wire to the front while the context is open."""
    wire = Wire(int(http_url.rpartition(":")[2]))
    server = await asyncio.start_server(wire.serve, "127.0.0.1", 0)
    wire.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield wire
    finally:
        wire.cut()
        server.close()
