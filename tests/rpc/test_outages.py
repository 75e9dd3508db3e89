"""Time in which nobody could play costs nobody a turn, a seat or what is in the bank."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from mextrain.v1 import game_pb2

from mextrain_service.application.deadline_book import OVERDUE_MS
from mextrain_service.application.enforce_deadlines import Enforced
from mextrain_service.application.model import GameId
from mextrain_service.application.outages import Outages
from mextrain_service.application.ports import StoreUnavailableError
from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.storage.keys import BORDERS
from mextrain_service.storage.outages import RedisOutages
from tests.rpc.games import seat_all
from tests.rpc.serving import RETENTION, Client, House, persons, worker
from tests.rpc.timing import (
    BOT,
    DAY_S,
    SKIP,
    WAIT,
    bank,
    dealt_with_clock,
    enforced,
    happened_since,
    kinds_of,
    left_s,
    per_turn,
    whole_turn,
)
from tests.storage.library import Redis, open_redis
from tests.storage.patience import patiently

TURN_S = 4
AWAY_S = 10
LOOK_S = 0.5


def watching(house: House) -> House:
    """Return the same house with a worker that knows nothing of outages yet."""
    assert isinstance(house.redis, Redis)
    return replace(house, outages=RedisOutages(house.redis, RETENTION))


async def look(house: House) -> None:
    """Look at the store once."""
    assert house.outages is not None
    await asyncio.gather(*(house.outages.look(each, house.clock) for each in range(BORDERS)))


async def watch(house: House, seconds: float) -> None:
    """Let so much time pass in which the store is looked at."""
    for _ in range(round(seconds / LOOK_S)):
        house.clock.advance(LOOK_S)
        await look(house)


@pytest.fixture
async def house(redis: Redis) -> House:
    """A worker that has looked at the store for a while."""
    found = watching(House(redis))
    await watch(found, 2)
    return found


@pytest.mark.parametrize("on_timeout", [BOT, SKIP, WAIT])
async def test_nobody_loses_turn_or_seat_when_the_store_was_away_for_longer_than_a_turn(
    platform: Client, house: House, on_timeout: game_pb2.OnTimeout.ValueType
) -> None:
    policy = per_turn(TURN_S, on_timeout=on_timeout, forfeit_after=1)
    seated, game = await dealt_with_clock(platform, policy)
    turn = game.view.round.turn
    await watch(house, 1)
    house.clock.advance(AWAY_S)
    for _ in range(3):
        assert [] == await enforced(house)
        assert 3 <= left_s((await platform.get_game(seated.game_id)).view) <= 4
        await look(house)
    await watch(house, 2.5)
    assert [] == await enforced(house)
    await watch(house, 2)
    assert 1 == len(await enforced(house))
    kinds = kinds_of(await happened_since(platform, game))
    assert [f"TIMED_OUT {turn}", f"RESIGNED {turn}"] == kinds[:2]


async def test_turn_that_is_made_in_time_beside_an_outage_counts_as_made(
    platform: Client, house: House
) -> None:
    seated, game = await dealt_with_clock(platform, per_turn(TURN_S, forfeit_after=1))
    turn = game.view.round.turn
    house.clock.advance(AWAY_S)
    await watch(house, 1)
    answer = await whole_turn(seated.seats[turn], seated.game_id)
    assert (1 - turn, TURN_S) == (answer.view.round.turn, left_s(answer.view))
    assert [] == await enforced(house)


async def test_bank_is_not_charged_for_an_outage(platform: Client, house: House) -> None:
    seated, game = await dealt_with_clock(platform, bank(60))
    turn = game.view.round.turn
    await watch(house, 5)
    house.clock.advance(600)
    await watch(house, 5)
    running = await platform.get_game(seated.game_id)
    assert 50 <= left_s(running.view) <= 52
    assert running.banks[turn].seconds in (50, 51)
    await whole_turn(seated.seats[turn], seated.game_id)
    after = await platform.get_game(seated.game_id)
    assert running.banks[turn] == after.banks[turn]


async def test_time_counts_while_another_worker_looks_at_the_store(
    platform: Client, house: House
) -> None:
    _, game = await dealt_with_clock(platform, per_turn(TURN_S))
    alone = watching(house)
    await look(alone)
    await watch(house, TURN_S)
    assert [] == await enforced(alone)
    await look(alone)
    await watch(house, 1)
    assert [Enforced(GameId(game.game_id), 1_000)] == await enforced(alone)


async def test_turns_go_on_where_they_were_when_the_whole_service_was_away(
    platform: Client, house: House
) -> None:
    _, game = await dealt_with_clock(platform, per_turn(60, forfeit_after=1))
    await watch(house, 10)
    house.clock.advance(DAY_S)
    started = watching(house)
    assert [] == await enforced(started)
    await look(started)
    assert [] == await enforced(started)
    await watch(started, 48)
    assert [] == await enforced(started)
    await watch(started, 3)
    assert 1 == len(await enforced(started))
    assert kinds_of(await happened_since(platform, game))[0].startswith("TIMED_OUT")


async def test_deadline_that_was_acted_on_stays_past_when_the_store_goes_away_after_it(
    platform: Client, house: House
) -> None:
    seated, _ = await dealt_with_clock(platform, per_turn(TURN_S, on_timeout=WAIT))
    await watch(house, TURN_S)
    assert 1 == len(await enforced(house))
    house.clock.advance(AWAY_S)
    await watch(house, 1)
    assert -AWAY_S - 1 == left_s((await platform.get_game(seated.game_id)).view)
    assert [] == await enforced(house)


async def test_deadline_that_an_outage_put_off_is_not_entered_anew_by_who_looks_at_the_game(
    house: House, platform: Client
) -> None:
    _, game = await dealt_with_clock(platform, per_turn(TURN_S))
    house.clock.advance(TURN_S + OVERDUE_MS / 1_000)
    await watch(house, 1)
    (key,) = await house.redis.keys("mt:deadlines:*")
    before = await house.redis.zrange(key, 0, -1, withscores=True)
    await platform.get_game(game.game_id)
    assert before == await house.redis.zrange(key, 0, -1, withscores=True)


async def test_entry_that_was_lost_with_an_outage_is_entered_again_by_who_looks_at_the_game(
    house: House, platform: Client
) -> None:
    """A store fails over to a replica that lacks its last second."""
    _, game = await dealt_with_clock(platform, per_turn(TURN_S))
    await house.redis.delete(*await house.redis.keys("mt:deadlines:*"))
    house.clock.advance(AWAY_S)
    await watch(house, TURN_S + 1 + OVERDUE_MS / 1_000)
    assert [] == await enforced(house)
    await platform.get_game(game.game_id)
    assert 1 == len(await enforced(house))


async def test_nobody_loses_turn_or_seat_when_the_store_was_killed_and_started_again(
    tmp_path: Path,
) -> None:
    with EmbeddedValkey(tmp_path / "data") as valkey:
        redis = open_redis(valkey.url)
        house = watching(House(redis))
        await watch(house, 2)
        async with worker(house) as nobody:
            platform = nobody.bearing(house.key.text)
            seated = await seat_all(
                platform, seats=persons(2), policy=per_turn(TURN_S, forfeit_after=1)
            )
            await platform.deal(seated.game_id)
            valkey.stop()
            for _ in range(AWAY_S):
                house.clock.advance(1)
                with pytest.raises(StoreUnavailableError):
                    await look(house)
            valkey.start()
            await patiently(house.store().ping)
            for _ in range(3):
                assert [] == await enforced(house)
                await look(house)
            await watch(house, TURN_S - 1)
            assert [] == await enforced(house)
            await watch(house, 2)
            assert 1 == len(await enforced(house))
        await redis.aclose()


# Arithmetic


def test_time_of_several_outages_adds_up() -> None:
    outages = Outages.of([(100, 200), (150, 250), (300, 400)])
    assert 50 == outages.counted_ms(90, 290)
    assert 0 == outages.counted_ms(120, 180)
    assert 0 == outages.counted_ms(300, 200)
    assert 1_000 == outages.counted_ms(400, 1_400)


@pytest.mark.parametrize("since_ms", [0, 99, 100, 180, 250, 299, 350, 400, 900])
@pytest.mark.parametrize("allowed_ms", [1, 50, 51, 100, 1_000])
def test_end_is_the_earliest_moment_at_which_so_much_has_counted(
    since_ms: int, allowed_ms: int
) -> None:
    outages = Outages.of([(100, 250), (300, 400)])
    end_ms = outages.end_ms(since_ms, allowed_ms)
    assert allowed_ms == outages.counted_ms(since_ms, end_ms)
    assert allowed_ms > outages.counted_ms(since_ms, end_ms - 1)
