"""The feed keeps what it is told, in order of each game, and promises until they are kept."""

from __future__ import annotations

import pytest

from mextrain_service.application.feeds import CursorMalformedError, OutboxEntry
from mextrain_service.application.model import GameId, PlatformId, SeatChange
from mextrain_service.application.news import GameNews, NewsKind
from mextrain_service.storage.feed import LEASE_MS, OUTBOX_PARTITIONS, FeedTerms, RedisFeed
from mextrain_service.storage.keys import PREFIX
from tests.storage.library import Redis

ACME, RIVAL = PlatformId("acme"), PlatformId("rival")
NOW_MS = 1_796_000_000_000


def _game(number: int) -> GameId:
    return GameId(f"game-{number:017}")


def _news(number: int, version: int) -> GameNews:
    return GameNews(NewsKind.DEALT, _game(number), version, NOW_MS, round=1)


def _promise(number: int, version: int, platform: PlatformId = ACME) -> OutboxEntry:
    return OutboxEntry(platform, _game(number), version - 1, version)


async def _all(feed: RedisFeed, cursor: str = "", most: int = 80) -> tuple[list[GameNews], str]:
    """Return everything after a cursor, page by page."""
    news: list[GameNews] = []
    while True:
        page = await feed.read(ACME, cursor, most, resumes=False)
        cursor = page.cursor
        if not page.news:
            return news, cursor
        news += page.news


async def test_news_of_each_game_comes_in_order_and_once(client: Redis) -> None:
    feed = RedisFeed(client)
    told = [_news(number, version) for version in range(1, 6) for number in range(20)]
    for each in told:
        number = int(each.game_id.removeprefix("game-"))
        await feed.tell(_promise(number, each.version), [each])
    heard, cursor = await _all(feed, most=16)
    assert {*told} == {*heard}
    assert len(told) == len(heard)
    for number in range(20):
        own = [each.version for each in heard if each.game_id == _game(number)]
        assert [1, 2, 3, 4, 5] == own
    assert ([], cursor) == await _all(feed, cursor)
    await feed.tell(_promise(3, 6), [_news(3, 6)])
    assert [_news(3, 6)] == (await _all(feed, cursor))[0]


async def test_news_of_every_kind_is_read_as_it_was_told(client: Redis) -> None:
    feed = RedisFeed(client)
    told = [
        GameNews(NewsKind.CREATED, _game(1), 0, NOW_MS),
        GameNews(NewsKind.SEAT_CHANGED, _game(1), 1, NOW_MS, seat=0, change=SeatChange.CLAIMED),
        GameNews(NewsKind.DEADLINE_PASSED, _game(1), 2, NOW_MS, seat=13),
        GameNews(NewsKind.ROUND_OVER, _game(1), 3, NOW_MS, round=50),
    ]
    await feed.tell(_promise(1, 3), told)
    assert told == (await _all(feed))[0]


async def test_feed_of_another_platform_is_another_feed(client: Redis) -> None:
    feed = RedisFeed(client)
    await feed.tell(_promise(1, 1), [_news(1, 1)])
    page = await feed.read(RIVAL, "", 10, resumes=True)
    assert ((), False) == (page.news, page.gap)


async def test_promise_is_overdue_after_a_while_and_then_claimed_once(client: Redis) -> None:
    feed = RedisFeed(client)
    promises = [_promise(number, 5) for number in range(40)]
    for promise in promises:
        await feed.promise(promise, NOW_MS)
    assert [] == await _overdue(feed, NOW_MS + LEASE_MS - 1)
    assert {*promises} == {*await _overdue(feed, NOW_MS + LEASE_MS)}
    assert [] == await _overdue(feed, NOW_MS + LEASE_MS), "another looks away meanwhile"
    again = await _overdue(feed, NOW_MS + 2 * LEASE_MS)
    assert {*promises} == {*again}, "whoever claimed them may have died"
    for promise in promises:
        await feed.tell(promise, [])
    assert [] == await _overdue(feed, NOW_MS + 9 * LEASE_MS)


async def test_lost_news_shows_as_a_gap_to_whoever_resumes(client: Redis) -> None:
    feed = RedisFeed(client, FeedTerms(partitions=1, kept_news=1))
    await feed.tell(_promise(1, 1), [_news(1, 1)])
    _, cursor = await _all(feed)
    assert not (await feed.read(ACME, cursor, 10, resumes=True)).gap
    for version in range(2, 600):
        await feed.tell(_promise(1, version), [_news(1, version)])
    page = await feed.read(ACME, cursor, 10, resumes=True)
    assert page.gap
    assert page.news[0].version > 2
    rest, _ = await _all(feed, page.begun_at)
    assert 599 == rest[-1].version
    assert len(rest) < 400, "what is too old is dropped, if not to the entry"


@pytest.mark.parametrize("cursor", ["?", "MC0w,", "YQ==", "MS0yLDM="])
async def test_cursor_that_no_feed_gave_is_refused(cursor: str, client: Redis) -> None:
    with pytest.raises(CursorMalformedError):
        await RedisFeed(client).read(ACME, cursor, 10, resumes=True)


async def test_every_key_has_the_prefix_and_a_time_to_live(client: Redis) -> None:
    feed = RedisFeed(client)
    await feed.promise(_promise(1, 1), NOW_MS)
    await feed.tell(_promise(2, 1), [_news(2, 1)])
    keys = [bytes(key).decode() for key in await client.keys("*")]  # type: ignore[arg-type]
    assert 2 == len(keys)
    for key in keys:
        assert key.startswith(PREFIX)
        assert await client.execute_command("PTTL", key) > 0


async def _overdue(feed: RedisFeed, now_ms: int) -> list[OutboxEntry]:
    assert OUTBOX_PARTITIONS == feed.partitions
    found: list[OutboxEntry] = []
    for partition in range(feed.partitions):
        found += await feed.overdue(partition, now_ms, 100)
    return found
