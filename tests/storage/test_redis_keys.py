"""What lies in Redis: time to live, hints, damage, memory."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from redis.crc import key_slot

from mextrain_engine import Phase
from mextrain_service.application.model import RECEIPTS_KEPT, Dealt, HostedGame
from mextrain_service.application.ports import VersionConflictError
from mextrain_service.storage import CorruptGameError, NewerSchemaError, RedisGameStore
from mextrain_service.storage.keys import PREFIX, game_keys
from mextrain_service.storage.record import SCHEMA
from tests.storage.conftest import RETENTION
from tests.storage.games import after, log_of, new_hosted_game, played, with_receipts
from tests.storage.library import Redis

GAME = new_hosted_game()
KEYS = game_keys(GAME.game_id)
DEALT = played(GAME, 1)


async def _ttls_s(redis: Redis) -> list[int]:
    return [await redis.ttl(KEYS.snapshot), await redis.ttl(KEYS.log)]


async def _stored(redis: Redis, key: str) -> bytes:
    """Return what lies under a key; nothing at all if it is not there."""
    value = await redis.get(key)
    assert value is None or isinstance(value, bytes)
    return value or b""


async def _memory(redis: Redis) -> int:
    sizes = [await redis.memory_usage(key, samples=0) for key in (KEYS.snapshot, KEYS.log)]
    return sum(size or 0 for size in sizes)


async def _play(store: RedisGameStore, game: HostedGame, entries: int) -> HostedGame:
    """Play a stored game on, one commit per entry, until it has so many more or is over."""
    for entry in played(game, entries).log:
        newer = after(game, entry)
        await store.commit(newer, base=game, entries=[entry])
        game = newer
    return game


async def test_a_game_has_two_keys_in_one_slot(store: RedisGameStore, redis: Redis) -> None:
    await store.create(GAME)
    assert {KEYS.snapshot.encode(), KEYS.log.encode()} == set(await redis.keys("*"))
    assert all(key.startswith(PREFIX) for key in KEYS)
    assert 1 == len({key_slot(name.encode()) for name in KEYS})


async def test_every_key_has_a_time_to_live_from_the_start(
    store: RedisGameStore, redis: Redis
) -> None:
    await store.create(GAME)
    assert [RETENTION.live_ttl_s] * 2 == [round(ttl, -1) for ttl in await _ttls_s(redis)]


@pytest.mark.parametrize("entries", [1, 600])
async def test_a_commit_renews_the_time_to_live(
    store: RedisGameStore, redis: Redis, entries: int
) -> None:
    await store.create(GAME)
    for key in (KEYS.snapshot, KEYS.log):
        await redis.expire(key, 5)
    change = played(GAME, entries)
    await store.commit(change.game, base=GAME, entries=change.log)
    assert [RETENTION.live_ttl_s] * 2 == [round(ttl, -1) for ttl in await _ttls_s(redis)]


async def test_a_match_that_is_over_is_kept_for_its_own_time(
    store: RedisGameStore, redis: Redis
) -> None:
    await store.create(GAME)
    match = played(GAME, 5_000)
    await store.commit(match.game, base=GAME, entries=match.log)
    assert [RETENTION.finished_ttl_s] * 2 == [round(ttl, -1) for ttl in await _ttls_s(redis)]


async def test_both_keys_of_a_game_end_together(store: RedisGameStore, redis: Redis) -> None:
    await store.create(GAME)
    await store.commit(DEALT.game, base=GAME, entries=DEALT.log)
    ends = [await redis.pexpiretime(key) for key in (KEYS.snapshot, KEYS.log)]
    assert ends[0] == ends[1]


async def test_a_commit_hints_the_version_and_nothing_else(
    store: RedisGameStore, redis: Redis
) -> None:
    await store.create(GAME)
    async with redis.pubsub() as listener:
        await listener.ssubscribe(KEYS.channel)
        await store.commit(DEALT.game, base=GAME, entries=DEALT.log)
        async with asyncio.timeout(100):
            async for message in listener.listen():
                if message["type"] == "smessage":
                    break
    assert (KEYS.channel.encode(), b"1") == (message["channel"], message["data"])


async def test_a_refused_commit_hints_nothing(store: RedisGameStore, redis: Redis) -> None:
    await store.create(GAME)
    async with redis.pubsub() as listener:
        await listener.ssubscribe(KEYS.channel)
        with pytest.raises(VersionConflictError):
            await store.commit(DEALT.game, base=DEALT.game, entries=DEALT.log)
        await store.commit(DEALT.game, base=GAME, entries=DEALT.log)
        async with asyncio.timeout(100):
            async for message in listener.listen():
                if message["type"] == "smessage":
                    break
    assert b"1" == message["data"]


@pytest.mark.parametrize("damage", ["gone", "short", "long"])
async def test_a_lost_log_is_detected_and_never_continued(
    store: RedisGameStore, redis: Redis, damage: str
) -> None:
    await store.create(GAME)
    game = await _play(store, GAME, 5)
    log = await _stored(redis, KEYS.log)
    spoiled = {"gone": b"", "short": log[:-1], "long": log + b"\xe8"}[damage]
    await redis.set(KEYS.log, spoiled) if spoiled else await redis.delete(KEYS.log)
    before = await _stored(redis, KEYS.snapshot)
    change = played(game, 1)
    with pytest.raises(CorruptGameError):
        await store.commit(change.game, base=game, entries=change.log)
    assert await log_of(store, GAME.game_id) is None
    assert (before, spoiled) == (
        await _stored(redis, KEYS.snapshot),
        await _stored(redis, KEYS.log),
    )


async def test_a_damaged_snapshot_is_told_from_a_missing_one(
    store: RedisGameStore, redis: Redis
) -> None:
    await store.create(GAME)
    record = await _stored(redis, KEYS.snapshot)
    await redis.set(KEYS.snapshot, record[:-1])
    with pytest.raises(CorruptGameError):
        await RedisGameStore(redis).load(GAME.game_id)


async def test_a_snapshot_of_a_later_release_is_refused_and_left_alone(
    store: RedisGameStore, redis: Redis
) -> None:
    await store.create(GAME)
    record = await _stored(redis, KEYS.snapshot)
    await redis.set(KEYS.snapshot, bytes([SCHEMA + 1]) + record[1:])
    with pytest.raises(NewerSchemaError):
        await store.load(GAME.game_id)
    with pytest.raises(NewerSchemaError):
        await log_of(store, GAME.game_id)
    assert bytes([SCHEMA + 1]) + record[1:] == await _stored(redis, KEYS.snapshot)


async def test_a_log_left_by_an_earlier_game_is_replaced(
    store: RedisGameStore, redis: Redis
) -> None:
    await redis.set(KEYS.log, b"\xe8\xe8")
    await store.create(GAME)
    assert () == await log_of(store, GAME.game_id)


async def test_a_server_that_forgot_the_scripts_is_taught_them_again(
    store: RedisGameStore, redis: Redis
) -> None:
    await store.create(GAME)
    await redis.script_flush()
    await store.commit(DEALT.game, base=GAME, entries=DEALT.log)
    await redis.script_flush()
    assert (Dealt(),) == await log_of(store, GAME.game_id)


async def test_a_live_game_of_four_takes_at_most_600_bytes_in_mid_round(
    store: RedisGameStore, redis: Redis
) -> None:
    await store.create(GAME)
    earlier = await _play(store, GAME, 49)
    middle = played(earlier, 1)
    with_proofs = with_receipts(middle.game, RECEIPTS_KEPT * (len(GAME.seats) + 1))
    await store.commit(with_proofs, base=earlier, entries=middle.log)
    assert await _memory(redis) <= 600


async def test_a_move_adds_at_most_6_bytes_over_a_match(
    store: RedisGameStore, redis: Redis
) -> None:
    await store.create(GAME)
    middle = await _play(store, GAME, 50)
    before = await _memory(redis)
    end = await _play(store, middle, 1_000)
    assert (await _memory(redis) - before) / (end.version - middle.version) <= 6


async def test_a_match_that_is_over_takes_little_more_than_its_log(
    store: RedisGameStore, redis: Redis
) -> None:
    await store.create(GAME)
    match = await _play(store, GAME, 5_000)
    assert Phase.FINISHED is match.state.phase
    assert await _memory(redis) <= 700 + len(await _stored(redis, KEYS.log))


async def test_names_and_receipts_do_not_disturb_the_header(store: RedisGameStore) -> None:
    odd = replace(with_receipts(played(GAME, 20).game, 16), version=0, game_id=GAME.game_id)
    await store.create(odd)
    assert odd == await store.load(GAME.game_id)
