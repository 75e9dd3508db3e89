"""Hints come over one connection to each node, and come again after anything that ends it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from contextlib import ExitStack, asynccontextmanager

import pytest
from redis.crc import key_slot

from mextrain_service.application.model import GameId, HostedGame, PlatformId
from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.storage import RedisGameStore
from mextrain_service.storage.change_notifier import RedisChangeNotifier
from mextrain_service.storage.keys import feed_key, game_keys
from tests.storage.games import after, new_hosted_game, next_entry
from tests.storage.library import Redis, open_redis
from tests.storage.patience import patiently
from tests.storage.valkeys import Cluster, Valkey, Watched


class Ear:
    """Counts what it hears, and waits for more.

    Attributes:
        heard: how often something was heard.
        version: the version that was heard last; 0 for one that is not known.
    """

    def __init__(self) -> None:
        self.heard = self.version = 0
        self._more = asyncio.Event()

    def hear(self, version: int = 0) -> None:
        self.heard, self.version = self.heard + 1, version
        self._more.set()

    async def until_more(self, than: int) -> None:
        """Return when more was heard than so much."""
        async with asyncio.timeout(100):
            while self.heard <= than:
                self._more.clear()
                await self._more.wait()


@asynccontextmanager
async def _listening(client: Redis, game: HostedGame) -> AsyncIterator[Ear]:
    """Listen for a game, from the moment on at which the subscription stands."""
    ear, notifier = Ear(), RedisChangeNotifier(client)
    async with notifier.listening():
        with notifier.of_game(game.game_id, ear.hear):
            await ear.until_more(0)
            yield ear


async def _change(client: Redis, game: HostedGame, chance_seed: int = 1) -> HostedGame:
    """Commit one entry more."""
    entry = next_entry(game, random.Random(chance_seed))
    changed = after(game, entry)
    await RedisGameStore(client).commit(changed, base=game, entries=[entry])
    return changed


async def _heard_of_changes(client: Redis, ear: Ear, game: HostedGame) -> HostedGame:
    """Change a game until it is heard of, which is at once in a sound store."""
    before = ear.heard
    game = await _change(client, game)
    await ear.until_more(before)
    return game


async def _loaded(client: Redis, game: HostedGame) -> HostedGame:
    """Load a game, as soon as Sentinels that are short of time call a master sound."""
    loaded, _ = await patiently(lambda: RedisGameStore(client).load(game.game_id))
    return loaded


async def test_commit_and_deletion_are_heard_of_on_every_kind_of_redis(
    client: Redis,
) -> None:
    store, game = RedisGameStore(client), new_hosted_game()
    await store.create(game)
    async with _listening(client, game) as ear:
        game = await _heard_of_changes(client, ear, game)
        game = await _heard_of_changes(client, ear, game)
        assert 3 == ear.heard, "once when listening began, then once for each"
        assert game.version == ear.version
        await store.delete(game, None)
        await ear.until_more(3)
        assert 0 == ear.version


async def test_only_what_is_listened_for_is_heard(client: Redis) -> None:
    store = RedisGameStore(client)
    game, other = new_hosted_game("a" * 22), new_hosted_game("b" * 22)
    for each in (game, other):
        await store.create(each)
    async with _listening(client, game) as ear:
        await _change(client, other)
        await _heard_of_changes(client, ear, game)
        assert 2 == ear.heard


async def test_games_of_all_nodes_are_heard_of_at_once(client: Redis) -> None:
    games = [new_hosted_game(f"game-{number:017}") for number in range(24)]
    ears = [Ear() for _ in games]
    notifier, store = RedisChangeNotifier(client), RedisGameStore(client)
    async with notifier.listening():
        with ExitStack() as stack:
            for game, ear in zip(games, ears, strict=True):
                await store.create(game)
                stack.enter_context(notifier.of_game(game.game_id, ear.hear))
                await ear.until_more(0)
            for game, ear in zip(games, ears, strict=True):
                await _heard_of_changes(client, ear, game)
    assert [2] * 24 == [ear.heard for ear in ears]


async def test_feed_is_heard_of_in_all_its_parts(client: Redis) -> None:
    acme, ear, notifier = PlatformId("acme"), Ear(), RedisChangeNotifier(client, feed_partitions=8)
    async with notifier.listening():
        with notifier.of_feed(acme, ear.hear):
            await ear.until_more(7)
            for partition in range(8):
                before = ear.heard
                await client.execute_command("SPUBLISH", feed_key(acme, partition), "news")
                await ear.until_more(before)


async def test_hints_come_again_when_the_server_was_away(own_server: EmbeddedValkey) -> None:
    client = open_redis(own_server.url)
    game = new_hosted_game()
    async with _listening(client, game) as ear:
        for _ in range(2):
            before = ear.heard
            own_server.stop()
            own_server.start()
            await ear.until_more(before)
        await RedisGameStore(client).create(game)
        await _heard_of_changes(client, ear, game)
    await client.aclose()


async def test_hints_come_again_after_another_master_was_made(watched: Watched) -> None:
    client = open_redis(watched.url)
    await client.flushall()
    game = new_hosted_game()
    await RedisGameStore(client).create(game)
    async with _listening(client, game) as ear:
        game = await _heard_of_changes(client, ear, game)
        before = ear.heard
        await asyncio.to_thread(watched.fail_over_and_heal)
        await ear.until_more(before)
        fresh = await _loaded(client, game)
        await _heard_of_changes(client, ear, fresh)
    await client.aclose()


@pytest.mark.parametrize("rearrange", ["move", "fail over"])
async def test_hints_come_again_after_the_cluster_was_rearranged(
    rearrange: str, cluster: Cluster
) -> None:
    client = open_redis(cluster.url)
    await client.flushall()
    game = _game(lambda slot: slot < 2_000)
    slot = key_slot(game_keys(game.game_id).snapshot.encode())
    await RedisGameStore(client).create(game)
    async with _listening(client, game) as ear:
        game = await _heard_of_changes(client, ear, game)
        if rearrange == "move":
            home = cluster.node_of(slot)
            other = cluster.node_of(10_000)
            await asyncio.to_thread(_move, cluster, slot, other)
        else:
            await asyncio.to_thread(cluster.fail_over_and_heal, slot)
        before = ear.heard
        game = await RedisGameStore(client).load(game.game_id)
        await ear.until_more(before)
        await _heard_of_changes(client, ear, game)
        if rearrange == "move":
            await asyncio.to_thread(_move, cluster, slot, home)
    await client.aclose()


def _move(cluster: Cluster, slot: int, to: Valkey) -> None:
    cluster.begin_move(slot, to)
    cluster.move_keys(slot, to)
    cluster.end_move(slot, to)


def _game(wanted: Callable[[int], bool]) -> HostedGame:
    """Return a new game in a slot that is wanted."""
    for number in range(100_000):
        game = new_hosted_game(f"game-{number:017}")
        if wanted(key_slot(game_keys(GameId(game.game_id)).snapshot.encode())):
            return game
    raise AssertionError("no such slot")
