"""Games that are damaged in the store: calls say so, read what can be read, and remove them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

import pytest
from mextrain.v1 import feed_pb2, game_pb2, watch_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.application.model import GameId
from mextrain_service.storage.keys import game_keys
from tests.rpc.channels import playing, reason_of, token_of
from tests.rpc.games import Seated, seat_all, stored_bytes
from tests.rpc.refusing import Refused, refusal_of
from tests.rpc.serving import Client, House, Watching, worker
from tests.rpc.watchers import ACME, WATCHED, first_of, make_move, next_of, rest_of, watching
from tests.storage.library import Redis

LOG_DAMAGE = ("gone", "short", "long", "of another kind")
SNAPSHOT_DAMAGE = ("cut", "shorter than its header", "empty body", "of another kind")


async def _dealt(platform: Client) -> Seated:
    seated = await seat_all(platform, policy=WATCHED)
    await platform.deal(seated.game_id, request_id="deal")
    await make_move(seated)
    return seated


async def _stored(redis: Redis, key: str) -> bytes:
    stored = await redis.get(key)
    assert isinstance(stored, bytes)
    return stored


async def _damage_log(redis: Redis, game_id: str, damage: str) -> None:
    key = game_keys(GameId(game_id)).log
    log = await _stored(redis, key)
    await redis.delete(key)
    match damage:
        case "short":
            await redis.set(key, log[:-1], px=600_000)
        case "long":
            await redis.set(key, log + b"\xe8", px=600_000)
        case "of another kind":
            await redis.rpush(key, b"no log")


async def _damage_snapshot(redis: Redis, game_id: str, damage: str) -> None:
    key = game_keys(GameId(game_id)).snapshot
    snapshot = await _stored(redis, key)
    spoiled = {"cut": snapshot[:-20], "shorter than its header": snapshot[:5]}
    if damage == "of another kind":
        await redis.delete(key)
        await redis.rpush(key, b"no snapshot")
        return
    empty_body = snapshot[:48] + bytes(200)
    await redis.set(key, spoiled.get(damage, empty_body), px=600_000)


def _is_damaged(refused: Refused) -> bool:
    return ("DATA_LOSS", "GAME_DAMAGED", {}, None) == (
        refused.code,
        refused.reason,
        dict(refused.facts),
        refused.retry_after_s,
    )


async def _all_damaged(*calls: Awaitable[object]) -> bool:
    return all([_is_damaged(await refusal_of(call)) for call in calls])


async def _play(seated: Seated, request_id: str) -> object:
    """Make the first legal move of the seat to move, as one request."""
    game = await seated.platform.get_game(seated.game_id)
    mover = seated.seats[game.view.round.turn]
    moves = (await mover.legal_moves(seated.game_id)).moves[:1]
    request = pb.PlayMoveRequest(game_id=seated.game_id, moves=moves, request_id=request_id)
    return await mover.stub.PlayMove(request, metadata=mover.metadata)


@pytest.mark.parametrize("damage", LOG_DAMAGE)
async def test_change_is_refused_and_changes_nothing_when_the_log_is_damaged(
    platform: Client, house: House, damage: str
) -> None:
    seated = await _dealt(platform)
    await _damage_log(house.redis, seated.game_id, damage)
    before = await stored_bytes(house.redis)
    for request_id in ("", "tap", "tap"):
        assert await _all_damaged(
            _play(seated, request_id),
            platform.resign(seated.game_id, 0, request_id=request_id),
        )
    assert before == await stored_bytes(house.redis)


@pytest.mark.parametrize("damage", LOG_DAMAGE)
async def test_repetition_is_refused_as_damaged_when_the_log_does_not_tell_what_happened(
    platform: Client, house: House, damage: str
) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id, request_id="deal")
    await _damage_log(house.redis, seated.game_id, damage)
    assert await _all_damaged(platform.deal(seated.game_id, request_id="deal"))


@pytest.mark.parametrize("damage", LOG_DAMAGE)
async def test_game_is_read_on_when_only_its_log_is_damaged(
    platform: Client, house: House, damage: str
) -> None:
    seated = await _dealt(platform)
    before = await platform.get_game(seated.game_id)
    await _damage_log(house.redis, seated.game_id, damage)
    assert before.view == (await platform.get_game(seated.game_id)).view
    assert before.view.version == (await platform.score(seated.game_id)).version
    assert (await seated.seats[before.view.round.turn].legal_moves(seated.game_id)).moves
    assert [seated.game_id] == [game.game_id for game in (await platform.list_games()).games]


@pytest.mark.parametrize("damage", ["gone", "short", "long"])
async def test_history_is_gone_when_the_log_is_damaged(
    platform: Client, house: House, damage: str
) -> None:
    seated = await _dealt(platform)
    await _damage_log(house.redis, seated.game_id, damage)
    for call in (platform.events(seated.game_id), platform.export(seated.game_id)):
        assert "HISTORY_GONE" == (await refusal_of(call)).reason


@pytest.mark.parametrize("damage", ["gone", "short", "long"])
async def test_watcher_is_given_the_table_when_the_log_is_damaged(
    platform: Client, house: House, damage: str
) -> None:
    seated = await _dealt(platform)
    await _damage_log(house.redis, seated.game_id, damage)
    view = (await platform.get_game(seated.game_id)).view
    begun = await first_of(platform.watch(seated.game_id))
    resumed = await first_of(platform.watch(seated.game_id, after_version=0))
    assert [watch_pb2.RESET_REASON_BEGINNING, watch_pb2.RESET_REASON_HISTORY_GONE] == [
        begun.reset.reason,
        resumed.reset.reason,
    ]
    assert [view, view] == [begun.reset.game.view, resumed.reset.game.view]


@pytest.mark.parametrize("damage", SNAPSHOT_DAMAGE)
async def test_every_call_says_so_when_the_snapshot_is_damaged(
    platform: Client, house: House, damage: str
) -> None:
    async with worker(house) as elsewhere:
        seated = await _dealt(elsewhere.bearing(house.key.text))
    await _damage_snapshot(house.redis, seated.game_id, damage)
    assert await _all_damaged(
        platform.get_game(seated.game_id),
        platform.score(seated.game_id),
        platform.events(seated.game_id),
        platform.export(seated.game_id),
        platform.deal(seated.game_id, request_id="deal"),
        platform.resign(seated.game_id, 0),
        first_of(platform.watch(seated.game_id)),
    )
    for seat in [platform.bearing(token_of(each)) for each in seated.seats.values()]:
        assert await _all_damaged(
            seat.legal_moves(seated.game_id), seat.play(seated.game_id, "draw", request_id="tap")
        )


async def test_other_games_are_listed_when_one_cannot_be_read(
    platform: Client, house: House
) -> None:
    damaged, sound = await _dealt(platform), await _dealt(platform)
    await _damage_snapshot(house.redis, damaged.game_id, "cut")
    house.clock.advance(3_600)
    listed = await platform.list_games()
    assert [sound.game_id] == [game.game_id for game in listed.games]
    of_player = await platform.list_games(player_id="account-1")
    assert [sound.game_id] == [game.game_id for game in of_player.games]
    assert await house.index().holds(ACME, GameId(damaged.game_id))


@pytest.mark.parametrize("damage", ["shorter than its header", "of another kind"])
async def test_watcher_is_told_when_the_snapshot_is_damaged_meanwhile(
    platform: Client, house: House, damage: str
) -> None:
    seated = await _dealt(platform)
    async with watching(platform, seated.game_id) as stream:
        await next_of(stream)
        await _damage_snapshot(house.redis, seated.game_id, damage)
        refused = await refusal_of(_heard_to_the_end(stream))
    assert _is_damaged(refused)


async def _heard_to_the_end(stream: Watching) -> list[pb.WatchGameResponse]:
    return [message async for message in rest_of(stream)]


async def test_seat_on_a_channel_is_told_when_the_log_is_gone(
    platform: Client, house: House
) -> None:
    seated = await _dealt(platform)
    turn = (await platform.get_game(seated.game_id)).view.round.turn
    mover = seated.seats[turn]
    move = (await mover.legal_moves(seated.game_id)).moves[0]
    async with playing(platform) as stream:
        await stream.open(1, seated.game_id, token_of(mover))
        await _damage_log(house.redis, seated.game_id, "gone")
        refused = await stream.play(1, move)
    assert "GAME_DAMAGED" == reason_of(refused.error)


@pytest.mark.parametrize("damage", LOG_DAMAGE)
async def test_platform_deletes_a_game_whose_log_is_damaged(
    platform: Client, house: House, damage: str
) -> None:
    seated = await _dealt(platform)
    await _damage_log(house.redis, seated.game_id, damage)
    assert 2 == (await platform.delete(seated.game_id, request_id="away")).version
    assert 2 == (await platform.delete(seated.game_id, request_id="away")).version
    assert "GAME_NOT_FOUND" == (await refusal_of(platform.get_game(seated.game_id))).reason


@pytest.mark.parametrize("damage", SNAPSHOT_DAMAGE)
async def test_platform_deletes_a_game_that_cannot_be_read(
    platform: Client, house: House, damage: str
) -> None:
    seated = await _dealt(platform)
    await _damage_snapshot(house.redis, seated.game_id, damage)
    for _ in range(2):
        assert 0 == (await platform.delete(seated.game_id, request_id="away")).version
    assert "GAME_NOT_FOUND" == (await refusal_of(platform.get_game(seated.game_id))).reason
    keys = game_keys(GameId(seated.game_id))
    assert 0 == await house.redis.exists(keys.snapshot, keys.log)


async def test_deletion_of_a_game_that_cannot_be_read_is_news(
    platform: Client, house: House
) -> None:
    seated = await _dealt(platform)
    await _damage_snapshot(house.redis, seated.game_id, "cut")
    await platform.delete(seated.game_id)
    stream = platform.watch_games()
    told: list[feed_pb2.GameNews] = []
    async with asyncio.timeout(10):
        while not told or feed_pb2.NEWS_KIND_DELETED != told[-1].kind:
            message = await stream.read()
            assert isinstance(message, pb.WatchGamesResponse), "the stream has ended"
            told += message.news.news
    stream.cancel()
    assert (seated.game_id, 0) == (told[-1].game_id, told[-1].version)


async def test_game_that_cannot_be_read_is_deleted_by_its_own_platform_alone(
    platform: Client, rival: Client, house: House
) -> None:
    seated = await _dealt(platform)
    await _damage_snapshot(house.redis, seated.game_id, "cut")
    before = await stored_bytes(house.redis)
    refused = await refusal_of(rival.delete(seated.game_id))
    assert "GAME_NOT_FOUND" == refused.reason
    seat = await refusal_of(seated.seats[0].delete(seated.game_id))
    assert "PERMISSION_DENIED" == seat.reason
    assert before == await stored_bytes(house.redis)


async def test_game_that_cannot_be_read_is_not_deleted_when_a_version_is_expected(
    platform: Client, house: House
) -> None:
    seated = await _dealt(platform)
    await _damage_snapshot(house.redis, seated.game_id, "cut")
    assert await _all_damaged(platform.delete(seated.game_id, expected_version=2))


async def test_creation_is_answered_as_damaged_when_it_is_repeated_for_a_damaged_game(
    platform: Client, house: House
) -> None:
    policy = game_pb2.TablePolicy(deal_by=game_pb2.DEAL_BY_AUTOMATIC)
    seated = await seat_all(platform, request_id="make", policy=policy)
    await _damage_log(house.redis, seated.game_id, "gone")
    assert await _all_damaged(seat_all(platform, request_id="make", policy=policy))
