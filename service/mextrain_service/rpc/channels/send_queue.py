"""What is about to be written to a stream: gathered while it is busy, so that messages are few."""

from __future__ import annotations

import asyncio

from mextrain.wire.v1.encoded_pb2 import EncodedPlayGamesResponse

from mextrain_service.rpc.sending import Sender

ANSWERS_OF_A_MESSAGE = 128
"""Answers that go into one message at most, each of some 10 KB at most."""

_FULL = 1_024
"""Answers that wait; while there are more, nothing new is taken from what happened."""


class SendQueue:
    """The answers that wait for their reader."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self._waiting: list[bytes] = []
        self._some = asyncio.Event()
        self._finished = False
        self._room = asyncio.Event()
        self._room.set()

    @property
    def full(self) -> bool:
        """There is no room for what nobody asked for."""
        return len(self._waiting) >= _FULL

    def put(self, answer: bytes) -> None:
        """Let an answer wait. Whoever tells of what nobody asked for waits for ``room`` before.

        Args:
            answer: a ``ChannelAnswer``, encoded.
        """
        self._waiting.append(answer)
        self._some.set()
        if self.full:
            self._room.clear()

    async def room(self) -> None:
        """Return when there is room for what nobody asked for."""
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
        batch = self._waiting[:ANSWERS_OF_A_MESSAGE]
        del self._waiting[:ANSWERS_OF_A_MESSAGE]
        if not self.full:
            self._room.set()
        await self._sender.send(EncodedPlayGamesResponse(answers=batch), "")
