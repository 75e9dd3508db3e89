"""What every call passes, as its caller sees it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from grpc import StatusCode, aio
from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.application.model import GameId, HostedGame
from mextrain_service.storage import RedisGameStore
from tests.rpc.games import seat_all
from tests.rpc.refusing import read, refusal_of
from tests.rpc.serving import MAX_REQUEST_BYTES, Client, House, worker

HEADER = "x-request-id"


async def test_error_carries_the_id_that_the_caller_gave_the_call(platform: Client) -> None:
    call = platform.stub.GetGame(
        pb.GetGameRequest(game_id="A" * 22), metadata=(*platform.metadata, (HEADER, "mine-1"))
    )
    with pytest.raises(aio.AioRpcError) as caught:
        await call
    metadata: Any = caught.value.trailing_metadata()
    assert dict(metadata)[HEADER] == "mine-1"
    assert read(caught.value).reason == "GAME_NOT_FOUND"


class Faulty(RedisGameStore):
    """A store with a bug."""

    async def load(self, game_id: GameId) -> HostedGame:
        raise RuntimeError(f"a bug met {game_id}")


async def test_fault_says_nothing_but_the_id_under_which_the_log_has_its_cause(
    platform: Client, house: House, capsys: pytest.CaptureFixture[str]
) -> None:
    seated = await seat_all(platform)
    async with worker(house, Faulty(house.redis)) as nobody:
        call = nobody.stub.GetGame(
            pb.GetGameRequest(game_id=seated.game_id),
            metadata=(*platform.metadata, (HEADER, "fault-1")),
        )
        refused = await refusal_of(call)
    assert (refused.code, refused.reason) == ("INTERNAL", "INTERNAL")
    assert refused.message == "internal error; the log of the service has the cause by this ID"
    assert dict(refused.facts) == {"request_id": "fault-1"}
    assert refused.retry_after_s is None
    assert "fault-1" in capsys.readouterr().out


class CancelsItself(RedisGameStore):
    """A store that cancels who asks it."""

    async def load(self, game_id: GameId) -> HostedGame:
        raise asyncio.CancelledError(game_id)


async def test_call_that_is_cancelled_from_within_ends_for_its_caller(
    platform: Client, house: House
) -> None:
    seated = await seat_all(platform)
    async with worker(house, CancelsItself(house.redis)) as nobody:
        request = pb.GetGameRequest(game_id=seated.game_id)
        call = nobody.stub.GetGame(request, metadata=platform.metadata, timeout=20)
        with pytest.raises(aio.AioRpcError) as ended:
            await call
    assert StatusCode.CANCELLED is ended.value.code()


async def test_credential_counts_before_anything_of_the_request(nobody: Client) -> None:
    request = pb.CreateGameRequest(preset="x" * MAX_REQUEST_BYTES)
    forger = nobody.bearing("a.b.c")
    assert (await refusal_of(forger.create_game(request))).reason == "TOKEN_INVALID"


async def test_call_ends_when_its_caller_waits_no_longer(platform: Client, house: House) -> None:
    seated = await seat_all(platform)
    await house.redis.client_pause(300)
    with pytest.raises(aio.AioRpcError) as caught:
        await platform.stub.GetGame(
            pb.GetGameRequest(game_id=seated.game_id), metadata=platform.metadata, timeout=0.05
        )
    assert caught.value.code().name == "DEADLINE_EXCEEDED"
    assert (await platform.get_game(seated.game_id)).game_id == seated.game_id
