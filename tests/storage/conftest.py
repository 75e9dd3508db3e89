"""A real Valkey for the tests of the storage, started once for a run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.storage import RedisGameStore, Retention
from tests.storage import valkeys
from tests.storage.library import Redis, open_redis
from tests.storage.limits import PATIENT

RETENTION = Retention(live_ttl_s=600, finished_ttl_s=60)


@pytest.fixture(scope="session")
def server() -> Iterator[EmbeddedValkey]:
    """A Valkey that every test may use and none may stop."""
    with EmbeddedValkey() as valkey:
        yield valkey


@pytest.fixture
def own_server() -> Iterator[EmbeddedValkey]:
    """A Valkey of one test, to be stopped and started at will."""
    with EmbeddedValkey() as valkey:
        yield valkey


@pytest.fixture(scope="session")
def watched() -> Iterator[valkeys.Watched]:
    """A master with a replica and Sentinels, which every test leaves sound."""
    with valkeys.watched() as servers:
        yield servers


@pytest.fixture(scope="session")
def cluster() -> Iterator[valkeys.Cluster]:
    """A Cluster, which every test leaves sound."""
    with valkeys.cluster() as nodes:
        yield nodes


@pytest.fixture(params=["single", "sentinel", "cluster"])
async def client(
    request: pytest.FixtureRequest,
) -> AsyncIterator[Redis]:
    """A client of each kind of Redis in turn, emptied before the test."""
    fixture = {"single": "server", "sentinel": "watched", "cluster": "cluster"}[request.param]
    opened = open_redis(request.getfixturevalue(fixture).url, PATIENT)
    await empty(opened)
    yield opened
    await opened.aclose()


async def empty(client: Redis) -> None:
    """Remove every key."""
    await client.flushall()


@pytest.fixture
async def redis(server: EmbeddedValkey) -> AsyncIterator[Redis]:
    """A client of the common Valkey, emptied before the test."""
    client = open_redis(server.url, PATIENT)
    await client.flushall()
    yield client
    await client.aclose()


@pytest.fixture
def store(redis: Redis) -> RedisGameStore:
    """A store as one worker has it."""
    return RedisGameStore(redis, RETENTION)


@pytest.fixture
def other_worker(redis: Redis) -> RedisGameStore:
    """The store of another worker: the same Redis, a memory of its own."""
    return RedisGameStore(redis, RETENTION)
