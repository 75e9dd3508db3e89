"""What is left of a game is removed when it cannot be read, and only then."""

from __future__ import annotations

import pytest

from mextrain_service.application.model import GameId, PlatformId, Receipt
from mextrain_service.application.ports import (
    DamagedGameError,
    GameNotFoundError,
    VersionConflictError,
)
from mextrain_service.storage import NewerSchemaError, RedisGameStore
from mextrain_service.storage.game_index import RedisGameIndex
from mextrain_service.storage.keys import game_keys
from mextrain_service.storage.lua import Script
from mextrain_service.storage.record import SCHEMA
from tests.storage.conftest import RETENTION
from tests.storage.games import new_hosted_game, played
from tests.storage.library import Redis

GAME = new_hosted_game()
KEYS = game_keys(GAME.game_id)
RECEIPT = Receipt(key=b"\x01" * 6, body=b"\x02" * 4, before=0, after=0)


@pytest.fixture
async def store(client: Redis) -> RedisGameStore:
    """A store with one game of ten entries."""
    store = RedisGameStore(client, RETENTION)
    await store.create(GAME)
    change = played(GAME, 10)
    await store.commit(change.game, base=GAME, entries=change.log)
    return store


async def _spoil(client: Redis, damage: str) -> None:
    if damage == "of another kind":
        await client.delete(KEYS.snapshot)
        await client.hset(KEYS.snapshot, "field", "value")
        return
    record = await client.get(KEYS.snapshot)
    assert isinstance(record, bytes)
    cut = {"cut": -20, "shorter than its header": 5}[damage]
    await client.set(KEYS.snapshot, record[:cut], keepttl=True)


@pytest.mark.parametrize("damage", ["cut", "shorter than its header", "of another kind"])
async def test_discard_removes_a_game_and_keeps_the_receipt_when_it_cannot_be_read(
    client: Redis, store: RedisGameStore, damage: str
) -> None:
    await _spoil(client, damage)
    with pytest.raises(DamagedGameError):
        await store.load(GAME.game_id)
    await store.discard(GAME.game_id, RECEIPT)
    with pytest.raises(GameNotFoundError):
        await store.cached(GAME.game_id)
    assert 0 == await client.exists(KEYS.log)
    assert RECEIPT == await store.deletion(GAME.game_id)


async def test_discard_is_refused_when_the_game_can_be_read(
    client: Redis, store: RedisGameStore
) -> None:
    await client.delete(KEYS.log)
    with pytest.raises(VersionConflictError):
        await store.discard(GAME.game_id, RECEIPT)
    assert 10 == (await store.load(GAME.game_id)).version
    assert await store.deletion(GAME.game_id) is None


async def test_discard_is_refused_when_a_later_release_can_read_the_game(
    client: Redis, store: RedisGameStore
) -> None:
    record = await client.get(KEYS.snapshot)
    assert isinstance(record, bytes)
    await client.set(KEYS.snapshot, bytes([SCHEMA + 1]) + record[1:], keepttl=True)
    with pytest.raises(NewerSchemaError):
        await store.discard(GAME.game_id, None)
    assert 1 == await client.exists(KEYS.snapshot)


async def test_discard_changes_nothing_when_the_snapshot_is_not_the_one_that_was_found(
    client: Redis, store: RedisGameStore
) -> None:
    names = (KEYS.snapshot, KEYS.log, KEYS.deletion)
    arguments = (b"what was found", KEYS.channel, b"receipt", 1_000)
    assert -1 == await Script("discard").run(client, names, arguments)
    assert 10 == (await store.load(GAME.game_id)).version
    assert 1 == await client.exists(KEYS.log)


async def test_discard_finds_no_game_when_there_is_none(
    client: Redis, store: RedisGameStore
) -> None:
    await client.delete(KEYS.snapshot)
    with pytest.raises(GameNotFoundError):
        await store.discard(GAME.game_id, None)


async def test_index_holds_a_game_for_its_own_platform_alone(client: Redis) -> None:
    index = RedisGameIndex(client, RETENTION)
    await index.note(None, GAME)
    assert await index.holds(GAME.platform_id, GAME.game_id)
    assert not await index.holds(PlatformId("rival"), GAME.game_id)
    assert not await index.holds(GAME.platform_id, GameId("another"))


@pytest.mark.parametrize("kind", ["snapshot", "log"])
async def test_a_key_of_another_kind_is_damage_whatever_is_asked_for(
    client: Redis, store: RedisGameStore, kind: str
) -> None:
    key = KEYS.snapshot if kind == "snapshot" else KEYS.log
    await client.delete(key)
    await client.hset(key, "field", "value")
    game = await store.cached(GAME.game_id)
    change = played(game, 1)
    with pytest.raises(DamagedGameError):
        await store.commit(change.game, base=game, entries=change.log)
    with pytest.raises(DamagedGameError):
        await store.settle(GAME.game_id)
