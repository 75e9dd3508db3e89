"""Lists of games in Redis, by platform and by player: the application's `GameIndex`.

Sorted sets of game ids by the moment at which they came onto the list.
"""

from __future__ import annotations

import asyncio
import hashlib
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

from mextrain_service.application.model import (
    MAX_CLOCK_MS,
    GameId,
    HostedGame,
    PlatformId,
    PlayerId,
)
from mextrain_service.application.ports import ListedGame
from mextrain_service.storage.connection import RedisCommands
from mextrain_service.storage.failures import ask
from mextrain_service.storage.keys import platform_games_key, player_games_key
from mextrain_service.storage.lua import Script
from mextrain_service.storage.redis_store import Retention

PARTITIONS = 16
"""Sets that the games of a platform are spread over. The same on every worker."""

GAMES_OF_A_PLAYER = 1_000
"""Entries that are kept of one player, the latest ones; a person is at fewer tables."""

_ANY_NUMBER = 0
_DIGEST_CHARACTERS = 22

_NOTE = Script("index_note")
_DROP = Script("index_drop")


class RedisGameIndex:
    """The `GameIndex` of the service.

    A game lives on with each commit, and no commit should cost a write to every list. So entries
    live for twice as long as a game, and are written again by the first commit in each half of its
    life: an entry is at most half a life old when a game is committed for the last time.
    """

    def __init__(self, client: RedisCommands, retention: Retention | None = None) -> None:
        """Keep lists through a client, which stays the caller's to close."""
        self._client = client
        self._life_ms = 1_000 * (retention or Retention()).live_ttl_s

    def is_outdated(self, before: HostedGame, after: HostedGame) -> bool:
        """Whether a commit has to be noted; see `GameIndex`."""
        if before.seats is not after.seats:
            return True
        return self._half(before.updated_ms) != self._half(after.updated_ms)

    async def note(self, before: HostedGame | None, after: HostedGame) -> None:
        """Put a game on the lists that it must be on; see `GameIndex`."""
        if keys := list(self._lists_to_write(before, after)):
            await asyncio.gather(*(self._write(key, most, after) for key, most in keys))

    async def page(
        self,
        platform_id: PlatformId,
        player_id: PlayerId | None,
        after: ListedGame | None,
        most: int,
    ) -> Sequence[ListedGame]:
        """Return entries, the latest first; see `GameIndex`."""
        keys = _keys(platform_id, player_id)
        parts = await asyncio.gather(*(self._entries(key, after, most) for key in keys))
        return sorted((entry for part in parts for entry in part), key=_place, reverse=True)[:most]

    async def holds(self, platform_id: PlatformId, game_id: GameId) -> bool:
        """Tell whether a game is on the list of a platform; see `GameIndex`."""
        key = platform_games_key(platform_id, _partition(game_id))
        return await ask(lambda: self._client.execute_command("ZSCORE", key, game_id)) is not None

    async def drop(
        self, platform_id: PlatformId, player_id: PlayerId | None, entry: ListedGame
    ) -> None:
        """Take an entry off, if it is still that one; see `GameIndex`."""
        if player_id is None:
            key = platform_games_key(platform_id, _partition(entry.game_id))
        else:
            key = player_games_key(platform_id, _digest(player_id))
        await ask(lambda: _DROP.run(self._client, (key,), (entry.game_id, entry.listed_ms)))

    def _lists_to_write(
        self, before: HostedGame | None, after: HostedGame
    ) -> Iterator[tuple[str, int]]:
        """Yield the lists on which the game must be written, with how many entries each keeps."""
        anew = before is None or self._half(before.updated_ms) != self._half(after.updated_ms)
        if anew:
            yield platform_games_key(after.platform_id, _partition(after.game_id)), _ANY_NUMBER
        elif before is not None and before.seats is after.seats:
            return
        known = set() if anew or before is None else _players(before)
        for player_id in sorted(_players(after) - known):
            yield player_games_key(after.platform_id, _digest(player_id)), GAMES_OF_A_PLAYER

    def _half(self, moment_ms: int) -> int:
        """Return in which half of a life a moment lies, counted from the epoch."""
        return moment_ms // max(1, self._life_ms // 2)

    async def _write(self, key: str, most: int, game: HostedGame) -> None:
        longest_ms = 2 * self._life_ms + MAX_CLOCK_MS
        ttl_ms = 2 * self._life_ms if game.policy.clock is None else longest_ms
        arguments = (game.game_id, game.updated_ms, ttl_ms, game.updated_ms - longest_ms, most)
        await ask(lambda: _NOTE.run(self._client, (key,), arguments))

    async def _entries(self, key: str, after: ListedGame | None, most: int) -> list[ListedGame]:
        """Return the entries of one list that come after an entry, at most so many."""
        found: list[ListedGame] = []
        highest = "+inf" if after is None else str(after.listed_ms)
        start = 0
        while len(found) < most:
            part = await self._stretch(key, highest, start, most)
            found.extend(each for each in part if after is None or _place(each) < _place(after))
            if len(part) < most:
                break
            start += most
        return found[:most]

    async def _stretch(self, key: str, highest: str, start: int, most: int) -> list[ListedGame]:
        command = ("ZREVRANGEBYSCORE", key, highest, "-inf", "WITHSCORES", "LIMIT", start, most)
        answer = await ask(lambda: self._client.execute_command(*command))
        return [
            ListedGame(GameId(bytes(game_id).decode()), int(listed_ms))
            for game_id, listed_ms in _pairs(answer)
        ]


def lists_of(game: HostedGame) -> list[tuple[str, int]]:
    """Return the lists that a game must be on, each with how many entries it keeps; 0 is all."""
    platform_id = game.platform_id
    players = [player_games_key(platform_id, _digest(each)) for each in sorted(_players(game))]
    return [
        (platform_games_key(platform_id, _partition(game.game_id)), _ANY_NUMBER),
        *((key, GAMES_OF_A_PLAYER) for key in players),
    ]


def _pairs(answer: Sequence[Any]) -> Iterator[tuple[bytes, float]]:
    """Yield member and score, whether the client returns them as pairs or one after another."""
    if answer and isinstance(answer[0], list | tuple):
        yield from ((bytes(member), float(score)) for member, score in answer)
        return
    flat = iter(answer)
    yield from ((bytes(member), float(score)) for member, score in zip(flat, flat, strict=True))


def _place(entry: ListedGame) -> tuple[int, str]:
    """Return what entries are sorted by, the latest last; as Redis sorts members of one score."""
    return entry.listed_ms, entry.game_id


def _players(game: HostedGame) -> set[PlayerId]:
    return {holder.player_id for holder in game.seats if holder.player_id}


def _keys(platform_id: PlatformId, player_id: PlayerId | None) -> list[str]:
    if player_id is not None:
        return [player_games_key(platform_id, _digest(player_id))]
    return [platform_games_key(platform_id, partition) for partition in range(PARTITIONS)]


def _partition(game_id: GameId) -> int:
    return zlib.crc32(game_id.encode()) % PARTITIONS


def _digest(player_id: PlayerId) -> str:
    """Return a name for a player that fits into a key, whatever the platform calls it."""
    return hashlib.sha256(player_id.encode()).hexdigest()[:_DIGEST_CHARACTERS]
