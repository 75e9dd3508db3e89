"""Use case: suggest a move to a seat, the one that a bot would make on it."""

from __future__ import annotations

import hashlib

from mextrain_engine import PASS, View, explain, legal_moves, observe
from mextrain_service.application.access import Action, require_allowed
from mextrain_service.application.answers import SuggestionAnswer
from mextrain_service.application.bots import BotPlayer
from mextrain_service.application.callers import Caller, viewer_seat
from mextrain_service.application.model import BotLevel, GameId
from mextrain_service.application.ports import GameStore
from mextrain_service.application.reading import read_game
from mextrain_service.application.refused import UNAUTHENTICATED, Refused
from mextrain_service.application.thinking import Slices


class SuggestMove:
    """Suggests moves to the caller's own seat, from what that seat may see."""

    def __init__(self, store: GameStore, bots: BotPlayer, slices: Slices) -> None:
        self._store = store
        self._bots = bots
        self._slices = slices

    async def __call__(self, caller: Caller, game_id: GameId, level: BotLevel) -> SuggestionAnswer:
        """Return the choice of a bot of this level, none when the seat may do nothing.

        Raises as ``read_game``.
        """
        require_allowed(caller, Action.SUGGEST_MOVE)
        seat = viewer_seat(caller)
        if seat is None:
            raise Refused(UNAUTHENTICATED)
        game = await read_game(self._store, caller, Action.SUGGEST_MOVE, game_id)
        legal = legal_moves(game.state, seat)
        if not legal:
            return SuggestionAnswer(game.version, None, explain(game.state, PASS, seat))
        view, rules = observe(game.state, seat), game.state.rules
        seed = public_seed(game_id, game.version, view)
        thinking = self._bots.think(view, legal, level, seed, rules)
        move = await self._slices.concluded(thinking)
        return SuggestionAnswer(game.version, move, None)


def public_seed(game_id: GameId, version: int, view: View) -> int:
    """Return the seed of a suggestion: 64 bits of facts that the seat knows, and no secret.

    Args:
        game_id: the game.
        version: its version.
        view: what the seat sees.
    """
    label = f"mextrain suggestion {game_id} {version} {view.seat}"
    return int.from_bytes(hashlib.sha256(label.encode()).digest()[:8], "big")
