"""One worker inside Envoy for all the tests here, and the clients that tests of any transport use.

Tests of ``tests.rpc`` that are collected here again start no worker of their own: where they
would start a plain one, they ask this one.
"""

from __future__ import annotations

import importlib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from grpc import aio
from mextrain.v1.game_service_pb2_grpc import GameServiceStub

from mextrain_service.local.embedded import EmbeddedValkey
from tests.in_envoy import hosting
from tests.in_envoy.hosting import Hosted
from tests.in_envoy.shared import SharedHand
from tests.rpc.conftest import platform, redis, rival, valkey
from tests.rpc.serving import Client, House
from tests.storage.library import Redis

__all__ = ["platform", "redis", "rival", "valkey"]


@pytest.fixture(scope="session")
def hosted(valkey: EmbeddedValkey, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosted]:
    """A worker inside Envoy."""
    with hosting.hosted(tmp_path_factory.mktemp("hosted"), valkey.url) as worker:
        yield worker


@pytest.fixture
def house(redis: Redis, hosted: Hosted) -> House:
    """What the test and the worker have in common."""
    house = hosted.shared.house(redis)
    assert isinstance(house.clock, SharedHand)
    house.clock.reset()
    return house


@pytest.fixture
async def nobody(hosted: Hosted, house: House) -> AsyncIterator[Client]:
    """A client without a credential."""
    del house  # its store is emptied first
    async with _client(hosted) as client:
        yield client


@pytest.fixture
def channel(hosted: Hosted) -> Iterator[grpc.Channel]:
    """A channel to the worker."""
    with grpc.insecure_channel(hosted.endpoint) as opened:
        yield opened


@pytest.fixture(autouse=True)
def the_worker_here(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let tests of another module that start a plain worker have the one here."""
    home = importlib.import_module(request.function.__module__)
    if hasattr(home, "worker") and "house" in request.fixturenames:
        hosted = request.getfixturevalue("hosted")

        @asynccontextmanager
        async def worker(house: House, *given: Any, **more: Any) -> AsyncIterator[Client]:
            assert not given, "a test with a store of its own is not one for here"
            assert not more, "a test with limits of its own is not one for here"
            del house
            async with _client(hosted) as client:
                yield client

        monkeypatch.setattr(home, "worker", worker)


@asynccontextmanager
async def _client(hosted: Hosted) -> AsyncIterator[Client]:
    async with aio.insecure_channel(hosted.endpoint) as channel:
        yield Client(GameServiceStub(channel), channel)
