"""What is about to be written to a stream: gathered while it is busy, so that messages are few.

Knows answers and how many there are; nothing of what is in them.
"""

from __future__ import annotations

import asyncio

from mextrain.v1 import channel_pb2, game_service_pb2

from mextrain_service.transport.sending import Sender

ANSWERS_OF_A_MESSAGE = 128
"""Answers that go into one message at most, each of some 10 KB at most."""

_FULL = 1_024
"""Answers that wait; while there are more, nothing new is taken from what happened."""


class Outbox:
    """The answers that wait for their reader."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self._waiting: list[channel_pb2.ChannelAnswer] = []
        self._some = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()

    def put(self, answer: channel_pb2.ChannelAnswer) -> None:
        """Let an answer wait. Whoever tells of what nobody asked for waits for ``room`` before."""
        self._waiting.append(answer)
        self._some.set()
        if len(self._waiting) >= _FULL:
            self._room.clear()

    async def room(self) -> None:
        """Return when there is room for what nobody asked for."""
        await self._room.wait()

    async def deliver(self) -> None:
        """Write what waits, for ever.

        Raises:
            ReaderTooSlowError: the reader makes no room.
        """
        while True:
            await self._some.wait()
            await asyncio.sleep(0)  # what is ready at the same time goes out together
            await self.flush()

    async def flush(self) -> None:
        """Write all that waits now.

        Raises:
            ReaderTooSlowError: the reader makes no room.
        """
        while self._waiting:
            batch = self._waiting[:ANSWERS_OF_A_MESSAGE]
            del self._waiting[:ANSWERS_OF_A_MESSAGE]
            if len(self._waiting) < _FULL:
                self._room.set()
            await self._sender.send(game_service_pb2.PlayGamesResponse(answers=batch), "")
        self._some.clear()
