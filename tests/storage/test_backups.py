"""Games are copied while they are played, and put back whole where they are missing."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from mextrain_service.application.model import GameId
from mextrain_service.application.ports import GameNotFoundError
from mextrain_service.storage import RedisGameStore
from mextrain_service.storage.backups import Fate, GameCopy, Returner, copies
from mextrain_service.storage.doctor import Doctor, Treatment
from mextrain_service.storage.game_index import RedisGameIndex
from mextrain_service.storage.keys import game_keys
from tests.storage.games import log_of, new_hosted_game, played
from tests.storage.library import Redis

DAY_S = 86_400


async def _stored(client: Redis, count: int) -> list[GameId]:
    store, index = RedisGameStore(client), RedisGameIndex(client)
    for number in range(count):
        game = new_hosted_game(f"game-{number}")
        await index.note(None, game)
        await store.create(game)
        change = played(game, 7 * number)
        if change.log:
            await store.commit(change.game, base=game, entries=change.log)
    return [GameId(f"game-{number}") for number in range(count)]


async def _copies(client: Redis) -> dict[GameId, GameCopy]:
    return {copy.game_id: copy async for copy in copies(client)}


async def test_games_come_back_whole_and_on_every_list(client: Redis) -> None:
    ids, store = await _stored(client, 12), RedisGameStore(client)
    before = {each: (await store.load(each), await log_of(store, each)) for each in ids}
    kept = await _copies(client)
    assert set(ids) == set(kept)
    await client.flushall()
    returner, store = Returner(client, DAY_S), RedisGameStore(client)
    assert {Fate.PUT_BACK} == {await returner.put_back(copy) for copy in kept.values()}
    assert before == {each: (await store.load(each), await log_of(store, each)) for each in ids}
    report = await Doctor(client, Treatment(replays=True)).examine()
    assert ([], 12) == (report.findings, report.live)


async def test_game_that_is_there_stays_as_it_is(client: Redis) -> None:
    (game_id,) = await _stored(client, 1)
    (copy,) = (await _copies(client)).values()
    store = RedisGameStore(client)
    game = await store.load(game_id)
    change = played(game, 3)
    await store.commit(change.game, base=game, entries=change.log)
    returner = Returner(client, DAY_S)
    assert Fate.THERE is await returner.put_back(copy, trying=True)
    assert Fate.THERE is await returner.put_back(copy)
    assert change.game == await RedisGameStore(client).load(game_id)


async def test_trying_puts_nothing_back(client: Redis) -> None:
    (game_id,) = await _stored(client, 1)
    (copy,) = (await _copies(client)).values()
    await client.flushall()
    assert Fate.PUT_BACK is await Returner(client, DAY_S).put_back(copy, trying=True)
    with pytest.raises(GameNotFoundError):
        await RedisGameStore(client).load(game_id)
    assert [] == await client.keys("*")


@pytest.mark.parametrize(
    "broken", ["no snapshot", "half a snapshot", "another log", "half a log", "no log"]
)
async def test_copy_that_cannot_be_read_is_not_put_back(broken: str, client: Redis) -> None:
    _, game_id = await _stored(client, 2)
    copy = (await _copies(client))[game_id]
    await client.flushall()
    damaged = {
        "no snapshot": replace(copy, snapshot=b""),
        "half a snapshot": replace(copy, snapshot=copy.snapshot[:40]),
        "another log": replace(copy, log=copy.log + copy.log),
        "half a log": replace(copy, log=copy.log[:-1]),
        "no log": replace(copy, log=b""),
    }[broken]
    assert Fate.UNREADABLE is await Returner(client, DAY_S).put_back(damaged)
    assert [] == await client.keys("*")


async def test_game_lives_as_long_as_it_would_have_and_for_a_day_at_least(
    client: Redis,
) -> None:
    (game_id,) = await _stored(client, 1)
    (copy,) = (await _copies(client)).values()
    now_ms = time.time_ns() // 1_000_000
    for ends_ms, lives_s in ((now_ms - 5, DAY_S), (now_ms + 3_000 * DAY_S, 3 * DAY_S)):
        await client.flushall()
        await Returner(client, DAY_S).put_back(replace(copy, ends_ms=ends_ms))
        names = game_keys(game_id)
        for key in (names.snapshot, names.log):
            assert abs(1_000 * lives_s - await client.pttl(key)) < 60_000
