"""Matches between bots on the bare engine: the quickest table there is.

Hands every bot the view of its own seat and its legal moves, and nothing else.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from mextrain_engine import (
    Phase,
    RuleSet,
    State,
    apply,
    deal,
    legal_moves,
    new_game,
    observe,
    score,
    set_size,
)
from mextrain_service.application.model import BotLevel
from mextrain_service.bots import SeatBots


def play_match(rules: RuleSet, levels: Sequence[BotLevel], seed: int) -> tuple[int, ...]:
    """Return the totals by seat of a match that follows from the seed."""
    chance = random.Random(seed)
    state = new_game(rules, len(levels))
    while state.phase is not Phase.FINISHED:
        tiles = list(range(set_size(rules.max_pip(len(levels)))))
        chance.shuffle(tiles)
        state = play_round(deal(state, tiles).state, levels, chance)
    return score(state).totals


def play_round(state: State, levels: Sequence[BotLevel], chance: random.Random) -> State:
    """Return the state in which the live round is over."""
    bots = SeatBots()
    while state.phase is Phase.PLAYING:
        assert state.round is not None
        seat = state.round.turn
        view = observe(state, seat)
        legal = legal_moves(state)
        move = bots.choose(view, legal, levels[seat], chance.getrandbits(64), state.rules)
        state = apply(state, move).state
    return state
