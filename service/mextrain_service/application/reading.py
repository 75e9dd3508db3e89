"""How a game and its log are read: by those for whom it exists, and as last committed."""

from __future__ import annotations

from mextrain_service.application.access import (
    Action,
    require_access,
    require_allowed,
    require_names_own_game,
)
from mextrain_service.application.callers import Caller
from mextrain_service.application.model import GameId, HostedGame, LogEntry
from mextrain_service.application.ports import GameNotFoundError, GameStore, LogPosition
from mextrain_service.application.refused import HistoryGoneError


async def read_game(
    store: GameStore, caller: Caller, action: Action, game_id: GameId
) -> HostedGame:
    """Return the game as last committed by any worker.

    Raises:
        Refused: the caller may not do this.
        GameNotFoundError: for this caller, there is no such game.
        StoreUnavailableError: the store does not answer.
    """
    require_allowed(caller, action)
    require_names_own_game(caller, game_id)
    game = await store.load(game_id)
    require_access(caller, action, game)
    return game


async def read_game_and_log(
    store: GameStore, caller: Caller, action: Action, game_id: GameId
) -> tuple[HostedGame, tuple[LogEntry, ...]]:
    """Return the game as last committed and all entries that led to it, as one.

    Raises:
        HistoryGoneError: the log cannot be read any more.
        Refused: the caller may not do this.
        GameNotFoundError: for this caller, there is no such game.
        StoreUnavailableError: the store does not answer.
    """
    require_allowed(caller, action)
    require_names_own_game(caller, game_id)
    reading = await store.read_on(game_id, LogPosition())
    if reading is None:
        raise GameNotFoundError(game_id)
    require_access(caller, action, reading.game)
    if reading.entries is None:
        raise HistoryGoneError(reading.game.version)
    return reading.game, reading.entries
