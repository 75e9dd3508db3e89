"""Looks at what is stored of one game, sound or not: the application's `GameInspector`."""

from __future__ import annotations

from mextrain_service.application.model import GameId
from mextrain_service.application.operator_ports import Inspection
from mextrain_service.application.ports import GameNotFoundError
from mextrain_service.storage.asking import ask
from mextrain_service.storage.connection import RedisCommands
from mextrain_service.storage.diagnosis import StoredGame, diagnose
from mextrain_service.storage.keys import game_keys
from mextrain_service.storage.lua import Script

_EXAMINE = Script("examine")


class RedisGameInspector:
    """The `GameInspector` of the service."""

    def __init__(self, client: RedisCommands) -> None:
        """Look through a client, which stays the caller's to close."""
        self._client = client

    async def inspect(self, game_id: GameId) -> Inspection:
        """Return what is stored of a game; see `GameInspector`."""
        keys = game_keys(game_id)
        pair = (keys.snapshot, keys.log)
        found = await ask(lambda: _EXAMINE.run(self._client, pair))
        stored = StoredGame(game_id, bytes(found[0]), int(found[1]), bytes(found[2]), int(found[3]))
        if not stored.snapshot:
            raise GameNotFoundError(game_id)
        memory = [await self._memory_bytes(key) for key in pair]
        diagnosis = diagnose(stored, replaying=True)
        return Inspection(
            game=diagnosis.game,
            snapshot_bytes=len(stored.snapshot),
            log_bytes=len(stored.log),
            memory_bytes=sum(memory),
            ends_ms=None if stored.snapshot_ends_ms < 0 else stored.snapshot_ends_ms,
            faults=tuple(fault.value for fault, _ in diagnosis.faults),
        )

    async def _memory_bytes(self, key: str) -> int:
        command = ("MEMORY", "USAGE", key, "SAMPLES", 0)
        return int(await ask(lambda: self._client.execute_command(*command)) or 0)
