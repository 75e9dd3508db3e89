"""Walks over all keys of Mextrain, on every node that holds some."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence

from mextrain_service.storage.connection import RedisClient
from mextrain_service.storage.keys import PREFIX

_BATCH = 500


async def every_key(client: RedisClient) -> AsyncIterator[Sequence[str]]:
    """Yield the names of all keys, some hundred at a time.

    One that is there from beginning to end is yielded at least once; it may come twice, and so may
    one that moves between nodes meanwhile. It costs a server no more than many small requests.
    """
    for node in await client.masters():
        cursor = 0
        while True:
            answer = await node.execute_command(
                "SCAN", cursor, "MATCH", f"{PREFIX}*", "COUNT", _BATCH
            )
            cursor, keys = int(answer[0]), answer[1]
            if keys:
                yield [bytes(key).decode(errors="backslashreplace") for key in keys]
            if not cursor:
                break
