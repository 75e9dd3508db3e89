"""The store goes away and comes back: calls say so, nothing is lost, nothing is made twice."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from grpc import aio
from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.storage import Durability
from tests.polling import until
from tests.rpc.games import first_turn, seat_all
from tests.rpc.refusing import read, refusal_of
from tests.rpc.serving import House, persons, worker
from tests.storage.library import open_redis


async def _answered(call: Callable[[], Awaitable[Any]]) -> Any:
    """Return what a call is answered, made again until the store is back."""

    async def answer() -> Any:
        try:
            return await call()
        except aio.AioRpcError as error:
            refused = read(error)
            assert "STORE_UNAVAILABLE" == refused.reason
            assert refused.retry_after_s is not None
            assert refused.retry_after_s <= 1.0

    return await until(answer, within_s=30)


async def test_call_says_when_to_come_back_while_the_store_is_away(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path / "data") as valkey:
        redis = open_redis(valkey.url)
        house = House(redis)
        async with worker(house) as nobody:
            platform = nobody.bearing(house.key.text)
            seated = await seat_all(platform)
            dealt = await platform.deal(seated.game_id, request_id="deal")
            seat = seated.seats[first_turn(dealt.game)]
            move = (await seat.legal_moves(seated.game_id)).moves[0]
            valkey.stop()
            request = pb.PlayMoveRequest(
                game_id=seated.game_id, moves=[move], request_id="tap", expected_version=1
            )
            for call in (
                platform.get_game(seated.game_id),
                platform.score(seated.game_id),
                platform.create_game(pb.CreateGameRequest(seats=persons(2))),
                seat.legal_moves(seated.game_id),
                seat.stub.PlayMove(request, metadata=seat.metadata),
            ):
                refused = await refusal_of(call)
                assert (refused.code, refused.reason) == ("UNAVAILABLE", "STORE_UNAVAILABLE")
                assert refused.retry_after_s is not None
                assert dict(refused.facts) == {"retry_after_s": f"{refused.retry_after_s:g}"}
            valkey.start()
            played = await _answered(lambda: seat.stub.PlayMove(request, metadata=seat.metadata))
            assert played.view.version == 2
            assert dealt == await platform.deal(seated.game_id, request_id="deal")
        await redis.aclose()


@pytest.mark.parametrize("request_id", ["", "tap"])
async def test_call_that_takes_too_long_is_ended_with_its_limit(
    request_id: str, tmp_path: Path
) -> None:
    with EmbeddedValkey(tmp_path / "data") as valkey:
        redis = open_redis(valkey.url)
        house = House(redis)
        async with worker(house) as patient, worker(house, deadline_s=0.1) as hasty:
            seated = await seat_all(patient.bearing(house.key.text))
            await redis.client_pause(400)
            call = hasty.bearing(house.key.text).deal(seated.game_id, request_id=request_id)
            refused = await refusal_of(call)
            assert (refused.code, refused.reason) == ("DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED")
            assert dict(refused.facts) == {"limit_s": "0.1"}
        await redis.aclose()


async def test_change_that_too_few_replicas_have_is_not_acknowledged_however_often_it_is_repeated(
    valkey: EmbeddedValkey,
) -> None:
    client = open_redis(valkey.url, durability=Durability(replicas=1, wait_ms=20))
    house = House(client)
    async with worker(house) as nobody:
        platform = nobody.bearing(house.key.text)
        request = pb.CreateGameRequest(seats=persons(2), request_id="make")
        for _ in range(2):
            refused = await refusal_of(platform.create_game(request))
            assert "STORE_UNAVAILABLE" == refused.reason
    await client.aclose()
    redis = open_redis(valkey.url)
    house = House(redis, key=house.key)
    async with worker(house) as nobody:
        platform = nobody.bearing(house.key.text)
        made = await platform.create_game(request)
        assert 0 == made.game.view.version
    await redis.aclose()
