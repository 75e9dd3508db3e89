"""What a bot is to the application: something that chooses a move from a view.

A bot gets what a person on its seat would be shown and nothing else, so it cannot cheat.
"""

from __future__ import annotations

import hmac
from collections.abc import Generator, Sequence
from typing import Protocol, TypeAlias

from mextrain_engine import Move, RuleSet, State, View, legal_moves, observe
from mextrain_service.application.model import BotLevel

Thinking: TypeAlias = Generator[int, None, Move]
"""A choice in the making. It yields again and again, each time the work since it last did, in units
of about a microsecond on the machine that they were measured on; in the end it returns the move."""


class BotPlayer(Protocol):
    """Chooses moves; holds no state between two choices."""

    def think(
        self, view: View, legal: Sequence[Move], level: BotLevel, seed: int, rules: RuleSet
    ) -> Thinking:
        """Begin to choose one of the legal moves.

        Args:
            view: what the bot's seat may know.
            legal: its legal moves, sorted, at least one.
            level: how well to play.
            seed: 64 bits for whatever is left to chance; the same input gives the same choice.
            rules: the rules of the table, which everyone knows.
        """
        ...


def bot_thinking(
    bots: BotPlayer, state: State, seat: int, level: BotLevel, secret: bytes, version: int
) -> Thinking:
    """Return a bot's choice for its seat, in the making.

    Args:
        bots: who chooses.
        state: the game; only the seat's view of it is handed on.
        seat: the bot's seat, which has a legal move.
        level: how well it plays.
        secret: the game's secret, from which the choice's seed follows one-way.
        version: the game's version; it makes the seed of each choice another.
    """
    seed = _choice_seed(secret, seat, version)
    return bots.think(observe(state, seat), legal_moves(state, seat), level, seed, state.rules)


def concluded(thinking: Thinking) -> Move:
    """Return what a choice comes to, however long it takes."""
    while True:
        try:
            next(thinking)
        except StopIteration as end:
            move: Move = end.value
            return move


def _choice_seed(secret: bytes, seat: int, version: int) -> int:
    label = b"mextrain bot %d %d" % (seat, version)
    return int.from_bytes(hmac.digest(secret, label, "sha256")[:8], "big")
