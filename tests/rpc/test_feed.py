"""A platform hears what happens to all of its games, at least once, wherever it goes on from."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress

import pytest
from google.protobuf.duration_pb2 import Duration
from grpc import aio
from mextrain.v1 import event_pb2, feed_pb2, game_pb2, watch_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.application.announcing import Announcer
from mextrain_service.application.feeds import OutboxEntry
from mextrain_service.application.model import GameId, PlatformId
from mextrain_service.application.news import GameNews
from mextrain_service.application.streams import OpenStreams
from mextrain_service.storage.feed import FeedTerms, RedisFeed
from tests.polling import until
from tests.rpc.games import dealt_out, seat_all
from tests.rpc.refusing import read, refusal_of
from tests.rpc.serving import (
    STREAM_SETTINGS,
    Client,
    House,
    NoMeter,
    WatchingGames,
    bots,
    enforcer,
    worker,
)

SOON = Duration(nanos=20_000_000)
SHORT = {"rounds": "ROUNDS_FIXED", "round_count": 2}


class DyingFeed(RedisFeed):
    """The feed as a worker has it that dies right after each commit."""

    async def tell(self, promise: OutboxEntry, news: Sequence[GameNews]) -> None:
        del promise, news


async def test_platform_hears_the_life_of_a_game(platform: Client) -> None:
    seated = await seat_all(platform, seats=bots(2), overrides=SHORT)
    for _ in range(2):
        await dealt_out(platform, seated.game_id)
    version = (await platform.delete(seated.game_id)).version
    news = await _heard(platform, 7)
    assert [
        ("CREATED", 0),
        ("DEALT", 1),
        ("ROUND_OVER", 1),
        ("DEALT", 2),
        ("ROUND_OVER", 2),
        ("GAME_OVER", 0),
        ("DELETED", 0),
    ] == [(_kind(each), each.round) for each in news]
    assert {seated.game_id} == {each.game_id for each in news}
    versions = [each.version for each in news]
    assert (0, 1, version) == (versions[0], versions[1], versions[-1])
    assert sorted(versions) == versions


async def test_platform_hears_of_its_own_games_only(platform: Client, rival: Client) -> None:
    seated = await seat_all(platform)
    assert [seated.game_id] == [each.game_id for each in await _heard(platform, 1)]
    async with _watching(rival) as stream:
        assert (await _next(stream)).HasField("heartbeat")


async def test_platform_hears_what_becomes_of_seats(platform: Client) -> None:
    seated = await seat_all(platform)
    await seated.seats[1].resign(seated.game_id, 1)
    news = await _heard(platform, 2)
    assert ("SEAT_CHANGED", 1, event_pb2.SEAT_CHANGE_RESIGNED) == (
        _kind(news[-1]),
        news[-1].seat,
        news[-1].seat_change,
    )


async def test_platform_hears_that_the_time_of_a_seat_was_up(
    platform: Client, house: House
) -> None:
    clock = game_pb2.TurnClock(per_turn=Duration(seconds=30), on_timeout=game_pb2.ON_TIMEOUT_WAIT)
    seated = await seat_all(platform, policy=game_pb2.TablePolicy(clock=clock))
    turn = (await platform.deal(seated.game_id)).game.view.round.turn
    house.clock.advance(31)
    assert 1 == len([outcome async for outcome in enforcer(house)()])
    news = await _heard(platform, 3)
    assert ("DEADLINE_PASSED", turn) == (_kind(news[-1]), news[-1].seat)


async def test_news_comes_live_and_stops_nowhere(platform: Client) -> None:
    async with _watching(platform) as stream:
        assert (await _next(stream)).HasField("heartbeat")
        for count in range(3):
            seated = await seat_all(platform, seats=bots(2 + count))
            told = (await _next(stream)).news.news
            assert [(seated.game_id, "CREATED")] == [(each.game_id, _kind(each)) for each in told]


async def test_stitched_feed_has_everything_once_whoever_tells_and_whoever_listens(
    house: House,
) -> None:
    chance = random.Random(7)
    async with AsyncExitStack() as stack:
        platforms = [
            (await stack.enter_async_context(worker(house))).bearing(house.key.text)
            for _ in range(2)
        ]
        heard: list[feed_pb2.GameNews] = []
        async with asyncio.TaskGroup() as tasks:
            listening = tasks.create_task(_listen(platforms, heard, chance))
            games = [await seat_all(chance.choice(platforms), seats=bots(2)) for _ in range(12)]
            for seated in chance.sample(games, len(games)):
                await chance.choice(platforms).deal(seated.game_id)
            await _until_count(heard, 12 * 3, house)
            listening.cancel()
        whole = await _heard(platforms[0], 12 * 3)
        assert sorted(map(_identity, whole)) == sorted(map(_identity, heard))
        assert len(set(map(_identity, whole))) == len(whole)


async def test_news_of_a_worker_that_died_after_its_commit_is_told_by_another(
    house: House,
) -> None:
    async with worker(house, feed=DyingFeed(house.redis)) as nobody:
        platform = nobody.bearing(house.key.text)
        seated = await seat_all(platform, seats=bots(2), overrides=SHORT)
        await dealt_out(platform, seated.game_id)
        gone = await seat_all(platform, seats=bots(2))
        await platform.delete(gone.game_id)
        async with _watching(platform) as stream:
            assert (await _next(stream)).HasField("heartbeat")
            assert 0 == await _announcer(house).keep_promises()
            house.clock.advance(6)
            assert 5 == await _announcer(house).keep_promises(first_partition=5)
            news: list[feed_pb2.GameNews] = []
            while len(news) < 4:
                news += (await _next(stream)).news.news
        assert {
            (seated.game_id, "CREATED"),
            (seated.game_id, "DEALT"),
            (seated.game_id, "ROUND_OVER"),
            (gone.game_id, "DELETED"),
        } == {(each.game_id, _kind(each)) for each in news}
        house.clock.advance(6)
        assert 0 == await _announcer(house).keep_promises()
        assert [] == await house.redis.keys("mt:outbox:*")


async def test_promise_of_a_commit_that_was_never_made_brings_no_news(
    platform: Client, house: House
) -> None:
    feed = RedisFeed(house.redis)
    seated = await seat_all(platform, seats=bots(2))
    await _heard(platform, 1)
    acme, game_id = PlatformId("acme"), GameId(seated.game_id)
    for promise in (
        OutboxEntry(acme, game_id, 0, 5),
        OutboxEntry(acme, game_id, 0, 0),
        OutboxEntry(acme, GameId("A" * 22), -1, 0),
    ):
        await feed.promise(promise, house.clock.now_ms())
    house.clock.advance(6)
    assert 3 == await _announcer(house).keep_promises()
    assert ["CREATED"] == [_kind(each) for each in await _heard(platform, 1)]
    assert [] == await house.redis.keys("mt:outbox:*")


async def test_news_that_is_not_kept_any_more_resets_the_watcher(
    platform: Client, house: House
) -> None:
    await seat_all(platform)
    async with _watching(platform) as stream:
        cursor = (await _next(stream)).news.cursor
    for key in await house.redis.keys("mt:feed:*"):
        await house.redis.delete(key)
    later = await seat_all(platform)
    async with _watching(platform, cursor=cursor) as stream:
        reset = (await _next(stream)).reset
        assert watch_pb2.RESET_REASON_HISTORY_GONE == reset.reason
        assert [later.game_id] == [each.game_id for each in (await _next(stream)).news.news]
    async with _watching(platform, cursor=reset.cursor) as stream:
        assert [later.game_id] == [each.game_id for each in (await _next(stream)).news.news]


async def test_cursor_of_a_feed_that_was_divided_anew_resets_the_watcher(house: House) -> None:
    async with AsyncExitStack() as stack:
        parts = [RedisFeed(house.redis, FeedTerms(partitions=count)) for count in (8, 4)]
        before, after = [
            (await stack.enter_async_context(worker(house, feed=each))).bearing(house.key.text)
            for each in parts
        ]
        async with _watching(before) as stream:
            cursor = (await _next(stream)).heartbeat.cursor
        async with _watching(after, cursor=cursor) as stream:
            assert watch_pb2.RESET_REASON_HISTORY_GONE == (await _next(stream)).reset.reason


@pytest.mark.parametrize("cursor", ["x", "====", "MC0w,", "YWJj", "é" * 9, "A" * 5_000])
async def test_cursor_that_is_none_is_refused(cursor: str, platform: Client) -> None:
    refused = await refusal_of(_first(platform.watch_games(cursor=cursor)))
    assert "FIELD_INVALID" == refused.reason
    assert ["cursor"] == [field for field, _ in refused.violations]


async def test_heartbeats_of_a_feed_carry_its_cursor(platform: Client, house: House) -> None:
    seated = await seat_all(platform)
    async with _watching(platform, heartbeat_interval=SOON) as stream:
        news = (await _next(stream)).news
        beats = [(await _next(stream)).heartbeat for _ in range(3)]
        assert {news.cursor} == {beat.cursor for beat in beats}
        assert house.clock.now_ms() == beats[0].server_time.ToMilliseconds()
        await platform.delete(seated.game_id)
        while not (message := await _next(stream)).HasField("news"):
            pass
        assert ["DELETED"] == [_kind(each) for each in message.news.news]


async def test_worker_that_stops_sends_the_listeners_of_a_feed_elsewhere(house: House) -> None:
    streams = OpenStreams(STREAM_SETTINGS, NoMeter())
    async with (
        worker(house, streams=streams) as nobody,
        _watching(nobody.bearing(house.key.text)) as stream,
    ):
        await _next(stream)
        streams.close()
        with pytest.raises(aio.AioRpcError) as ended:
            await _next(stream)
    assert "SHUTTING_DOWN" == read(ended.value).reason


async def test_every_key_of_a_feed_has_a_time_to_live(house: House) -> None:
    async with worker(house, feed=DyingFeed(house.redis)) as dying, worker(house) as living:
        for nobody in (dying, living):
            await seat_all(nobody.bearing(house.key.text))
        await _heard(living.bearing(house.key.text), 1)
        keys = [*await house.redis.keys("mt:feed:*"), *await house.redis.keys("mt:outbox:*")]
        assert 2 == len(keys)
        assert all([await house.redis.ttl(key) > 0 for key in keys])


async def test_table_that_deals_by_itself_tells_of_its_first_deal_at_once(
    platform: Client,
) -> None:
    automatic = game_pb2.TablePolicy(deal_by=game_pb2.DEAL_BY_AUTOMATIC)
    await seat_all(platform, policy=automatic)
    assert ["CREATED", "DEALT"] == [_kind(each) for each in await _heard(platform, 2)]


def _announcer(house: House) -> Announcer:
    return Announcer(house.store(), RedisFeed(house.redis), house.clock)


async def _heard(platform: Client, count: int) -> list[feed_pb2.GameNews]:
    """Return all news from the oldest on, once there are so many."""
    async with _watching(platform) as stream:
        news: list[feed_pb2.GameNews] = []
        while len(news) < count:
            news += (await _next(stream)).news.news
        return news


async def _listen(
    platforms: Sequence[Client], heard: list[feed_pb2.GameNews], chance: random.Random
) -> None:
    """Listen for ever, at one worker after another."""
    cursor = ""
    while True:
        async with _watching(chance.choice(platforms), cursor=cursor) as stream:
            for _ in range(chance.randrange(1, 4)):
                message = await _next(stream)
                heard += message.news.news
                cursor = message.news.cursor or message.heartbeat.cursor


async def _until_count(heard: list[feed_pb2.GameNews], count: int, house: House) -> None:
    """Wait until so much was heard.

    What a starved store refused to take is told by whoever keeps promises, as in the service.
    """
    for _ in range(2):
        with suppress(TimeoutError):
            await until(lambda: len(heard) >= count, within_s=5)
        if len(heard) >= count:
            return
        house.clock.advance(6)
        await _announcer(house).keep_promises()
    raise AssertionError(f"{count - len(heard)} news are missing")


def _kind(news: feed_pb2.GameNews) -> str:
    return feed_pb2.NewsKind.Name(news.kind).removeprefix("NEWS_KIND_")


def _identity(news: feed_pb2.GameNews) -> tuple[str, int, int, int]:
    return news.game_id, news.version, news.kind, news.seat


@asynccontextmanager
async def _watching(client: Client, **fields: object) -> AsyncIterator[WatchingGames]:
    stream = client.watch_games(**fields)
    try:
        yield stream
    finally:
        stream.cancel()


async def _next(stream: WatchingGames) -> pb.WatchGamesResponse:
    """Return the next message, within a time that is long."""
    async with asyncio.timeout(100):  # `wait_for` may lose a cancellation to a message
        message = await stream.read()
    assert isinstance(message, pb.WatchGamesResponse), "the stream has ended"
    return message


async def _first(stream: WatchingGames) -> pb.WatchGamesResponse:
    """Return the first message, be it that there is none."""
    try:
        return await anext(aiter(stream))
    finally:
        stream.cancel()
