"""What is about to be written to a stream: gathered while it is busy, so that messages are few."""

from __future__ import annotations

import asyncio

from mextrain.wire.v1.encoded_pb2 import EncodedPlayGamesResponse

from mextrain_service.rpc.sending import Sender

RESPONSES_PER_MESSAGE = 128
"""Most responses in one message, each of some 10 KB at most."""

_FULL = 1_024
"""Responses that wait; while there are more, no new events are taken."""


class SendQueue:
    """The responses that wait for their reader."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self._waiting: list[bytes] = []
        self._some = asyncio.Event()
        self._finished = False
        self._room = asyncio.Event()
        self._room.set()

    @property
    def full(self) -> bool:
        """There is no room for more events."""
        return len(self._waiting) >= _FULL

    def put(self, response: bytes) -> None:
        """Queue a response. Senders of events wait for ``room`` first.

        Args:
            response: a ``ChannelResponse``, encoded.
        """
        self._waiting.append(response)
        self._some.set()
        if self.full:
            self._room.clear()

    async def room(self) -> None:
        """Return when there is room for events."""
        await self._room.wait()

    def finish(self) -> None:
        """Let ``deliver`` return when it has written what waits."""
        self._finished = True
        self._some.set()

    async def deliver(self) -> None:
        """Write what waits, until ``finish``.

        It is not cancelled to end it: gRPC goes on with a write that is cancelled, and refuses
        another one beside it.

        Raises:
            Refused: ``READER_TOO_SLOW``, the reader makes no room.
        """
        while self._waiting or not self._finished:
            await self._some.wait()
            await asyncio.sleep(0)  # what is ready at the same time goes out together
            self._some.clear()
            while self._waiting:
                await self._write_batch()

    async def _write_batch(self) -> None:
        batch = self._waiting[:RESPONSES_PER_MESSAGE]
        del self._waiting[:RESPONSES_PER_MESSAGE]
        if not self.full:
            self._room.set()
        await self._sender.send(EncodedPlayGamesResponse(responses=batch), "")
