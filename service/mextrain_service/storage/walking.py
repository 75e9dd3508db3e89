"""Walks over all keys of Mextrain, on every node that holds some.

Knows nodes and cursors; nothing of what lies under a key.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

from redis.asyncio.cluster import RedisCluster

from mextrain_service.storage.connection import RedisClient
from mextrain_service.storage.keys import PREFIX

_BATCH = 500

_Send = Callable[..., Awaitable[Any]]


async def every_key(client: RedisClient) -> AsyncIterator[Sequence[str]]:
    """Yield the names of all keys, some hundred at a time.

    One that is there from beginning to end is yielded at least once; it may come twice, and so may
    one that moves between nodes meanwhile. It costs a server no more than many small requests.
    """
    for send in await _nodes(client):
        cursor = 0
        while True:
            answer = await send("SCAN", cursor, "MATCH", f"{PREFIX}*", "COUNT", _BATCH)
            cursor, keys = int(answer[0]), answer[1]
            if keys:
                yield [bytes(key).decode(errors="backslashreplace") for key in keys]
            if not cursor:
                break


async def node_count(client: RedisClient) -> int:
    """Return how many servers hold keys."""
    return len(await _nodes(client))


async def _nodes(client: RedisClient) -> Sequence[_Send]:
    if not isinstance(client, RedisCluster):
        return [client.execute_command]
    await client.initialize()
    return [node.execute_command for node in client.get_primaries()]
