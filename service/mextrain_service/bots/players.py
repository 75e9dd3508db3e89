"""The levels of play under one roof: picks the function that plays at a level.

Implements the application's ``BotPlayer``; knows nothing of games, seats or stores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from mextrain_engine import Move, RuleSet, View
from mextrain_service.application.model import BotLevel
from mextrain_service.bots import at_random, greedy, lazy, planner


class SeatBots:
    """Plays for any seat at any level. Holds no state, so one serves all games."""

    def choose(
        self, view: View, legal: Sequence[Move], level: BotLevel, seed: int, rules: RuleSet
    ) -> Move:
        """Return one of the legal moves.

        Args:
            view: what the bot's seat may know.
            legal: its legal moves, sorted, at least one.
            level: how well to play.
            seed: what is left to chance follows from it; the same input gives the same choice.
            rules: the rules of the table, which everyone knows.
        """
        match level:
            case BotLevel.PASS:
                return lazy.choose(view, legal, seed)
            case BotLevel.RANDOM:
                return at_random.choose(view, legal, seed)
            case BotLevel.GREEDY:
                return greedy.choose(view, legal, seed)
            case BotLevel.PLANNER:
                return planner.choose(view, legal, seed, rules)
            case _:
                assert_never(level)
