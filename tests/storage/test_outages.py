"""While a node is away nobody waits for it and nobody storms it; when it is back, play goes on."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress

import pytest
from redis.crc import key_slot

from mextrain_service.application.model import GameId
from mextrain_service.application.ports import GameNotFoundError, StoreUnavailableError
from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.storage import ConnectionLimits, Durability, RedisGameStore, open_client
from mextrain_service.storage.keys import game_keys
from tests.storage.games import new_hosted_game
from tests.storage.patience import loop_turns, paced, patiently, until_away
from tests.storage.valkeys import Cluster, Valkey, Watched, facts

SLOW = ConnectionLimits(connect_timeout_s=10.0, answer_timeout_s=10.0)
"""A call that waits for one of these shows."""

HASTY = ConnectionLimits(connect_timeout_s=0.2, answer_timeout_s=0.2)
CALLS = 200
PACE_S = 0.0025
FEW = 40
"""Far below one for each call, and far above what one worker tries in the time of them."""


@asynccontextmanager
async def _store(
    url: str, limits: ConnectionLimits = SLOW, replicas: int = 0
) -> AsyncIterator[RedisGameStore]:
    client = open_client(url, limits, Durability(replicas, wait_ms=100))
    try:
        yield RedisGameStore(client)
    finally:
        await client.aclose()


async def _fails_at_once(call: Callable[[], Awaitable[object]]) -> StoreUnavailableError:
    """Return what a call is told, which waits for nothing but its turns of the event loop."""
    task = asyncio.ensure_future(call())
    await loop_turns()
    assert task.done()
    error = task.exception()
    assert isinstance(error, StoreUnavailableError)
    return error


async def _call_often(call: Callable[[], Awaitable[object]]) -> list[float]:
    """Make many calls, which all fail, over half a second or more; return what they are told."""
    pauses = []
    for _ in range(CALLS):
        with pytest.raises(StoreUnavailableError) as refused:
            await call()
        pauses.append(refused.value.retry_after_s)
        await paced(PACE_S)
    return pauses


@contextmanager
def _frozen(pid: int) -> Iterator[None]:
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def _connections(server: Valkey) -> int:
    return int(facts(server.ask("INFO", "stats"))["total_connections_received"])


def _slot(game_id: GameId) -> int:
    return int(key_slot(game_keys(game_id).snapshot.encode()))


async def test_reads_and_writes_fail_at_once_when_the_store_is_known_to_be_away(
    own_server: EmbeddedValkey,
) -> None:
    game = new_hosted_game()
    async with _store(own_server.url) as store:
        await store.ping()
        own_server.kill()
        await until_away(store.ping)
        for call in (
            store.ping,
            lambda: store.load(game.game_id),
            lambda: store.create(game),
        ):
            told = await _fails_at_once(call)
            assert "the store cannot be reached" == str(told)


@pytest.mark.parametrize("replicas", [0, 1])
async def test_calls_open_no_connection_each_when_the_store_is_silent(replicas: int) -> None:
    accepted = 0

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal accepted
        accepted += 1
        await reader.read()  # to the end
        writer.close()

    listener = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    game = new_hosted_game()
    async with _store(f"redis://127.0.0.1:{port}/0", HASTY, replicas) as store:

        async def write() -> None:
            await store.create(game)

        await until_away(write)
        await _fails_at_once(write)
        pauses = await _call_often(write)
    listener.close()
    assert max(pauses) <= 1.0
    assert accepted < FEW


async def test_store_that_stops_answering_is_away_at_once_for_those_who_ask_later(
    own_server: EmbeddedValkey,
) -> None:
    async with _store(own_server.url, HASTY) as store:
        await store.ping()
        pid = own_server.pid
        assert pid is not None
        with _frozen(pid):
            with pytest.raises(StoreUnavailableError, match="in time"):
                await store.ping()
            told = await _fails_at_once(store.ping)
            assert "in time" in str(told)
        await patiently(store.ping)


async def test_calls_are_answered_after_the_pauses_asked_for_when_the_store_is_back(
    own_server: EmbeddedValkey,
) -> None:
    async with _store(own_server.url) as store:
        await store.ping()
        own_server.kill()
        before = await _call_often(store.ping)
        own_server.start()
        _, after = await patiently(store.ping)
    assert max([*before, *after]) <= 1.0
    assert len(set(before)) > CALLS / 2


async def test_calls_ask_neither_sentinels_nor_servers_each_when_the_master_is_away(
    watched: Watched,
) -> None:
    async with _store(watched.url) as store:
        await store.ping()
        watched.master().kill()
        await until_away(store.ping)
        before = sum(map(_connections, watched.sentinels))
        for _ in range(CALLS):
            with pytest.raises(StoreUnavailableError):
                await store.ping()
        assert sum(map(_connections, watched.sentinels)) - before < FEW
        _, pauses = await patiently(store.ping)
        assert max(pauses, default=0.0) <= 1.0
        await asyncio.to_thread(watched.heal)


@pytest.mark.parametrize("replicas", [0, 1])
async def test_calls_ask_no_other_node_each_when_a_master_of_the_cluster_is_away(
    cluster: Cluster, replicas: int
) -> None:
    failing = next(node for node in cluster.nodes if cluster.replica_of(node))
    others = [node for node in cluster.nodes if node is not failing]
    game = next(
        made
        for made in map(new_hosted_game, map("game-{:09}".format, range(1_000)))
        if cluster.node_of(_slot(made.game_id)) is failing
    )
    async with _store(cluster.url, replicas=replicas) as store:

        async def write() -> None:
            await store.create(game)

        async def read() -> None:
            with suppress(GameNotFoundError):
                await store.load(game.game_id)

        await store.ping()
        failing.kill()
        await until_away(write)
        before = sum(map(_asked_for_nodes, others)), sum(map(_connections, others))
        for _ in range(CALLS):
            with pytest.raises(StoreUnavailableError):
                await write()
        after = sum(map(_asked_for_nodes, others)), sum(map(_connections, others))
        assert after[0] - before[0] < FEW
        assert after[1] - before[1] < FEW
        _, pauses = await patiently(read)
        assert max(pauses, default=0.0) <= 1.0
    await asyncio.to_thread(cluster.heal)


def _asked_for_nodes(node: Valkey) -> int:
    """Return how often a node was asked which nodes there are."""
    stats = facts(node.ask("INFO", "commandstats"))
    words = stats.get("cmdstat_cluster|slots", "calls=0").split(",")
    return int(dict(word.split("=", 1) for word in words)["calls"])


async def test_calls_try_no_node_each_when_the_whole_cluster_is_away() -> None:
    accepted = 0

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal accepted
        accepted += 1
        del reader
        writer.close()

    listener = await asyncio.start_server(refuse, "127.0.0.1", 0)
    port = listener.sockets[0].getsockname()[1]
    async with _store(f"redis+cluster://127.0.0.1:{port}") as store:
        await until_away(store.ping)
        await _fails_at_once(store.ping)
        pauses = await _call_often(store.ping)
    listener.close()
    assert max(pauses) <= 1.0
    assert accepted < FEW
