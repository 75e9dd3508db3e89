"""A store that is away says so quickly, loses nothing, and is used again when it is back."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mextrain_service.application.ports import StoreUnavailableError, VersionConflictError
from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.storage import ConnectionLimits, RedisClient, RedisGameStore
from tests.storage.games import log_of, new_hosted_game, played
from tests.storage.library import Redis, open_redis
from tests.storage.patience import patiently

GAME = new_hosted_game()
DEALT = played(GAME, 1)
QUICKLY_S = 5.0


def _every_operation(store: RedisGameStore) -> list[Callable[[], Awaitable[object]]]:
    return [
        lambda: store.create(GAME),
        lambda: store.load(GAME.game_id),
        lambda: store.commit(DEALT.game, base=GAME, entries=DEALT.log),
        lambda: store.settle(GAME.game_id),
        store.ping,
    ]


async def _assert_away(store: RedisGameStore) -> None:
    for operation in _every_operation(store):
        started = time.monotonic()
        with pytest.raises(StoreUnavailableError) as refused:
            await operation()
        assert time.monotonic() - started < QUICKLY_S
        assert refused.value.retry_after_s > 0


@pytest.fixture
async def own_redis(own_server: EmbeddedValkey) -> AsyncIterator[Redis]:
    client = open_redis(own_server.url)
    yield client
    await client.aclose()


async def test_every_operation_says_that_the_store_is_away_when_it_was_stopped(
    own_server: EmbeddedValkey, own_redis: Redis
) -> None:
    store = RedisGameStore(own_redis)
    await store.create(GAME)
    own_server.kill()
    await _assert_away(store)


async def test_a_store_that_came_back_is_used_again(tmp_path: Path) -> None:
    with EmbeddedValkey(tmp_path / "data") as server:
        client = open_redis(server.url)
        store = RedisGameStore(client)
        await asyncio.gather(store.create(GAME), *(store.ping() for _ in range(8)))
        server.stop()
        await _assert_away(store)
        server.start()
        await patiently(lambda: store.commit(DEALT.game, base=GAME, entries=DEALT.log))
        assert DEALT.game == await store.load(GAME.game_id)
        assert DEALT.log == await log_of(store, GAME.game_id)
        await client.aclose()


async def test_connections_that_a_restart_broke_disturb_nobody(
    own_server: EmbeddedValkey, own_redis: Redis
) -> None:
    store = RedisGameStore(own_redis)
    await asyncio.gather(*(store.ping() for _ in range(16)))
    own_server.stop()
    own_server.start()
    await asyncio.gather(*(store.ping() for _ in range(16)))


async def test_a_store_that_accepts_and_never_answers_is_away() -> None:
    with _silent_address() as url:
        limits = ConnectionLimits(connect_timeout_s=0.2, answer_timeout_s=0.2)
        client = open_redis(url, limits)
        await _assert_away(RedisGameStore(client))
        await client.aclose()


async def test_a_full_store_refuses_writes_whole_and_still_answers_reads(
    own_redis: Redis,
) -> None:
    store = RedisGameStore(own_redis)
    await store.create(GAME)
    await own_redis.config_set("maxmemory", "1")
    with pytest.raises(StoreUnavailableError, match="full"):
        await store.commit(DEALT.game, base=GAME, entries=DEALT.log)
    assert GAME == await store.load(GAME.game_id)
    assert () == await log_of(store, GAME.game_id)
    await own_redis.config_set("maxmemory", "0")
    await store.commit(DEALT.game, base=GAME, entries=DEALT.log)


async def test_a_replica_refuses_writes_as_a_store_that_is_away(
    own_redis: Redis,
) -> None:
    store = RedisGameStore(own_redis)
    await store.create(GAME)
    await own_redis.config_set("replica-serve-stale-data", "yes")
    await own_redis.replicaof("127.0.0.1", "1")
    with pytest.raises(StoreUnavailableError, match="replica"):
        await store.commit(DEALT.game, base=GAME, entries=DEALT.log)


class LosesAnswers:
    """A client whose connection breaks after the server has done what the next write asked."""

    def __init__(self, client: RedisClient, meanwhile: Callable[[], Awaitable[None]]) -> None:
        self._client = client
        self._meanwhile = meanwhile
        self.lost = False

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        answer = await self._client.execute_command(*args, **options)
        if args[0] in {"EVALSHA", "EVAL"} and not self.lost:
            self.lost = True
            await self._meanwhile()
            raise ConnectionResetError
        return answer

    async def aclose(self) -> None:
        await self._client.aclose()


async def _nothing() -> None:
    return


async def test_a_commit_whose_answer_was_lost_is_found_to_be_made(redis: Redis) -> None:
    await RedisGameStore(redis).create(GAME)
    store = RedisGameStore(LosesAnswers(redis, _nothing))
    await store.commit(DEALT.game, base=GAME, entries=DEALT.log)
    assert DEALT.game == await store.load(GAME.game_id)
    assert DEALT.log == await log_of(store, GAME.game_id)


async def test_a_create_whose_answer_was_lost_is_found_to_be_made(redis: Redis) -> None:
    store = RedisGameStore(LosesAnswers(redis, _nothing))
    await store.create(GAME)
    assert GAME == await store.load(GAME.game_id)


async def test_a_commit_whose_answer_was_lost_is_uncertain_when_others_wrote_since(
    redis: Redis,
) -> None:
    await RedisGameStore(redis).create(GAME)

    async def play_on() -> None:
        change = played(DEALT.game, 1)
        await RedisGameStore(redis).commit(change.game, base=DEALT.game, entries=change.log)

    store = RedisGameStore(LosesAnswers(redis, play_on))
    with pytest.raises(StoreUnavailableError, match="lost"):
        await store.commit(DEALT.game, base=GAME, entries=DEALT.log)


async def test_a_commit_that_lost_both_the_race_and_the_answer_is_a_conflict(
    redis: Redis,
) -> None:
    await RedisGameStore(redis).create(GAME)
    await RedisGameStore(redis).commit(DEALT.game, base=GAME, entries=DEALT.log)
    store = RedisGameStore(LosesAnswers(redis, _nothing))
    late = replace(DEALT.game, stamp=b"lat")
    with pytest.raises(VersionConflictError):
        await store.commit(late, base=GAME, entries=DEALT.log)


@contextlib.contextmanager
def _silent_address() -> Iterator[str]:
    """An address where someone listens and says nothing."""
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        path = Path(folder) / "silent.sock"
        listener.bind(str(path))
        listener.listen(16)
        yield f"unix://{path}"
