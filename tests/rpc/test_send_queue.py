from __future__ import annotations

import asyncio

from mextrain.wire.v1.encoded_pb2 import EncodedPlayGamesResponse

from mextrain_service.rpc.channels.send_queue import SendQueue
from mextrain_service.rpc.sending import Sender


class _Reader:
    """A call that takes messages one at a time, each when ``ready`` is set."""

    def __init__(self) -> None:
        self.taken: list[bytes] = []
        self.ready = asyncio.Event()
        self.begun = asyncio.Event()
        self._writes = False

    async def write(self, message: EncodedPlayGamesResponse) -> None:
        assert not self._writes, "gRPC refuses a write beside another"
        self._writes = True
        self.begun.set()
        await self.ready.wait()
        self.taken.extend(message.responses)
        self._writes = False


async def test_what_is_being_written_when_the_stream_ends_is_written_and_then_the_rest() -> None:
    reader = _Reader()
    queue = SendQueue(Sender(reader, begun_at="", send_s=60))
    delivering = asyncio.create_task(queue.deliver())
    queue.put(b"first")
    await reader.begun.wait()
    queue.put(b"second")
    queue.finish()
    reader.ready.set()
    await delivering
    assert reader.taken == [b"first", b"second"]


async def test_stream_that_ends_before_anything_is_written_writes_what_waits() -> None:
    reader = _Reader()
    reader.ready.set()
    queue = SendQueue(Sender(reader, begun_at="", send_s=60))
    queue.put(b"only")
    queue.finish()
    await queue.deliver()
    assert reader.taken == [b"only"]


async def test_stream_that_ends_with_nothing_to_write_ends_at_once() -> None:
    queue = SendQueue(Sender(_Reader(), begun_at="", send_s=60))
    queue.finish()
    await queue.deliver()
