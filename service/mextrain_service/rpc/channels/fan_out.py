"""One task that sends events on all channels of a stream.

A task for each channel would cost more than the sending.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from mextrain.v1.channel_pb2 import ChannelResponse

from mextrain_service.application.watch_game import GameWatch
from mextrain_service.application.watching import Update
from mextrain_service.rpc.channels.send_queue import SendQueue
from mextrain_service.rpc.messages.watching import UpdateEncoder

Failed = Callable[[Exception], None]
"""Called with the error that ends sending on a channel."""


class FanOut:
    """Sends events on the channels of one stream."""

    def __init__(self, queue: SendQueue) -> None:
        self._queue = queue
        self._encode = UpdateEncoder(ChannelResponse)
        self._ready: dict[_Watched, None] = {}
        self._some = asyncio.Event()

    @contextmanager
    def telling(self, channel: int, watch: GameWatch, failed: Failed) -> Iterator[None]:
        """Send the updates of a watch on a channel, as long as the context is open."""
        watched = _Watched(channel, watch, failed)

        def wake() -> None:
            self._ready[watched] = None
            self._some.set()

        with watch.heard_by(wake):
            wake()
            try:
                yield
            finally:
                self._ready.pop(watched, None)
                watched.close()

    async def run(self) -> None:
        """Send for ever."""
        while True:
            await self._some.wait()
            self._some.clear()
            while self._ready:
                if self._queue.full:
                    await self._queue.room()
                else:
                    first = next(iter(self._ready))
                    del self._ready[first]
                    self._tell(first)

    def _tell(self, watched: _Watched) -> None:
        """Send what is at hand on one channel; what must be read first is read meanwhile."""
        if watched.reads:
            return
        try:
            updates = watched.watch.at_hand()
        except Exception as error:  # noqa: BLE001 - the platform must learn of any failure
            watched.failed(error)
            return
        if updates is None:
            watched.read(self._put)
        else:
            self._put(watched, updates)

    def _put(self, watched: _Watched, updates: Sequence[Update]) -> None:
        for update in updates:
            self._queue.put(watched.head + self._encode(update))


class _Watched:
    """A channel that is watched.

    Attributes:
        watch: its updates.
        failed: see ``Failed``.
        head: the beginning of each of its responses.
        reads: something is read for it, and sent when it is there.
    """

    def __init__(self, channel: int, watch: GameWatch, failed: Failed) -> None:
        self.watch = watch
        self.failed = failed
        self.head = ChannelResponse(channel=channel).SerializeToString()
        self._reading: asyncio.Task[None] | None = None

    @property
    def reads(self) -> bool:
        return self._reading is not None

    def read(self, put: Callable[[_Watched, Sequence[Update]], None]) -> None:
        """Give ``put`` what is next when it has been read."""
        self._reading = asyncio.create_task(self._read(put))

    def close(self) -> None:
        """Read nothing any more."""
        if self._reading is not None:
            self._reading.cancel()

    async def _read(self, put: Callable[[_Watched, Sequence[Update]], None]) -> None:
        try:
            put(self, await self.watch.read())
        except Exception as error:  # noqa: BLE001 - the platform must learn of any failure
            self.failed(error)
        else:
            self.watch.wake()
        finally:
            self._reading = None
