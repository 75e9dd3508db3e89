"""The latest failed calls of each game on this worker, for operators who ask."""

from __future__ import annotations

import re
from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import Final

from mextrain_service.application.model import GameId
from mextrain_service.application.operator_ports import RecentError
from mextrain_service.application.ports import WallClock
from mextrain_service.rpc.call import Call
from mextrain_service.rpc.outcome import Outcome

KEPT_OF_A_GAME = 8
"""Errors that are kept of each game."""

MAX_GAMES = 2_048
"""Games whose errors are kept; the one without an error for longest is forgotten first."""

_GAME_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)


class KeptErrors:
    """The ``RecentErrors`` of a worker."""

    def __init__(self, clock: WallClock, max_games: int = MAX_GAMES) -> None:
        self._clock = clock
        self._games: OrderedDict[str, deque[RecentError]] = OrderedDict()
        self._max_games = max_games

    def note_call(self, call: Call, outcome: Outcome) -> None:
        """Keep how a call failed, if it names a game."""
        game_id = str(getattr(call.request, "game_id", ""))
        if _GAME_ID.fullmatch(game_id):
            failed = RecentError(self._clock.now_ms(), call.method, outcome.reason, call.id)
            self.note(game_id, failed)

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
