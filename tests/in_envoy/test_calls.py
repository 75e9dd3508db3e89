"""What is the transport's own in a call: endings, limits, compression, callers that leave."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import grpc
import pytest
from grpc import aio
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.game_service_pb2_grpc import GameServiceStub

from tests.in_envoy.hosting import Hosted
from tests.rpc.games import seat_all
from tests.rpc.serving import Client, House
from tests.rpc.watchers import (
    WATCHED,
    here,
    make_move,
    next_of,
    until_listeners,
    watching,
)

PRESETS = "/mextrain.v1.GameService/ListPresets"
_Code = grpc.StatusCode


def _bytes(data: bytes) -> bytes:
    return data


@pytest.fixture
async def line(hosted: Hosted) -> AsyncIterator[aio.Channel]:
    """A channel for calls in bytes."""
    async with aio.insecure_channel(hosted.endpoint) as channel:
        yield channel


async def _refusal(call: aio.UnaryUnaryCall[bytes, bytes]) -> aio.AioRpcError:
    with pytest.raises(aio.AioRpcError) as refused:
        await call
    return refused.value


async def test_request_is_read_when_it_is_compressed(hosted: Hosted, house: House) -> None:
    del house
    async with aio.insecure_channel(hosted.endpoint, compression=grpc.Compression.Gzip) as channel:
        answer = await GameServiceStub(channel).ListPresets(pb.ListPresetsRequest())
    assert answer.presets


async def test_request_is_refused_when_it_is_compressed_by_what_nobody_reads(
    hosted: Hosted,
) -> None:
    headers = await _headers(hosted, "content-type: application/grpc", "grpc-encoding: zstd")
    assert "grpc-status: 12" in headers
    assert "grpc-accept-encoding: identity, deflate, gzip" in headers


async def test_request_is_refused_when_it_is_not_grpc(hosted: Hosted) -> None:
    assert "HTTP/2 404" in (await _headers(hosted, "content-type: text/plain"))[0]


async def _headers(hosted: Hosted, *headers: str) -> list[str]:
    """Return the lines of the headers that an empty message is answered with."""
    fields = [word for header in headers for word in ("--header", header)]
    program = await asyncio.create_subprocess_exec(
        *("curl", "--silent", "--http2-prior-knowledge", "--dump-header", "-", "--output"),
        *("/dev/null", "--data-binary", "", *fields, f"http://{hosted.endpoint}{PRESETS}"),
        stdout=asyncio.subprocess.PIPE,
    )
    told, _ = await program.communicate()
    return told.decode().splitlines()


async def test_request_is_refused_when_it_is_far_too_large(line: aio.Channel) -> None:
    call = line.unary_unary(PRESETS, _bytes, _bytes)(bytes(2 << 20))
    assert _Code.RESOURCE_EXHAUSTED is (await _refusal(call)).code()


async def test_method_is_refused_when_there_is_no_such_service(line: aio.Channel) -> None:
    refused = await _refusal(line.unary_unary("/other.Service/Get", _bytes, _bytes)(b""))
    assert _Code.UNIMPLEMENTED is refused.code()


async def test_call_is_refused_when_it_has_several_messages(line: aio.Channel) -> None:
    async def two() -> AsyncIterator[bytes]:
        yield b""
        yield b""

    call = line.stream_unary(PRESETS, _bytes, _bytes)(two())
    with pytest.raises(aio.AioRpcError) as refused:
        await call
    assert _Code.UNIMPLEMENTED is refused.value.code()


async def test_stream_ends_when_its_callers_deadline_is_over(
    platform: Client, house: House
) -> None:
    seated = await seat_all(platform, policy=WATCHED)
    stream = platform.stub.WatchGame(
        pb.WatchGameRequest(game_id=seated.game_id), metadata=platform.metadata, timeout=0.5
    )
    with pytest.raises(aio.AioRpcError) as ended:
        async for _ in stream:
            pass
    assert _Code.DEADLINE_EXCEEDED is ended.value.code()
    await until_listeners(house, seated.game_id, 0)


async def test_quiet_stream_is_given_up_when_its_watcher_leaves(
    platform: Client, house: House
) -> None:
    seated = await seat_all(platform, policy=WATCHED)
    async with watching(platform, seated.game_id) as stream:
        await next_of(stream)
        await until_listeners(house, seated.game_id, 1)
    await until_listeners(house, seated.game_id, 0)


async def test_quiet_stream_is_given_up_when_its_watcher_hangs_up(
    platform: Client, hosted: Hosted, house: House
) -> None:
    seated = await seat_all(platform, policy=WATCHED)
    async with aio.insecure_channel(hosted.endpoint) as other:
        stream = Client(GameServiceStub(other), other, platform.metadata).watch(seated.game_id)
        await next_of(stream)
        await until_listeners(house, seated.game_id, 1)
    await until_listeners(house, seated.game_id, 0)


async def test_messages_of_a_stream_come_one_by_one_as_they_are_made(platform: Client) -> None:
    seated = await seat_all(platform, policy=WATCHED)
    await platform.deal(seated.game_id)
    async with watching(
        platform, seated.game_id, cursor=await here(platform, seated.game_id)
    ) as stream:
        assert (await next_of(stream)).HasField("heartbeat")
        for version in (2, 3, 4):
            await make_move(seated)
            assert version == (await next_of(stream)).events.version
