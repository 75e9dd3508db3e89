"""Deadlines in Redis: sorted sets of games by the moment at which they are to be looked at.

The application's `Deadlines`.
"""

from __future__ import annotations

from collections.abc import Sequence

from mextrain_service.application.model import GameId
from mextrain_service.application.ports import DueGame
from mextrain_service.storage.connection import RedisCommands
from mextrain_service.storage.failures import ask
from mextrain_service.storage.keys import PARTITIONS, deadlines_key, partition_of
from mextrain_service.storage.lua import Script
from mextrain_service.storage.redis_store import Retention

LEASE_MS = 10_000
"""How long a claimed game is kept from others; after that, whoever claimed it counts as dead."""

_SCHEDULE = Script("deadline_schedule")
_CLAIM = Script("deadline_claim")
_RESCHEDULE = Script("deadline_reschedule")


class RedisDeadlines:
    """The `Deadlines` of the service; any number of workers may use the same ones.

    An entry lives as long as its game does at least, so that it is still there when every worker
    was away for a while.
    """

    def __init__(self, client: RedisCommands, retention: Retention | None = None) -> None:
        """Keep deadlines through a client, which stays the caller's to close."""
        self._client = client
        self._kept_ms = 1_000 * (retention or Retention()).live_ttl_s

    @property
    def partitions(self) -> int:
        """How many sets there are; see `Deadlines`."""
        return PARTITIONS

    async def schedule(self, game_id: GameId, due_ms: int, now_ms: int) -> None:
        """See to it that the game is looked at by then; see `Deadlines`."""
        keys = (deadlines_of(game_id),)
        arguments = (game_id, due_ms, self._ttl_ms(due_ms, now_ms))
        await ask(lambda: _SCHEDULE.run(self._client, keys, arguments))

    async def claim(self, partition: int, now_ms: int, most: int) -> Sequence[DueGame]:
        """Return games that are due and keep others from them; see `Deadlines`."""
        keys = (deadlines_key(partition),)
        until_ms = now_ms + LEASE_MS
        arguments = (now_ms, most, until_ms)
        found = await ask(lambda: _CLAIM.run(self._client, keys, arguments))
        return [DueGame(GameId(bytes(game_id).decode()), until_ms) for game_id in found]

    async def reschedule(self, due: DueGame, next_ms: int | None, now_ms: int) -> None:
        """Say when the game is to be looked at next; see `Deadlines`."""
        keys = (deadlines_of(due.game_id),)
        if next_ms is None:
            arguments: tuple[str | int, ...] = (due.game_id, due.claim)
        else:
            arguments = (due.game_id, due.claim, next_ms, self._ttl_ms(next_ms, now_ms))
        await ask(lambda: _RESCHEDULE.run(self._client, keys, arguments))

    def _ttl_ms(self, due_ms: int, now_ms: int) -> int:
        return max(0, due_ms - now_ms) + self._kept_ms


def deadlines_of(game_id: GameId) -> str:
    """Return the key of the deadlines among which those of a game are."""
    return deadlines_key(partition_of(game_id))
