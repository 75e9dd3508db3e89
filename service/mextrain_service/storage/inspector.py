"""Looks at what is stored of one game, sound or not, and removes what cannot be read."""

from __future__ import annotations

from mextrain_service.application.model import GameId, Receipt
from mextrain_service.application.operator_ports import Inspection
from mextrain_service.application.ports import GameNotFoundError, VersionConflictError
from mextrain_service.storage.codec import decode_game, encode_receipt
from mextrain_service.storage.connection import RedisCommands
from mextrain_service.storage.diagnosis import StoredGame, diagnose
from mextrain_service.storage.errors import CorruptGameError
from mextrain_service.storage.failures import ask
from mextrain_service.storage.keys import game_keys
from mextrain_service.storage.lua import Script
from mextrain_service.storage.record import split

_EXAMINE = Script("examine")
_DISCARD = Script("discard")
_MISSING = 0
_CHANGED = -1


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


async def discard(
    client: RedisCommands, game_id: GameId, receipt: Receipt | None, kept_ms: int
) -> None:
    """Remove a game, unless it can be read.

    Args:
        client: where it is.
        game_id: which game.
        receipt: that of the request; None for one that is not remembered.
        kept_ms: how long the receipt is kept, in milliseconds.

    Raises:
        GameNotFoundError: there is none.
        VersionConflictError: it can be read, or was changed since it was looked at.
        NewerSchemaError: a later release can read it.
        StoreUnavailableError: it is not known whether it was removed.
    """
    keys = game_keys(game_id)
    snapshot = bytes((await ask(lambda: _EXAMINE.run(client, keys[:2])))[0])
    if _is_readable(snapshot, game_id):
        raise VersionConflictError(game_id)
    names = (keys.snapshot, keys.log, keys.deletion)
    kept = b"" if receipt is None else encode_receipt(receipt)
    arguments = (snapshot, keys.channel, kept, kept_ms)
    answer = int(await ask(lambda: _DISCARD.run(client, names, arguments)))
    if answer == _MISSING:
        raise GameNotFoundError(game_id)
    if answer == _CHANGED:
        raise VersionConflictError(game_id)


def _is_readable(snapshot: bytes, game_id: GameId) -> bool:
    try:
        header, body = split(snapshot)
        decode_game(body, game_id=game_id, header=header)
    except CorruptGameError:
        return False
    return True
