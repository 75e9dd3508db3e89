"""The levels of play under one roof: picks the function that plays at a level.

Implements the application's ``BotPlayer``; knows nothing of games, seats or stores.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from mextrain_engine import Move, View
from mextrain_service.application.model import BotLevel
from mextrain_service.bots import at_random, greedy, lazy

Choice = Callable[[View, Sequence[Move], int], Move]
"""What every level is: ``(view, legal, seed) -> move``, without state and without side effects."""

LEVELS: Final[Mapping[BotLevel, Choice]] = {
    BotLevel.PASS: lazy.choose,
    BotLevel.RANDOM: at_random.choose,
    BotLevel.GREEDY: greedy.choose,
}
"""The function that plays at each level."""


class SeatBots:
    """Plays for any seat at any level. Holds no state, so one serves all games."""

    def choose(self, view: View, legal: Sequence[Move], level: BotLevel, seed: int) -> Move:
        """Return one of the legal moves.

        Args:
            view: what the bot's seat may know.
            legal: its legal moves, sorted, at least one.
            level: how well to play.
            seed: what is left to chance follows from it; the same input gives the same choice.
        """
        return LEVELS[level](view, legal, seed)
