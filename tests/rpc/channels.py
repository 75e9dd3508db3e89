"""A platform that acts for many seats on one stream, in tests."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

from google.rpc import error_details_pb2
from google.rpc.status_pb2 import Status
from grpc import aio
from mextrain.v1.channel_pb2 import (
    ChannelRequest,
    ChannelResponse,
    CloseChannel,
    OpenChannel,
    PlayMoves,
)
from mextrain.v1.game_service_pb2 import PlayGamesRequest, PlayGamesResponse
from mextrain.v1.move_pb2 import Move

from tests.rpc.serving import Client


def token_of(client: Client) -> str:
    """Return the credential that a client bears."""
    token: str = client.metadata[0][1].removeprefix("Bearer ")
    return token


def reason_of(status: Status) -> str:
    """Return the stable reason of a refusal, and check that there is exactly one."""
    infos = [error_details_pb2.ErrorInfo.FromString(each.value) for each in status.details[:1]]
    assert ["mextrain"] == [info.domain for info in infos]
    reason: str = infos[0].reason
    return reason


class Stream:
    """One stream, and what came over it.

    Attributes:
        call: the call itself.
        heard: all responses so far, in order.
    """

    def __init__(self, call: Any) -> None:
        self.call = call
        self.heard: list[ChannelResponse] = []
        self._tags = itertools.count(1)
        self._unread: list[ChannelResponse] = []

    async def ask(self, *requests: ChannelRequest) -> None:
        """Send some requests in one message."""
        await self.call.write(PlayGamesRequest(requests=requests))

    async def open(self, channel: int, game_id: str, token: str, **fields: Any) -> ChannelResponse:
        """Open a channel; return the answer to that."""
        opening = OpenChannel(game_id=game_id, token=token, **fields)
        return await self._answer(ChannelRequest(channel=channel, open=opening))

    async def play(self, channel: int, *moves: str | Move, **fields: Any) -> ChannelResponse:
        """Make moves on a channel; return the answer to that."""
        messages = [Move(notation=each) if isinstance(each, str) else each for each in moves]
        play = PlayMoves(moves=messages, **fields)
        return await self._answer(ChannelRequest(channel=channel, play=play))

    async def close(self, channel: int) -> ChannelResponse:
        """Close a channel; return the answer to that."""
        return await self._answer(ChannelRequest(channel=channel, close=CloseChannel()))

    async def next(self) -> ChannelResponse:
        """Return what comes next, within a time that is long."""
        while not self._unread:
            async with asyncio.timeout(100):
                message = await self.call.read()
            assert isinstance(message, PlayGamesResponse), "the stream has ended"
            self._unread += message.responses
        answer = self._unread.pop(0)
        self.heard.append(answer)
        return answer

    async def until(self, channel: int, *kinds: str) -> ChannelResponse:
        """Return the next answer of one of these kinds on a channel."""
        while True:
            answer = await self.next()
            if answer.channel == channel and answer.WhichOneof("response") in kinds:
                return answer

    async def to_the_end(self) -> None:
        """Read all that still comes; raises what the stream fails with."""
        while await self.call.read() is not aio.EOF:  # type: ignore[attr-defined]
            pass

    async def _answer(self, ask: ChannelRequest) -> ChannelResponse:
        ask.tag = next(self._tags)
        await self.ask(ask)
        while True:
            answer = await self.next()
            if answer.tag == ask.tag:
                return answer


@asynccontextmanager
async def playing(client: Client) -> AsyncIterator[Stream]:
    """A stream of a client, ended at last."""
    call = cast("Any", client.stub).PlayGames(metadata=client.metadata)
    try:
        yield Stream(call)
    finally:
        call.cancel()
