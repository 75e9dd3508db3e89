"""Use case: look at a game."""

from __future__ import annotations

from mextrain_service.application.access import Action
from mextrain_service.application.answers import GameAnswer, game_answer
from mextrain_service.application.callers import Caller
from mextrain_service.application.deadline_book import DeadlineBook
from mextrain_service.application.model import GameId
from mextrain_service.application.ports import Clock, GameStore
from mextrain_service.application.spectating import read_game_shown


class GetGame:
    """Shows a game as the caller may see it."""

    def __init__(self, store: GameStore, clock: Clock, deadlines: DeadlineBook) -> None:
        self._store = store
        self._clock = clock
        self._deadlines = deadlines

    async def __call__(self, caller: Caller, game_id: GameId) -> GameAnswer:
        """Return the game as last committed, or as far as spectators may see it.

        Raises as ``read_game_shown`` does.
        """
        game = await read_game_shown(self._store, caller, Action.VIEW_GAME, game_id)
        now = self._clock.moment(game_id)
        await self._deadlines.remind(game, now)
        return game_answer(game, caller, now)
