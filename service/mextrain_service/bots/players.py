"""The levels of play under one roof: picks the function that plays at a level.

Implements the application's ``BotPlayer``; knows nothing of games, seats or stores.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from mextrain_engine import Move, RuleSet, View
from mextrain_service.application.bots import Thinking, concluded
from mextrain_service.application.model import BotLevel
from mextrain_service.bots import at_random, greedy, lazy, planner


class SeatBots:
    """Plays for any seat at any level. Holds no state, so one serves all games."""

    def think(
        self, view: View, legal: Sequence[Move], level: BotLevel, seed: int, rules: RuleSet
    ) -> Thinking:
        """Begin to choose one of the legal moves; see ``BotPlayer``."""
        match level:
            case BotLevel.PASS:
                return lazy.choose(view, legal, seed)
            case BotLevel.RANDOM:
                return at_random.choose(view, legal, seed)
            case BotLevel.GREEDY:
                return (yield from greedy.think(view, legal, seed))
            case BotLevel.PLANNER:
                return (yield from planner.think(view, legal, seed, rules))
            case _:
                assert_never(level)

    def choose(
        self, view: View, legal: Sequence[Move], level: BotLevel, seed: int, rules: RuleSet
    ) -> Move:
        """Return one of the legal moves, when it is found; takes what ``think`` does."""
        return concluded(self.think(view, legal, level, seed, rules))
