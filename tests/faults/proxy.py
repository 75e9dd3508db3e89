"""Stands between two programs and carries what they send, or does not.

It runs in a thread of its own, so that it carries on whatever the tests wait for.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

_CHUNK = 65_536
_HOST = "127.0.0.1"

_Result = TypeVar("_Result")


class Proxy:
    """Carries connections to one port.

    Attributes:
        port: where it listens; valid when it is open.
    """

    def __init__(self, target_port: int, chance: random.Random) -> None:
        self.port = 0
        self._target_port = target_port
        self._chance = chance
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._server: asyncio.Server | None = None
        self._carrying: set[asyncio.Task[None]] = set()
        self._flowing = asyncio.Event()
        self._refuses = False
        self._lost_share = 0.0

    def open(self) -> None:
        """Begin to listen and to carry."""
        self._thread.start()
        self._run(self._listen())

    def close(self) -> None:
        """Drop all connections and end."""
        self._run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def hold(self) -> None:
        """Keep connections, and carry nothing over them."""
        self._call(self._flowing.clear)

    def refuse(self) -> None:
        """Drop connections with all that was held, and each new one."""
        self._run(self._drop())

    def lose_replies(self, share: float) -> None:
        """Drop connections instead of carrying a reply, for this share of replies."""
        self._lost_share = share

    def carry(self) -> None:
        """Carry everything again."""
        self._lost_share, self._refuses = 0.0, False
        self._call(self._flowing.set)

    def _call(self, what: Callable[[], object]) -> None:
        self._loop.call_soon_threadsafe(what)

    def _run(self, what: Coroutine[Any, Any, _Result]) -> _Result:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(10)

    async def _listen(self) -> None:
        self._flowing.set()
        self._server = await asyncio.start_server(self._accept, _HOST, self.port)
        self.port = int(self._server.sockets[0].getsockname()[1])

    async def _end(self) -> None:
        assert self._server is not None
        self._server.close()
        await self._drop()
        await self._server.wait_closed()

    async def _drop(self) -> None:
        self._refuses = True
        for task in self._carrying:
            task.cancel()
        await asyncio.gather(*self._carrying, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._carrying.add(task)
        try:
            with contextlib.suppress(OSError, asyncio.CancelledError):
                if not self._refuses:
                    await self._connect(reader, writer)
        finally:
            await _abort(writer)
            self._carrying.discard(task)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_connection(_HOST, self._target_port)
        asked = asyncio.create_task(self._pump(reader, back, lossy=False))
        answered = asyncio.create_task(self._pump(there, writer, lossy=True))
        try:
            await asyncio.wait((asked, answered), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (asked, answered):
                task.cancel()
            await asyncio.gather(asked, answered, return_exceptions=True)
            await _abort(back)

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, lossy: bool
    ) -> None:
        while data := await reader.read(_CHUNK):
            await self._flowing.wait()
            if lossy and self._chance.random() < self._lost_share:
                return
            writer.write(data)
            await writer.drain()


async def _abort(writer: asyncio.StreamWriter) -> None:
    """Drop a connection, and return when it is gone."""
    writer.transport.abort()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
