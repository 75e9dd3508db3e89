"""Walks over all keys of Mextrain, on every node that holds some."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any

from redis.asyncio.cluster import RedisCluster

from mextrain_service.storage.connection import RedisClient
from mextrain_service.storage.keys import PREFIX

_BATCH = 500

_Send = Callable[..., Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Node:
    """A server that holds keys.

    Attributes:
        name: host and port of a node of a Cluster; empty where there is one server, or one master.
        send: sends it a command and returns the answer.
    """

    name: str
    send: _Send


async def every_key(client: RedisClient) -> AsyncIterator[Sequence[str]]:
    """Yield the names of all keys, some hundred at a time.

    One that is there from beginning to end is yielded at least once; it may come twice, and so may
    one that moves between nodes meanwhile. It costs a server no more than many small requests.
    """
    for node in await masters(client):
        cursor = 0
        while True:
            answer = await node.send("SCAN", cursor, "MATCH", f"{PREFIX}*", "COUNT", _BATCH)
            cursor, keys = int(answer[0]), answer[1]
            if keys:
                yield [bytes(key).decode(errors="backslashreplace") for key in keys]
            if not cursor:
                break


async def node_count(client: RedisClient) -> int:
    """Return how many servers hold keys."""
    return len(await masters(client))


async def masters(client: RedisClient) -> Sequence[Node]:
    """Return all servers that hold keys: the one that there is, or every master of a Cluster."""
    if not isinstance(client, RedisCluster):
        return [Node("", client.execute_command)]
    await client.initialize()
    return [Node(node.name, node.execute_command) for node in client.get_primaries()]
