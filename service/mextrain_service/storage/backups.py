"""Copies of games: taken one by one while games are played, and put back where they are missing.

A copy is a game at one moment, snapshot and log together; copies of several games are of several
moments, which is harmless as no game knows of another.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import Enum

from mextrain_service.application.model import GameId
from mextrain_service.storage.codec import decode_game
from mextrain_service.storage.connection import RedisClient
from mextrain_service.storage.errors import CorruptGameError
from mextrain_service.storage.key_scan import every_key
from mextrain_service.storage.keys import game_keys, game_of
from mextrain_service.storage.listings import Listings
from mextrain_service.storage.log_codec import decode_log
from mextrain_service.storage.lua import Script
from mextrain_service.storage.record import split

_EXAMINE = Script("examine")
_PUT_BACK = Script("put_back")


@dataclass(frozen=True, slots=True)
class GameCopy:
    """A game as it was stored at one moment. It holds every secret of the game.

    Attributes:
        game_id: its name.
        snapshot: its snapshot with the header.
        log: its log.
        ends_ms: when it was to be dropped, in milliseconds since the epoch.
    """

    game_id: GameId
    snapshot: bytes
    log: bytes
    ends_ms: int


class Fate(Enum):
    """What becomes of a copy that is to be put back."""

    PUT_BACK = "put_back"
    THERE = "there"
    UNREADABLE = "unreadable"


async def copies(client: RedisClient) -> AsyncIterator[GameCopy]:
    """Yield a copy of every game that is there from beginning to end; one may come twice.

    Raises:
        RedisError, OSError: a node does not answer.
    """
    async for keys in every_key(client):
        for game_id in filter(None, map(game_of, keys)):
            names = game_keys(game_id)
            snapshot, ends_ms, log, _ = await _EXAMINE.run(client, (names.snapshot, names.log))
            if snapshot:
                yield GameCopy(game_id, bytes(snapshot), bytes(log), int(ends_ms))


class Returner:
    """Puts copies back."""

    def __init__(self, client: RedisClient, least_ttl_s: int) -> None:
        """Take the client, and how long a game lives at least that is put back, in seconds."""
        self._client = client
        self._least_ttl_s = least_ttl_s
        self._listings = Listings(client, least_ttl_s)

    async def put_back(self, copy: GameCopy, *, trying: bool = False) -> Fate:
        """Put a game back with its places on all lists, unless there is one of its id.

        A game that is there stays as it is, also if it is older than the copy: it may have been
        answered for. A watcher that knows a later version than the copy has is told so.

        Args:
            copy: the game.
            trying: only tell what would become of it.

        Raises:
            RedisError, OSError: a node does not answer.
        """
        try:
            header, body = split(copy.snapshot)
            game = decode_game(body, game_id=copy.game_id, header=header)
            if (len(copy.log), len(decode_log(copy.log))) != (header.log_bytes, header.version):
                return Fate.UNREADABLE
        except CorruptGameError:
            return Fate.UNREADABLE
        names = game_keys(copy.game_id)
        if trying:
            there = await self._client.execute_command("EXISTS", names.snapshot)
            return Fate.THERE if there else Fate.PUT_BACK
        await self._listings.restore(game)
        least_ms = time.time_ns() // 1_000_000 + 1_000 * self._least_ttl_s
        arguments = (copy.snapshot, copy.log, max(copy.ends_ms, least_ms))
        written = await _PUT_BACK.run(self._client, names[:2], arguments)
        return Fate.PUT_BACK if written else Fate.THERE
