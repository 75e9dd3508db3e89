"""Lists of games on every kind of Redis: complete, in order, paged, and not kept for ever."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mextrain_service.application.model import (
    ClockKind,
    HostedGame,
    PlatformId,
    PlayerId,
    SeatHolder,
    SeatKind,
    TablePolicy,
    TurnClock,
)
from mextrain_service.application.ports import ListedGame
from mextrain_service.storage import RedisGameIndex
from mextrain_service.storage.game_index import GAMES_OF_A_PLAYER
from tests.storage.conftest import RETENTION
from tests.storage.games import CREATED_MS, new_hosted_game
from tests.storage.library import Redis

ACME = PlatformId("acme")
ANNA = PlayerId("anna")
LIFE_MS = 1_000 * RETENTION.live_ttl_s
BEGIN_MS = CREATED_MS // LIFE_MS * LIFE_MS


@pytest.fixture
def index(client: Redis) -> RedisGameIndex:
    """Lists as one worker has them."""
    return RedisGameIndex(client, RETENTION)


def _game(number: int, player_id: str = ANNA, *, after_ms: int = 0) -> HostedGame:
    game = new_hosted_game(f"game-{number:04}", seats=2)
    holder = SeatHolder(SeatKind.PERSON, PlayerId(player_id))
    return replace(game, seats=(holder, game.seats[1]), updated_ms=BEGIN_MS + after_ms)


async def _all(index: RedisGameIndex, player_id: PlayerId | None, size: int) -> list[str]:
    """Return the names on a list, read page by page."""
    names: list[str] = []
    after: ListedGame | None = None
    while page := await index.page(ACME, player_id, after, size):
        names.extend(entry.game_id for entry in page)
        after = page[-1]
    return names


@pytest.mark.parametrize("size", [1, 3, 50])
@pytest.mark.parametrize("player_id", [None, ANNA])
async def test_list_is_the_same_in_pages_of_any_size_the_latest_game_first(
    index: RedisGameIndex, player_id: PlayerId | None, size: int
) -> None:
    for number in range(10):
        await index.note(None, _game(number, after_ms=number // 3))
    moments = {f"game-{number:04}": number // 3 for number in range(10)}
    expected = sorted(moments, key=lambda name: (moments[name], name), reverse=True)
    assert expected == await _all(index, player_id, size)


async def test_list_of_a_player_has_no_game_of_another_player_or_platform(
    index: RedisGameIndex,
) -> None:
    await index.note(None, _game(1))
    await index.note(None, _game(2, "bob"))
    await index.note(None, replace(_game(3), platform_id=PlatformId("rival")))
    assert ["game-0001"] == await _all(index, ANNA, 10)
    assert ["game-0002", "game-0001"] == await _all(index, None, 10)


async def test_player_who_comes_later_has_the_game_on_its_list(index: RedisGameIndex) -> None:
    before = _game(1, "bob")
    await index.note(None, before)
    await index.note(before, _game(1, after_ms=1))
    assert ["game-0001"] == await _all(index, ANNA, 10)


async def test_commit_writes_to_no_list_as_long_as_the_entries_outlive_the_game(
    index: RedisGameIndex, client: Redis
) -> None:
    await index.note(_game(1, after_ms=1), _game(1, after_ms=LIFE_MS // 2 - 1))
    assert [] == await keys_of(client)
    await index.note(_game(1, after_ms=1), _game(1, after_ms=LIFE_MS // 2))
    assert ["game-0001"] == await _all(index, ANNA, 10)
    assert ["game-0001"] == await _all(index, None, 10)


@pytest.mark.parametrize(("clock", "wait_ms"), [(False, 0), (True, 30 * 86_400_000)])
async def test_every_list_outlives_its_latest_game_and_no_more(
    index: RedisGameIndex, client: Redis, clock: bool, wait_ms: int
) -> None:
    rule = TurnClock(ClockKind.PER_TURN, 86_400_000) if clock else None
    await index.note(None, replace(_game(1), policy=TablePolicy(clock=rule)))
    ttls = [await client.execute_command("PTTL", key) for key in await keys_of(client)]
    assert [2 * LIFE_MS + wait_ms] * 3 == [round(ttl, -4) for ttl in ttls]


async def test_entries_that_no_game_can_be_behind_any_more_are_cut_off(
    index: RedisGameIndex,
) -> None:
    await index.note(None, _game(1))
    await index.note(None, _game(2, after_ms=2 * LIFE_MS + 30 * 86_400_000 + 1))
    assert ["game-0002"] == await _all(index, ANNA, 10)


async def test_list_of_a_player_keeps_the_latest_games_only(index: RedisGameIndex) -> None:
    for number in range(GAMES_OF_A_PLAYER + 2):
        await index.note(None, _game(number, after_ms=number))
    kept = await _all(index, ANNA, 500)
    assert (GAMES_OF_A_PLAYER, "game-0002") == (len(kept), kept[-1])


async def test_entry_that_is_untrue_is_dropped_unless_it_was_made_anew(
    index: RedisGameIndex,
) -> None:
    await index.note(None, _game(1))
    (seen,) = await index.page(ACME, ANNA, None, 10)
    await index.note(None, _game(1, after_ms=5))
    await index.drop(ACME, ANNA, seen)
    (renewed,) = await index.page(ACME, ANNA, None, 10)
    assert seen != renewed
    await index.drop(ACME, ANNA, renewed)
    assert [] == await _all(index, ANNA, 10)
    assert ["game-0001"] == await _all(index, None, 10)


async def test_name_of_a_player_is_in_no_key(index: RedisGameIndex, client: Redis) -> None:
    await index.note(None, _game(1))
    assert not [key for key in await keys_of(client) if ANNA.encode() in key]


async def keys_of(client: Redis) -> list[bytes]:
    """Return the name of every key."""
    return [bytes(key) for key in await client.keys("*")]  # type: ignore[arg-type]
