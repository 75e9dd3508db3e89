"""The latest failed calls of each game on this worker, for operators who ask.

Knows reasons and ids; nothing of what a call was about.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence

from mextrain_service.application.model import GameId
from mextrain_service.application.operator_ports import RecentError

KEPT_OF_A_GAME = 8
"""Errors that are kept of each game."""

MAX_GAMES = 2_048
"""Games whose errors are kept; the one without an error for longest is forgotten first."""


class KeptErrors:
    """The ``RecentErrors`` of a worker."""

    def __init__(self, max_games: int = MAX_GAMES) -> None:
        self._games: OrderedDict[str, deque[RecentError]] = OrderedDict()
        self._max_games = max_games

    def note(self, game_id: str, error: RecentError) -> None:
        """Keep an error for a while."""
        kept = self._games.setdefault(game_id, deque(maxlen=KEPT_OF_A_GAME))
        kept.appendleft(error)
        self._games.move_to_end(game_id)
        if len(self._games) > self._max_games:
            self._games.popitem(last=False)

    def of_game(self, game_id: GameId) -> Sequence[RecentError]:
        """Return the latest errors of a game, the latest first."""
        return tuple(self._games.get(game_id, ()))
