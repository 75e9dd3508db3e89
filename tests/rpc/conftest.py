"""A real Valkey, what all workers share, and one worker with clients of every kind."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

from mextrain_service.local.embedded import EmbeddedValkey
from tests.rpc.serving import Client, House, worker
from tests.storage.library import Redis, open_redis
from tests.storage.limits import PATIENT


@pytest.fixture(scope="session")
def valkey() -> Iterator[EmbeddedValkey]:
    """A Valkey that every test may use and none may stop."""
    with EmbeddedValkey() as server:
        yield server


@pytest.fixture
async def redis(valkey: EmbeddedValkey) -> AsyncIterator[Redis]:
    """A client of it, emptied before the test."""
    client = open_redis(valkey.url, PATIENT)
    await client.flushall()
    yield client
    await client.aclose()


@pytest.fixture
def house(redis: Redis) -> House:
    """What all workers of the test have in common."""
    return House(redis)


@pytest.fixture
async def nobody(house: House) -> AsyncIterator[Client]:
    """A client without a credential, of a worker that is served for this test."""
    async with worker(house) as client:
        yield client


@pytest.fixture
def platform(nobody: Client, house: House) -> Client:
    """The platform that owns the games of the test."""
    return nobody.bearing(house.key.text)


@pytest.fixture
def rival(nobody: Client, house: House) -> Client:
    """Another platform."""
    return nobody.bearing(house.other_key.text)
