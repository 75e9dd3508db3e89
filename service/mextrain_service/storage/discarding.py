"""Removes what is left of a game that cannot be read."""

from __future__ import annotations

from mextrain_service.application.model import GameId, Receipt
from mextrain_service.application.ports import GameNotFoundError, VersionConflictError
from mextrain_service.storage.asking import ask
from mextrain_service.storage.codec import decode_game, encode_receipt
from mextrain_service.storage.connection import RedisCommands
from mextrain_service.storage.errors import CorruptGameError
from mextrain_service.storage.keys import game_keys
from mextrain_service.storage.lua import Script
from mextrain_service.storage.record import split

_EXAMINE = Script("examine")
_DISCARD = Script("discard")
_MISSING = 0
_CHANGED = -1


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
