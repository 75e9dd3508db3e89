"""Play goes on, and loses nothing that was acknowledged, while Redis is rearranged under it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from redis.crc import key_slot

from mextrain_engine import Phase
from mextrain_service.application.model import GameId, HostedGame, LogEntry, Receipt
from mextrain_service.application.ports import (
    StoreUnavailableError,
    VersionConflictError,
)
from mextrain_service.storage import ConnectionLimits, Durability, RedisGameStore
from mextrain_service.storage.keys import game_keys
from tests.storage.games import after, log_of, new_hosted_game, next_entry, played
from tests.storage.library import Redis, open_redis
from tests.storage.patience import loop_turns, paced, patiently
from tests.storage.valkeys import (
    HOST,
    Cluster,
    Valkey,
    Watched,
    eventually,
    facts,
    free_ports,
    in_step,
)

LIMITS = ConnectionLimits(connect_timeout_s=0.5, answer_timeout_s=5.0)
"""A node that fails here is ended: its connections break at once. A slow answer is no failure."""
PACE_S = 0.02
"""A match has some 600 entries, so it lasts 12 s."""

IN_FIRST_MASTER = 2_000
"""Slots of the first master, the one with a replica, begin at 0 and end above this."""


def _slot(game_id: GameId) -> int:
    return int(key_slot(game_keys(game_id).snapshot.encode()))


def _game(wanted: Callable[[int], bool]) -> HostedGame:
    """Return a new game in a slot that is wanted."""
    numbers = random.Random(7)
    while True:
        game = new_hosted_game(f"game-{numbers.randrange(10**9):09}")
        if wanted(_slot(game.game_id)):
            return game


@contextlib.asynccontextmanager
async def _worker(
    url: str, durability: Durability | None = None
) -> AsyncIterator[tuple[RedisGameStore, Redis]]:
    client = open_redis(url, LIMITS, durability)
    await client.flushall()
    try:
        yield RedisGameStore(client), client
    finally:
        await client.aclose()


@contextlib.asynccontextmanager
async def _client(url: str, durability: Durability) -> AsyncIterator[Redis]:
    client = open_redis(url, LIMITS, durability)
    try:
        yield client
    finally:
        await client.aclose()


@pytest.fixture
def replicated(tmp_path: Path) -> Iterator[tuple[Valkey, Valkey]]:
    """A master and its replica, which nobody watches over."""
    master, replica = (Valkey(port, tmp_path / str(port)) for port in free_ports(2))
    try:
        for server in (master, replica):
            server.start()
        replica.ask("REPLICAOF", HOST, master.port)
        eventually(lambda: in_step(master), "the replica is in step")
        yield master, replica
    finally:
        for server in (master, replica):
            server.close()


@contextlib.contextmanager
def _frozen(server: Valkey) -> Iterator[None]:
    """Let a server be connected, and take nothing, as long as the context is open."""
    pid = int(facts(server.ask("INFO", "server"))["process_id"])
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


@dataclass
class Match:
    """Somebody who plays a stored game on as a client of the service would, with repetitions.

    Attributes:
        game: the game as it was last acknowledged.
        log: the entries that were acknowledged.
        unavailable: how often the store was away.
    """

    store: RedisGameStore
    game: HostedGame
    log: list[LogEntry]
    unavailable: int = 0

    async def play(self) -> None:
        """Make one entry, however often the store is away meanwhile."""
        assert self.game.state.phase is not Phase.FINISHED, "a match is too short for this test"
        entry = next_entry(self.game, random.Random(self.game.version))
        newer = after(self.game, entry)

        async def commit() -> None:
            try:
                await self.store.commit(newer, base=self.game, entries=[entry])
            except VersionConflictError:
                assert newer == await self.store.load(newer.game_id), "somebody else moved"

        _, pauses = await patiently(commit)
        self.unavailable += len(pauses)
        self.game = newer
        self.log.append(entry)

    async def play_during(self, change: Callable[[], object]) -> None:
        """Play while Redis is changed, and a little longer."""
        changing = asyncio.create_task(asyncio.to_thread(change))
        while not changing.done():
            await self.play()
            await paced(PACE_S)
        await changing
        for _ in range(3):
            await self.play()

    async def assert_kept(self, store: RedisGameStore) -> None:
        """Fail unless the store has what was acknowledged, no less and no more."""
        assert tuple(self.log) == await log_of(store, self.game.game_id)
        assert self.game == await store.load(self.game.game_id)


async def _begun(store: RedisGameStore, game: HostedGame) -> Match:
    """Create a game and make its first entry; a replica may be slow to have it."""
    try:
        await store.create(game)
    except StoreUnavailableError:
        assert game == await store.load(game.game_id)
    match = Match(store, game, [])
    await match.play()
    return match


async def test_play_goes_on_while_its_slot_moves_to_a_node_that_had_none(
    cluster: Cluster,
) -> None:
    game = _game(lambda slot: slot < IN_FIRST_MASTER)
    slot = _slot(game.game_id)
    async with _worker(cluster.url) as (store, _), _worker(cluster.url) as (other, _):
        match = await _begun(store, game)
        await asyncio.gather(*(store.ping() for _ in range(8)))  # many connections are free
        to = cluster.slotless()
        source = cluster.begin_move(slot, to)
        for _ in range(3):
            await match.play()
        cluster.move_keys(slot, to)
        await asyncio.gather(*(store.load(game.game_id) for _ in range(16)), match.play())
        await match.assert_kept(other)
        cluster.end_move(slot, to)
        for _ in range(3):
            await match.play()
        await match.assert_kept(other)
        assert 0 == match.unavailable
        assert cluster.node_of(slot) is to
        cluster.begin_move(slot, source)
        cluster.move_keys(slot, source)
        await match.play_during(lambda: cluster.end_move(slot, source))
        await match.assert_kept(store)
        assert 0 == match.unavailable


async def test_play_goes_on_while_a_slot_moves_key_by_key(cluster: Cluster) -> None:
    game = _game(lambda slot: slot < IN_FIRST_MASTER)
    slot, keys = _slot(game.game_id), game_keys(game.game_id)
    async with _worker(cluster.url) as (store, _):
        match = await _begun(store, game)
        to = cluster.slotless()
        source = cluster.begin_move(slot, to)
        cluster.move_keys(slot, to, at_most=1)
        playing = asyncio.create_task(match.play())
        await loop_turns()
        assert not playing.done()
        cluster.move_keys(slot, to)
        await playing
        cluster.end_move(slot, to)
        await match.assert_kept(store)
        cluster.begin_move(slot, source)
        cluster.move_keys(slot, source)
        cluster.end_move(slot, source)
        assert 2 == source.ask("EXISTS", keys.snapshot, keys.log)


async def test_a_game_cannot_be_made_in_a_slot_that_moves_and_can_be_afterwards(
    cluster: Cluster,
) -> None:
    game = _game(lambda slot: slot < IN_FIRST_MASTER)
    slot = _slot(game.game_id)
    async with _worker(cluster.url) as (store, _):
        to = cluster.slotless()
        source = cluster.begin_move(slot, to)
        with pytest.raises(StoreUnavailableError, match="moving"):
            await store.create(game)
        cluster.end_move(slot, source)
        to.ask("CLUSTER", "SETSLOT", slot, "STABLE")
        await store.create(game)
        assert game == await store.load(game.game_id)


async def test_play_goes_on_when_a_master_of_the_cluster_fails(cluster: Cluster) -> None:
    game = _game(lambda slot: cluster.replica_of(cluster.node_of(slot)) is not None)
    slot = _slot(game.game_id)
    durability = Durability(replicas=1, wait_ms=400)
    async with _worker(cluster.url, durability) as (store, _):
        match = await _begun(store, game)
        await match.play_during(lambda: cluster.fail_over_and_heal(slot))
        assert 0 < match.unavailable
        await match.assert_kept(store)


async def test_games_of_other_masters_are_not_disturbed_when_one_fails(cluster: Cluster) -> None:
    failing = next(node for node in cluster.nodes if cluster.replica_of(node))
    own = _game(lambda slot: cluster.node_of(slot) is failing)
    other = _game(lambda slot: cluster.node_of(slot) is not failing)
    async with _worker(cluster.url) as (store, _):
        disturbed = await _begun(store, own)
        match = await _begun(store, other)
        playing = asyncio.create_task(
            match.play_during(lambda: cluster.fail_over(_slot(own.game_id)))
        )
        while not playing.done():
            await disturbed.play()
            await store.ping()
            await paced(PACE_S)
        await playing
        assert (0, True) == (match.unavailable, disturbed.unavailable > 0)
        await match.assert_kept(store)
        await asyncio.to_thread(cluster.heal)


async def test_play_goes_on_when_the_master_that_sentinels_watch_fails(watched: Watched) -> None:
    async with _worker(watched.url, Durability(replicas=1, wait_ms=400)) as (store, _):
        match = await _begun(store, new_hosted_game())
        await match.play_during(watched.fail_over_and_heal)
        assert 0 < match.unavailable
        await match.assert_kept(store)


async def test_a_worker_with_idle_connections_to_a_demoted_master_finds_the_new_one(
    watched: Watched,
) -> None:
    async with _worker(watched.url) as (store, _):
        match = await _begun(store, new_hosted_game())
        await asyncio.gather(*(store.load(match.game.game_id) for _ in range(8)))
        await asyncio.to_thread(watched.change_roles)
        await match.play()
        await asyncio.gather(*(store.load(match.game.game_id) for _ in range(8)))
        await match.assert_kept(store)
        await asyncio.to_thread(watched.wait_until_sound)


async def test_a_commit_that_too_few_replicas_have_is_not_acknowledged(watched: Watched) -> None:
    async with _worker(watched.url, Durability(replicas=2, wait_ms=50)) as (store, _):
        game = new_hosted_game()
        with pytest.raises(StoreUnavailableError, match="replicas"):
            await store.create(game)
        change = played(game, 1)
        with pytest.raises(StoreUnavailableError, match="replicas"):
            await store.commit(change.game, base=game, entries=change.log)
        assert change.game == await store.load(game.game_id)
        with pytest.raises(StoreUnavailableError, match="replicas"):
            await store.settle(game.game_id)


class LosesAnswer:
    """A client whose connection breaks after the master alone has carried out a write.

    What comes then goes over another connection, on which nothing was written.
    """

    def __init__(self, first: Redis, then: Redis) -> None:
        self._first: Redis | None = first
        self._then = then

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        if self._first is None:
            return await self._then.execute_command(*args, **options)
        await self._first.execute_command(*args)
        self._first = None
        raise ConnectionResetError

    async def aclose(self) -> None:
        """Leave both open: they are others' to close."""


