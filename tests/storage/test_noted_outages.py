"""Outages on every kind of Redis: found by whoever looks next, known to all, kept within bounds."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.crc import key_slot

from mextrain_service.application.model import GameId
from mextrain_service.application.outages import NO_OUTAGES, Outages
from mextrain_service.application.ports import StoreUnavailableError
from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.storage.cluster_client import ClusterClient
from mextrain_service.storage.keys import (
    BORDER_TAGS,
    BORDERS,
    PARTITIONS,
    SLOTS,
    deadlines_key,
    game_keys,
    outages_key,
    partition_of,
)
from mextrain_service.storage.outages import (
    AWAY_MS,
    OUTAGES_KEPT,
    PLACES,
    RedisOutages,
    store_time_ms,
)
from tests.rpc.fake_clock import FakeClock
from tests.storage.conftest import RETENTION
from tests.storage.library import Redis, open_redis
from tests.storage.patience import loop_turns
from tests.storage.valkeys import Cluster

GAME = GameId("q1w2e3r4t5y6u7i8o9p0as")
BORDERS_OF_GAME = (partition_of(GAME), partition_of(GAME) + 1)
LOOK_S = 0.5


class Looker:
    """A worker that looks at the borders of a game, by a clock that the test moves."""

    def __init__(self, client: Redis, clock: FakeClock) -> None:
        self.known = RedisOutages(client, RETENTION)
        self._clock = clock

    async def look(self) -> None:
        """Look once."""
        await asyncio.gather(*(self.known.look(each, self._clock) for each in BORDERS_OF_GAME))

    async def watch(self, seconds: float) -> None:
        """Look again and again for so long."""
        for _ in range(round(seconds / LOOK_S)):
            self._clock.advance(LOOK_S)
            await self.look()

    @property
    def outages(self) -> Outages:
        """What it knows now."""
        return self.known.of(GAME, self._clock.now_ms())


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def looker(client: Redis, clock: FakeClock) -> Looker:
    return Looker(client, clock)


async def test_no_time_is_lost_while_somebody_looks(looker: Looker) -> None:
    await looker.watch(60)
    assert looker.outages == NO_OUTAGES


async def test_no_time_counts_for_a_worker_that_has_not_looked_yet(
    looker: Looker, clock: FakeClock
) -> None:
    now_ms = clock.now_ms()
    assert 0 == looker.outages.counted_ms(now_ms - 60_000, now_ms)


async def test_time_in_which_nobody_looked_is_an_outage_that_every_worker_knows(
    looker: Looker, client: Redis, clock: FakeClock
) -> None:
    await looker.watch(5)
    went_ms = clock.now_ms()
    clock.advance(10)
    back_ms = clock.now_ms()
    assert looker.outages.spans == ((went_ms - 500, back_ms),)
    await looker.watch(3)
    newcomer = Looker(client, clock)
    await newcomer.look()
    for each in (looker, newcomer):
        ((begin_ms, end_ms),) = each.outages.spans
        assert went_ms - 1_000 <= begin_ms <= went_ms
        assert back_ms <= end_ms <= back_ms + 500


async def test_pause_between_two_looks_that_is_short_is_no_outage(
    looker: Looker, clock: FakeClock
) -> None:
    await looker.watch(5)
    clock.advance((AWAY_MS - 1_000) / 1_000)
    await looker.watch(5)
    assert looker.outages == NO_OUTAGES


async def test_worker_that_could_not_look_while_others_did_finds_no_outage(
    looker: Looker, client: Redis, clock: FakeClock
) -> None:
    alone = Looker(client, clock)
    await alone.look()
    await alone.look()
    await looker.watch(20)
    assert alone.outages != NO_OUTAGES
    await alone.look()
    assert alone.outages == NO_OUTAGES


async def test_service_that_was_stopped_finds_the_outage_when_it_is_started_again(
    looker: Looker, client: Redis, clock: FakeClock
) -> None:
    await looker.watch(5)
    stopped_ms = clock.now_ms()
    clock.advance(3_600)
    started = Looker(client, clock)
    await started.look()
    assert 500 >= started.outages.counted_ms(stopped_ms, clock.now_ms())
    await started.watch(2)
    assert 2_500 >= started.outages.counted_ms(stopped_ms, clock.now_ms()) >= 1_000


async def test_beyond_the_most_outages_those_close_together_become_one(
    looker: Looker, clock: FakeClock
) -> None:
    await looker.watch(2)
    for number in range(OUTAGES_KEPT + 20):
        clock.advance(10)
        await looker.watch(1 if 40 <= number < 80 else 2)
    spans = looker.outages.spans
    assert OUTAGES_KEPT == len(spans)
    assert sum(end - begin > 12_000 for begin, end in spans) <= 20


async def test_looks_go_on_when_the_clock_of_the_store_was_put_back(
    looker: Looker, clock: FakeClock
) -> None:
    await looker.watch(5)
    clock.advance(-3_600)
    await looker.watch(2)
    went_ms = clock.now_ms()
    clock.advance(10)
    await looker.watch(2)
    assert 2_500 >= looker.outages.counted_ms(went_ms, clock.now_ms())


async def test_borders_lie_where_partitions_begin_and_the_last_one_ends(
    client: Redis,
) -> None:
    slots = [*range(0, SLOTS, SLOTS // PARTITIONS), SLOTS - 1]
    assert slots == [key_slot(tag.encode()) for tag in BORDER_TAGS]
    if isinstance(client.inner, ClusterClient):
        assert slots == [key_slot(outages_key(border).encode()) for border in range(BORDERS)]
        deadlines = [key_slot(deadlines_key(each).encode()) for each in range(PARTITIONS)]
        assert slots[:-1] == deadlines
        assert key_slot(GAME.encode()) == key_slot(game_keys(GAME).snapshot.encode())


async def test_keys_end_with_the_longest_turns(looker: Looker, client: Redis) -> None:
    await looker.watch(2)
    days = await client.execute_command("PTTL", outages_key(BORDERS_OF_GAME[0])) / 86_400_000
    assert 30 < days < 31


@pytest.mark.parametrize("place", PLACES)
async def test_store_tells_its_time(client: Redis, place: int) -> None:
    earlier_ms = await store_time_ms(client, place)
    assert earlier_ms <= await store_time_ms(client, place) < earlier_ms + 60_000


# What is away, and what is not


async def test_outage_of_a_master_is_one_of_the_games_that_it_has(cluster: Cluster) -> None:
    client = open_redis(cluster.url)
    await client.flushall()
    clock = FakeClock()
    known = RedisOutages(client, RETENTION)
    away = cluster.node_of(0)
    there = [
        border
        for border, tag in enumerate(BORDER_TAGS)
        if cluster.node_of(key_slot(tag.encode())) != away
    ]
    for borders in (range(BORDERS), range(BORDERS), *(there,) * 20):
        for border in borders:
            await known.look(border, clock)
        clock.advance(LOOK_S)
    games = [GameId(f"game-{number}") for number in range(200)]
    lost = {game for game in games if known.of(game, clock.now_ms()) != NO_OUTAGES}
    theirs = {game for game in games if cluster.node_of(key_slot(game.encode())) == away}
    assert theirs <= lost
    assert len(lost - theirs) <= 2 * len(games) / PARTITIONS
    await client.aclose()


@pytest.fixture
async def own_redis(own_server: EmbeddedValkey) -> AsyncIterator[Redis]:
    client = open_redis(own_server.url)
    yield client
    await client.aclose()


async def test_looks_that_waited_at_a_store_that_stood_still_hide_no_outage(
    own_server: EmbeddedValkey, own_redis: Redis, clock: FakeClock
) -> None:
    """It carries them out as soon as it goes on, and they were sent while it did not."""
    looker, others = Looker(own_redis, clock), Looker(own_redis, clock)
    await others.watch(2)
    await looker.watch(2)
    went_ms = clock.now_ms()
    switch = open_redis(own_server.url)
    await switch.client_pause(60_000, all=False)
    for _ in range(10):
        clock.advance(1)
        for each in (looker, others):
            waiting = asyncio.create_task(each.look())
            await loop_turns()
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
    back_ms = clock.now_ms()
    await switch.client_unpause()
    await switch.aclose()
    await looker.watch(2)
    await others.look()
    for each in (looker, others):
        ((begin_ms, end_ms),) = each.outages.spans
        assert begin_ms <= went_ms < back_ms <= end_ms


async def test_no_time_counts_after_a_store_was_killed(
    own_server: EmbeddedValkey, own_redis: Redis, clock: FakeClock
) -> None:
    looker = Looker(own_redis, clock)
    await looker.watch(2)
    went_ms = clock.now_ms()
    own_server.kill()
    for _ in range(10):
        clock.advance(1)
        with pytest.raises(StoreUnavailableError):
            await looker.look()
    assert 0 == looker.outages.counted_ms(went_ms, clock.now_ms())
