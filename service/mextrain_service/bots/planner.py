"""The level ``planner``: plans its longest train, then tries its best moves on imagined tables.

Knows what its seat may see and the public rules; what is hidden it deals anew, many times over.

Moves are weighed twice. First by the plan, as ``greedy`` does but with a deeper search: the train
that the hand can still lay at home, the pips that are laid now, and what rivals can do with the
end that is left. The few best are then played out on the same imagined tables, so that chance
falls alike on all. The work is counted in moves, not in time: the same input, the same choice.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from mextrain_engine import Move, MoveKind, Phase, RuleSet, State, View, apply, legal_moves
from mextrain_engine.options import Scoring
from mextrain_engine.tiles import PIPS, tiles_in
from mextrain_engine.views import RoundView
from mextrain_service.bots import greedy
from mextrain_service.bots.imagination import imagined
from mextrain_service.bots.playouts import hand_weight, play_out

MOST_MOVES = 1500
"""Engine moves that one choice may cost in all; some 15 µs each."""

_CANDIDATES = 4
"""Moves that are tried, the best of the plan first."""

_MOVES_A_SEAT = 9
"""How far a playout goes, in moves for each seat."""

_PLAN_SHARE = 0.5
"""What a pip of the plan's worth counts beside a point of the playouts."""


def choose(view: View, legal: Sequence[Move], seed: int, rules: RuleSet) -> Move:
    """Return the legal move that comes out best; equals are told apart by the seed."""
    plays = [move for move in legal if move.kind is MoveKind.PLAY]
    if len(plays) < 2 or view.round is None or view.seat is None:
        return greedy.choose(view, legal, seed, rules)
    ranked = greedy.ranked(view, view.round, view.seat, plays)
    if greedy.is_opening(view.round, plays, view.seat):
        return ranked[0][1]
    candidates = ranked[:_CANDIDATES]
    gains = _gains(view, view.seat, [move for _, move in candidates], seed, rules)
    if gains is None:
        return ranked[0][1]
    worth = [gain + _PLAN_SHARE * plan for gain, (plan, _) in zip(gains, candidates, strict=True)]
    return candidates[worth.index(max(worth))][1]