async def test_write_whose_answer_was_lost_is_not_acknowledged_before_replicas_have_it(
    replicated: tuple[Valkey, Valkey],
) -> None:
    master, replica = replicated
    url, one = f"redis://{HOST}:{master.port}", Durability(replicas=1, wait_ms=50)
    async with _worker(url) as (made, client), _client(url, one) as other:
        game = new_hosted_game()
        change = played(game, 1)
        await made.create(game)
        await other.ping()
        with _frozen(replica):
            store = RedisGameStore(LosesAnswer(client, other))
            with pytest.raises(StoreUnavailableError, match="replicas"):
                await store.commit(change.game, base=game, entries=change.log)
            assert change.game == await made.load(game.game_id)
            receipt = Receipt(b"k" * 6, b"body", 1, 1)
            await made.delete(change.game, receipt)
            with pytest.raises(StoreUnavailableError, match="replicas"):
                await RedisGameStore(other).deletion(game.game_id)
        kept, _ = await patiently(lambda: RedisGameStore(other).deletion(game.game_id))
        assert receipt == kept


async def test_what_replicas_have_is_settled(watched: Watched) -> None:
    async with _worker(watched.url, Durability(replicas=1, wait_ms=2_000)) as (store, client):
        game = new_hosted_game()
        await store.create(game)
        await store.settle(game.game_id)
        ttl_ms = await client.pttl(game_keys(game.game_id).snapshot)
        assert ttl_ms > 0
