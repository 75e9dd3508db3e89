"""Whether a game is on every list that it must be on, and how it comes back there."""

from __future__ import annotations

import time

from mextrain_service.application.clocks import due_ms
from mextrain_service.application.model import HostedGame
from mextrain_service.storage.connection import RedisCommands
from mextrain_service.storage.deadlines import RedisDeadlines, deadlines_of
from mextrain_service.storage.diagnosis import Fault
from mextrain_service.storage.game_index import RedisGameIndex, lists_of
from mextrain_service.storage.redis_store import Retention


class Listings:
    """The lists of platforms and players, and the deadlines."""

    def __init__(self, client: RedisCommands, live_ttl_s: int) -> None:
        """Take the client, and how long a live game is kept after a change, in seconds."""
        self._client = client
        retention = Retention(live_ttl_s=live_ttl_s)
        self._index = RedisGameIndex(client, retention)
        self._deadlines = RedisDeadlines(client, retention)

    async def missing(self, game: HostedGame) -> list[tuple[Fault, str]]:
        """Return each list on which the game must be and is not, with its key.

        A list that keeps so many entries only, and is full, may have dropped it.
        """
        found = [
            (Fault.NOT_LISTED, key)
            for key, most in lists_of(game)
            if not await self._holds(key, game) and not await self._is_full(key, most)
        ]
        key = deadlines_of(game.game_id)
        if due_ms(game) is not None and not await self._holds(key, game):
            found.append((Fault.NO_DEADLINE, key))
        return found

    async def restore(self, game: HostedGame) -> None:
        """Put the game on all of them."""
        await self._index.note(None, game)
        due = due_ms(game)
        if due is not None:
            now_ms = time.time_ns() // 1_000_000
            await self._deadlines.schedule(game.game_id, due, now_ms)

    async def _holds(self, key: str, game: HostedGame) -> bool:
        return await self._client.execute_command("ZSCORE", key, game.game_id) is not None

    async def _is_full(self, key: str, most: int) -> bool:
        return most > 0 and int(await self._client.execute_command("ZCARD", key)) >= most
