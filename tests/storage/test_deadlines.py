"""Deadlines on every kind of Redis: never late, claimed by one, left by none."""

from __future__ import annotations

import asyncio

import pytest

from mextrain_service.application.model import GameId
from mextrain_service.application.ports import DueGame
from mextrain_service.storage import RedisDeadlines
from mextrain_service.storage.deadlines import LEASE_MS
from mextrain_service.storage.keys import PARTITIONS
from tests.storage.conftest import RETENTION
from tests.storage.library import Redis

NOW = 1_796_000_000_000
GAME = GameId("q1w2e3r4t5y6u7i8o9p0as")


@pytest.fixture
def deadlines(client: Redis) -> RedisDeadlines:
    """Deadlines as one worker has them."""
    return RedisDeadlines(client, RETENTION)


async def _claimed(deadlines: RedisDeadlines, now_ms: int, most: int = 50) -> list[DueGame]:
    """Return what is claimed from all parts."""
    found: list[DueGame] = []
    for partition in range(deadlines.partitions):
        found.extend(await deadlines.claim(partition, now_ms, most))
    return found


async def _ids(deadlines: RedisDeadlines, now_ms: int) -> list[GameId]:
    return [due.game_id for due in await _claimed(deadlines, now_ms)]


async def test_game_is_claimed_when_it_is_due_and_not_before(deadlines: RedisDeadlines) -> None:
    await deadlines.schedule(GAME, NOW + 1_000, NOW)
    assert [] == await _ids(deadlines, NOW + 999)
    assert [GAME] == await _ids(deadlines, NOW + 1_000)


async def test_claimed_game_is_kept_from_others_until_the_lease_ends(
    deadlines: RedisDeadlines,
) -> None:
    await deadlines.schedule(GAME, NOW, NOW)
    assert [GAME] == await _ids(deadlines, NOW)
    assert [] == await _ids(deadlines, NOW + LEASE_MS - 1)
    assert [GAME] == await _ids(deadlines, NOW + LEASE_MS)


async def test_racing_claims_give_each_game_to_one_worker(deadlines: RedisDeadlines) -> None:
    games = [GameId(f"game-{number}") for number in range(60)]
    await asyncio.gather(*(deadlines.schedule(game, NOW, NOW) for game in games))
    found = await asyncio.gather(*(_claimed(deadlines, NOW) for _ in range(4)))
    assert sorted(games) == sorted(due.game_id for part in found for due in part)


async def test_earlier_deadline_counts_when_a_game_is_scheduled_twice(
    deadlines: RedisDeadlines,
) -> None:
    await deadlines.schedule(GAME, NOW + 5_000, NOW)
    await deadlines.schedule(GAME, NOW + 1_000, NOW)
    await deadlines.schedule(GAME, NOW + 9_000, NOW)
    assert [GAME] == await _ids(deadlines, NOW + 1_000)


async def test_rescheduled_game_is_looked_at_next_when_that_was_said(
    deadlines: RedisDeadlines,
) -> None:
    await deadlines.schedule(GAME, NOW, NOW)
    (due,) = await _claimed(deadlines, NOW)
    await deadlines.reschedule(due, NOW + 60_000, NOW)
    assert [] == await _ids(deadlines, NOW + 59_999)
    assert [GAME] == await _ids(deadlines, NOW + 60_000)


async def test_game_that_is_never_due_again_leaves_nothing(
    deadlines: RedisDeadlines, client: Redis
) -> None:
    await deadlines.schedule(GAME, NOW, NOW)
    (due,) = await _claimed(deadlines, NOW)
    await deadlines.reschedule(due, None, NOW)
    assert [] == await keys_of(client)


@pytest.mark.parametrize("next_ms", [None, NOW + 600_000])
@pytest.mark.parametrize("scheduled_ms", [NOW + 2_000, NOW + 300_000])
async def test_game_that_was_scheduled_since_it_was_claimed_is_not_lost_by_rescheduling(
    deadlines: RedisDeadlines, next_ms: int | None, scheduled_ms: int
) -> None:
    await deadlines.schedule(GAME, NOW, NOW)
    (due,) = await _claimed(deadlines, NOW)
    await deadlines.schedule(GAME, scheduled_ms, NOW)
    await deadlines.reschedule(due, next_ms, NOW)
    assert [GAME] == await _ids(deadlines, min(scheduled_ms, NOW + LEASE_MS))


async def test_rescheduling_has_no_effect_when_another_worker_has_claimed_the_game_since(
    deadlines: RedisDeadlines,
) -> None:
    await deadlines.schedule(GAME, NOW, NOW)
    (slow,) = await _claimed(deadlines, NOW)
    (_quick,) = await _claimed(deadlines, NOW + LEASE_MS)
    await deadlines.reschedule(slow, None, NOW + LEASE_MS)
    assert [GAME] == await _ids(deadlines, NOW + 2 * LEASE_MS)


async def test_those_that_are_due_the_longest_are_claimed_first(deadlines: RedisDeadlines) -> None:
    names = [GameId(f"game-{number}") for number in range(PARTITIONS * 20)]
    for late, game in enumerate(names):
        await deadlines.schedule(game, NOW - late, NOW)
    first = await deadlines.claim(0, NOW, 2)
    second = await deadlines.claim(0, NOW, 2)
    assert 4 == len({due.game_id for due in (*first, *second)})
    order = [names.index(due.game_id) for due in (*first, *second)]
    assert sorted(order, reverse=True) == order


async def test_every_part_lives_as_long_as_the_games_after_their_deadlines(
    deadlines: RedisDeadlines, client: Redis
) -> None:
    days = 3 * 86_400_000
    await deadlines.schedule(GAME, NOW + days, NOW)
    await deadlines.schedule(GAME, NOW + 1_000, NOW)
    (key,) = await keys_of(client)
    assert days + 1_000 * RETENTION.live_ttl_s == round(
        await client.execute_command("PTTL", key), -4
    )


async def keys_of(client: Redis) -> list[bytes]:
    """Return the name of every key."""
    return [bytes(key) for key in await client.keys("*")]  # type: ignore[arg-type]
