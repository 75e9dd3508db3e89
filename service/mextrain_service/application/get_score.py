"""Use case: read the score of a game."""

from __future__ import annotations

from mextrain_engine import Phase, score
from mextrain_service.application.access import Action
from mextrain_service.application.answers import ScoreAnswer
from mextrain_service.application.callers import Caller
from mextrain_service.application.model import GameId
from mextrain_service.application.ports import GameStore
from mextrain_service.application.spectating import read_game_shown


class GetScore:
    """Tells rounds, totals, places and winners."""

    def __init__(self, store: GameStore) -> None:
        self._store = store

    async def __call__(self, caller: Caller, game_id: GameId) -> ScoreAnswer:
        """Return the score of the rounds that are over. Raises as ``read_game_shown``."""
        game = await read_game_shown(self._store, caller, Action.VIEW_SCORE, game_id)
        return ScoreAnswer(
            version=game.version,
            score=score(game.state),
            finished=game.state.phase is Phase.FINISHED,
        )
