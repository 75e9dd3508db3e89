"""The commands of the client library, sent over a client of the service."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from redis import asyncio as library

from mextrain_service.storage import ConnectionLimits, Durability, RedisClient, open_client
from mextrain_service.storage.addresses import SINGLE_SCHEMES
from mextrain_service.storage.node import Node

_EVERYWHERE = frozenset({"FLUSHALL", "KEYS"})


class Redis(library.Redis):
    """A client of the service that has the methods of the client library as well.

    It returns answers as the server gave them.
    Transactions and subscriptions have connections of their own, and are for one server only.

    Attributes:
        inner: that of the service.
    """

    def __init__(self, client: RedisClient, pool: library.ConnectionPool | None) -> None:
        super().__init__(connection_pool=pool)
        self.auto_close_connection_pool = True
        self.inner = client

    async def execute_command(
        self, *args: Any, awaits_replicas: bool = False, **options: Any
    ) -> Any:
        del options  # how the client library would form the answer
        words = (*args[0].split(), *args[1:])
        if words[0] in _EVERYWHERE:
            nodes = await self.inner.masters()
            answers = [await node.execute_command(*words) for node in nodes]
            return [*chain(*answers)] if words[0] == "KEYS" else answers[0]
        return await self.inner.execute_command(*words, awaits_replicas=awaits_replicas)

    async def masters(self) -> Sequence[Node]:
        return await self.inner.masters()

    async def master_of(self, key: str) -> Node:
        return await self.inner.master_of(key)

    async def aclose(self, close_connection_pool: bool | None = None) -> None:
        await self.inner.aclose()
        await super().aclose(close_connection_pool)


def open_redis(
    url: str, limits: ConnectionLimits | None = None, durability: Durability | None = None
) -> Redis:
    """Return a client for an address, as `open_client` does."""
    alone = url.partition(":")[0] in SINGLE_SCHEMES
    pool = library.ConnectionPool.from_url(url) if alone else None
    return Redis(open_client(url, limits, durability), pool)
