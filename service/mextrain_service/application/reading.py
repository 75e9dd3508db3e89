"""How a game is read: by those for whom it exists, and as it was last committed."""

from __future__ import annotations

from mextrain_service.application.access import (
    Action,
    require_access,
    require_allowed,
    require_names_own_game,
)
from mextrain_service.application.callers import Caller
from mextrain_service.application.model import GameId, HostedGame
from mextrain_service.application.ports import GameStore


async def read_game(
    store: GameStore, caller: Caller, action: Action, game_id: GameId
) -> HostedGame:
    """Return the game as last committed by any worker.

    Raises:
        ApplicationError: the caller may not do this.
        GameNotFoundError: for this caller, there is no such game.
        StoreUnavailableError: the store does not answer.
    """
    require_allowed(caller, action)
    require_names_own_game(caller, game_id)
    game = await store.load(game_id)
    require_access(caller, action, game)
    return game
