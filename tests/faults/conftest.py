"""Rigs that all faults share, and two workers in this process on one store."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from mextrain_service.local.embedded import EmbeddedValkey
from tests.faults.rig import Rig, rig
from tests.rpc.serving import House
from tests.storage.library import Redis, open_redis


class Rigs:
    """Starts a rig of each kind when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._rigs: dict[str, tuple[Rig, contextlib.ExitStack]] = {}

    @contextlib.contextmanager
    def sound(self, kind: str) -> Iterator[Rig]:
        """Yield a rig to be left sound; one that is not is ended."""
        if kind not in self._rigs:
            stack = contextlib.ExitStack()
            folder = self._folder / f"{kind}-{len(list(self._folder.iterdir()))}"
            folder.mkdir()
            self._rigs[kind] = stack.enter_context(rig(kind, folder)), stack
        try:
            yield self._rigs[kind][0]
        except BaseException:
            self._rigs.pop(kind)[1].close()
            raise

    def close(self) -> None:
        """End all rigs."""
        for _, stack in self._rigs.values():
            stack.close()


@pytest.fixture(scope="module")
def rigs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rigs]:
    """What has a service to be broken; its many processes end before other tests run."""
    whole = Rigs(tmp_path_factory.mktemp("faults"))
    yield whole
    whole.close()


@pytest.fixture
async def house() -> AsyncIterator[House]:
    """What workers of one test have in common, with a Valkey of their own."""
    with EmbeddedValkey() as valkey:
        redis: Redis = open_redis(valkey.url)
        yield House(redis)
        await redis.aclose()
