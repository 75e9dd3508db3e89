"""What a bot is to the application: something that chooses a move from a view.

A bot gets what a person on its seat would be shown and nothing else, so it cannot cheat. Knows no
bot; they live in ``mextrain_service.bots``.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from typing import Protocol

from mextrain_engine import Move, RuleSet, State, View, legal_moves, observe
from mextrain_service.application.model import BotLevel


class BotPlayer(Protocol):
    """Chooses moves; holds no state between two choices."""

    def choose(
        self, view: View, legal: Sequence[Move], level: BotLevel, seed: int, rules: RuleSet
    ) -> Move:
        """Return one of the legal moves.

        Args:
            view: what the bot's seat may know.
            legal: its legal moves, sorted, at least one.
            level: how well to play.
            seed: 64 bits for whatever is left to chance; the same input gives the same choice.
            rules: the rules of the table, which everyone knows.
        """
        ...


def bot_move(
    bots: BotPlayer, state: State, seat: int, level: BotLevel, secret: bytes, version: int
) -> Move:
    """Return a bot's choice for its seat.

    Args:
        bots: who chooses.
        state: the game; only the seat's view of it is handed on.
        seat: the bot's seat, which has a legal move.
        level: how well it plays.
        secret: the game's secret, from which the choice's seed follows one-way.
        version: the game's version; it makes the seed of each choice another.
    """
    legal = legal_moves(state, seat)
    if len(legal) == 1:
        return legal[0]
    seed = _choice_seed(secret, seat, version)
    return bots.choose(observe(state, seat), legal, level, seed, state.rules)


def _choice_seed(secret: bytes, seat: int, version: int) -> int:
    label = b"mextrain bot %d %d" % (seat, version)
    return int.from_bytes(hmac.digest(secret, label, "sha256")[:8], "big")
