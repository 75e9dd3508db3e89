"""One who watches a game through any worker, and goes on where the last stream ended."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from typing import Any, Final

from google.protobuf.duration_pb2 import Duration
from grpc import aio
from mextrain.v1 import channel_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_client import MextrainError, from_status
from tests.faults.asking import Asker
from tests.faults.history import ABSENT, Stream
from tests.faults.reading import read_message
from tests.faults.resuming import place_after

HEARTBEAT_S: Final = 0.5
_PATIENCE_S: Final = 2.0
_LEAVES: Final = 0.02
_PAUSE_S: Final = 0.05
_NO_LONGER: Final = frozenset({"SEAT_RESIGNED", "PERMISSION_DENIED"})

_TOKEN_S: Final = 5.0
"""A newer token comes within this time, if there is one."""

_HEARTBEAT: Final = Duration(nanos=round(HEARTBEAT_S * 1e9))


class Watcher:
    """Stitches one stream together from many.

    Attributes:
        stream: what it was told.
    """

    def __init__(
        self, asker: Asker, stream: Stream, credential: Callable[[], str], platform_key: str = ""
    ) -> None:
        """Prepare to watch.

        Args:
            asker: calls the workers.
            stream: takes what is told.
            credential: returns the token to watch with, which may be replaced.
            platform_key: whose stream carries a channel for the token; empty for a WatchGame.
        """
        self.stream = stream
        self._asker = asker
        self._credential = credential
        self._platform_key = platform_key
        self._last: Any = None
        self._heard_s = time.monotonic()
        self._refused_s: float | None = None

    async def watch(self) -> None:
        """Watch until the match is over, the viewer may no longer, or this is cancelled."""
        while not self.stream.left and not self._finished():
            worker = self._asker.any_worker()
            opened = self._open(worker)
            try:
                await self._listen(self._messages(opened))
            except aio.AioRpcError as error:
                failure = self._asker.failed(error, worker)
                self._note(failure)
                await asyncio.sleep(_PAUSE_S)
            finally:
                opened.cancel()
            if self._ended():
                self._last = None  # the game may be put back
                await asyncio.sleep(_PAUSE_S)

    def _note(self, failure: MextrainError) -> None:
        """Leave if the viewer may no longer watch, or has a token that a lost history gave."""
        if failure.reason != "TOKEN_SUPERSEDED":
            self._refused_s = None
            self.stream.left = failure.reason in _NO_LONGER
            return
        now_s = time.monotonic()
        self._refused_s = self._refused_s or now_s
        self.stream.left = now_s - self._refused_s > _TOKEN_S

    def has_heard(self, version: int, since_s: float) -> bool:
        """Whether it was told since then that this is the version, or may not be told."""
        if self.stream.left or self._finished() or version == ABSENT:
            return True
        last = self.stream.messages[-1] if self.stream.messages else None
        return last is not None and last.version == version and last.heard_s > since_s

    def _finished(self) -> bool:
        return self._ended() and self.stream.messages[-1].reason == "FINISHED"

    def _ended(self) -> bool:
        """Whether the last message was an end."""
        return bool(self.stream.messages) and self.stream.messages[-1].kind == "end"

    def _open(self, worker: int) -> Any:
        place = place_after(self._last)
        game_id = self.stream.game
        if not self._platform_key:
            request = pb.WatchGameRequest(game_id=game_id, heartbeat_interval=_HEARTBEAT, **place)
            return self._asker.stub(worker).WatchGame(request, metadata=_of(self._credential()))
        return self._asker.stub(worker).PlayGames(metadata=_of(self._platform_key))

    async def _messages(self, opened: Any) -> AsyncIterator[Any]:
        """Yield what a stream says of the game, be it a watch or a channel."""
        if not self._platform_key:
            async for message in opened:
                yield message
            return
        ask = channel_pb2.OpenChannel(
            game_id=self.stream.game,
            token=self._credential(),
            heartbeat_interval=_HEARTBEAT,
            **place_after(self._last),
        )
        await opened.write(
            pb.PlayGamesRequest(requests=[channel_pb2.ChannelRequest(channel=1, tag=1, open=ask)])
        )
        async for message in opened:
            for answer in message.responses:
                if answer.HasField("error") or answer.HasField("closed"):
                    refused = answer.error if answer.HasField("error") else answer.closed.status
                    self._note(from_status(refused))
                    await asyncio.sleep(_PAUSE_S)
                    return
                if not answer.HasField("opened"):
                    yield answer

    async def _listen(self, messages: AsyncIterator[Any]) -> None:
        """Take down what comes, until the stream ends, is silent for too long, or is left."""
        heard = aiter(messages)
        while True:
            try:
                async with asyncio.timeout(HEARTBEAT_S + _PATIENCE_S):
                    message = await anext(heard)
            except (TimeoutError, StopAsyncIteration):
                return
            self._take(message)
            if self._ended() or self._asker.chance.random() < _LEAVES:
                return

    def _take(self, message: Any) -> None:
        now = time.monotonic()
        read = read_message(message, now)
        if read is None:
            return
        self.stream.silence_s = max(self.stream.silence_s, now - self._heard_s)
        self._heard_s = now
        self._last = message
        self.stream.messages.append(read)


def _of(credential: str) -> tuple[tuple[str, str], ...]:
    return (("authorization", f"Bearer {credential}"),)
