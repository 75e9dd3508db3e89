"""Walks over all keys of Mextrain, on every server that holds some, and knows which list games.

An entry of an index may be ahead of its game or outlive it; readers look at the game.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from mextrain_service.application.model import GameId
from mextrain_service.storage.connection import RedisClient, RedisCommands
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


@dataclass(frozen=True, slots=True)
class Index:
    """A family of keys.

    Attributes:
        name: what they are called in reports.
        pattern: how their names are written, whole.
        kind: what Redis calls their type: ``zset``, ``hash`` or ``stream``.
        lists_games: its members are names of games; if not, only the key as such is looked at.
    """

    name: str
    pattern: re.Pattern[str]
    kind: str
    lists_games: bool = True

    async def entries(self, client: RedisCommands, key: str) -> AsyncIterator[tuple[bytes, GameId]]:
        """Yield every member with the game that it names."""
        if not self.lists_games:
            return
        cursor = 0
        while True:
            answer = await client.execute_command("ZSCAN", key, cursor, "COUNT", _BATCH)
            cursor = int(answer[0])
            for member in answer[1][::2]:  # members and scores, one after another
                yield member, GameId(bytes(member).decode(errors="backslashreplace"))
            if not cursor:
                return

    async def drop(self, client: RedisCommands, key: str, member: bytes) -> bool:
        """Remove a member; tell whether it was there."""
        return bool(await client.execute_command("ZREM", key, member))


_PLATFORM = "[a-z0-9-]{1,32}"

INDEXES: tuple[Index, ...] = (
    Index("deadlines", re.compile(r"mt:deadlines:\d{1,4}:\{[0-9a-z]+\}"), "zset"),
    Index("outages", re.compile(r"mt:outages:\d{1,4}:\{[0-9a-z]+\}"), "hash", lists_games=False),
    Index("lists of platforms", re.compile(rf"mt:games:{_PLATFORM}:\d{{1,4}}"), "zset"),
    Index("lists of players", re.compile(rf"mt:player:{_PLATFORM}:[0-9a-f]{{22}}"), "zset"),
    Index("feeds", re.compile(rf"mt:feed:{_PLATFORM}:\d{{1,2}}"), "stream", lists_games=False),
    Index("promises of news", re.compile(r"mt:outbox:\d{1,2}"), "zset", lists_games=False),
)
"""Every family that is written."""


def index_of(key: str) -> Index | None:
    """Return the family that a key belongs to."""
    return next((index for index in INDEXES if index.pattern.fullmatch(key)), None)
