"""The level ``planner``: plans its longest train, then tries its best moves on imagined tables.

Moves are weighed twice. First by the plan: the pips that are laid now, those of the train that the
hand can still lay at home (the sooner the surer), and what rivals could do with an end that is left
to all. The few best are then played out on the same imagined tables, so that chance falls alike on
all of them; half of them are dropped on the way, and the work goes to those that are left. The work
is counted in moves, not in time: the same input gives the same choice.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Sequence

from mextrain_engine import (
    Move,
    MoveKind,
    RuleSet,
    State,
    View,
    apply,
    hand_points,
    is_double,
    legal_moves,
    mask_of,
)
from mextrain_engine.options import Scoring
from mextrain_engine.tiles import PIPS, TILES_WITH, other_end, tiles_in
from mextrain_engine.views import RoundView
from mextrain_service.application.bots import Thinking, concluded
from mextrain_service.bots import greedy
from mextrain_service.bots.determinization import imagined, unseen
from mextrain_service.bots.playouts import Playout
from mextrain_service.bots.train_search import EXACT_HAND_LIMIT, TrainPlan, longest_train

MOST_MOVES = 3000
"""Engine moves that one choice may cost in all: some 40 ms on an idle core."""

MOST_WORK = 150_000
"""What the moves of one choice may take together where hands are huge, in units of about a
microsecond. Other choices come to less than that."""

_WORK_PER_TABLE = 150
"""What it takes to imagine a table, in the same units."""

_POSITIONS = 240
"""Positions that the plans of one choice may look at together."""

_POSITIONS_OF_A_PLAN = 50
"""Positions that one plan may look at: some 4 ms at most, between two yields of ``think``."""

_CANDIDATES = 4
"""Moves that are tried, the best of the plan first."""

_HOPELESS = 14
"""A move that is worth so many pips less than the best one, by the plan, is not tried."""

_FIRST_TABLES = 5
"""Tables on which all candidates are tried, before the worse half is dropped."""

_MOVES_A_SEAT = 30
"""How far a playout goes, in moves for each seat: nearly always to the end of the round."""

_PLAN_SHARE = 0.5
"""What a pip of the plan's worth counts beside a point of the playouts."""

_RIVALS_SHARE = 0.7
"""What a point more for rivals, on average, counts beside a point less for the seat."""

_LATER = 0.9
"""What a pip of the planned train counts, for each turn that it has to wait."""

_TRAIN_TILE = 6
"""What a tile of the planned train is worth beside its pips: a turn with something to lay."""

_WHOLE_HAND = 15
"""What it is worth when the planned train takes the whole hand, in pips."""

_AWAY = 5
"""What it is worth to lay a tile elsewhere than at home, where only the seat itself can wait."""

_MARKER_OFF = 15
"""What it is worth to close one's own train again, in pips."""

_BARE_DOUBLE = 3
"""What a double costs that nothing in the hand covers, in pips."""

_OPENED_TO_RIVALS = 0.4
"""What each unseen tile costs that fits the end which a play leaves open to all, in pips."""


def choose(view: View, legal: Sequence[Move], seed: int, rules: RuleSet) -> Move:
    """Return the legal move that comes out best; equals are told apart by the seed."""
    return concluded(think(view, legal, seed, rules))


def think(view: View, legal: Sequence[Move], seed: int, rules: RuleSet) -> Thinking:
    """Begin a choice as ``choose`` makes it; it yields after each plan and each move tried out."""
    plays = [move for move in legal if move.kind is MoveKind.PLAY]
    round_, seat = view.round, view.seat
    if len(plays) <= 1 or round_ is None or seat is None or round_.turn != seat:
        return (yield from greedy.think(view, legal, seed))
    if len(view.hand) > EXACT_HAND_LIMIT or greedy.is_opening(round_, plays, seat):
        return (yield from greedy.think(view, legal, seed))
    chance = random.Random(seed)  # noqa: S311 - a bot's guesses are no secret
    planned = yield from _planned(view, round_, seat, plays, rules)
    ranked = sorted(planned, key=lambda each: (-each[1], chance.random()))
    best = ranked[0][1]
    tried = [each for each in ranked[:_CANDIDATES] if each[1] > best - _HOPELESS]
    if len(tried) == 1:
        return tried[0][0]
    return (yield from _tried_out(view, seat, tried, rules, chance))


def _planned(
    view: View, round_: RoundView, seat: int, plays: Sequence[Move], rules: RuleSet
) -> Generator[int, None, list[tuple[Move, float]]]:
    """Yield the work, and return each play with what it is worth by the plan, in pips."""
    hand, hidden = mask_of(view.hand), unseen(view, rules)
    home = round_.trains[seat].pips[-1]
    turns = max(1, min(count for other, count in enumerate(round_.hand_counts) if other != seat))
    planned = []
    for move in plays:
        rest = hand & ~(1 << move.tile)
        end = other_end(move.tile, round_.trains[move.train].pips[-1])
        plan = longest_train(
            tiles_in(rest),
            end if move.train == seat else home,
            max_positions=min(_POSITIONS // len(plays), _POSITIONS_OF_A_PLAN),
        )
        worth = PIPS[move.tile] + _train_worth(rest, plan, turns)
        if move.train != seat:
            worth += _AWAY - _OPENED_TO_RIVALS * (hidden & TILES_WITH[end]).bit_count()
        elif round_.trains[seat].marked:
            worth += _MARKER_OFF
        if is_double(move.tile) and not rest & TILES_WITH[end]:
            worth -= _BARE_DOUBLE
        planned.append((move, worth))
        yield plan.work
    return planned


def _train_worth(hand: int, plan: TrainPlan, turns: int) -> float:
    """Return what the longest train of a hand is worth when about so many turns are left."""
    soon = sum(PIPS[tile] * _LATER**wait for wait, tile in enumerate(plan.tiles[:turns]))
    whole = len(plan.tiles) == hand.bit_count()
    return soon + _TRAIN_TILE * len(plan.tiles) + _WHOLE_HAND * whole


def _tried_out(
    view: View,
    seat: int,
    tried: Sequence[tuple[Move, float]],
    rules: RuleSet,
    chance: random.Random,
) -> Thinking:
    """Yield the work, and return the best move on imagined tables, its plan's worth counted in."""
    gains = {move: 0.0 for move, _ in tried}
    plan = dict(tried)
    tables, left, work_left = 0, MOST_MOVES, MOST_WORK
    horizon = _MOVES_A_SEAT * view.seats

    def worth(move: Move) -> float:
        return gains[move] / max(1, tables) + _PLAN_SHARE * plan[move]

    while left > 0 and work_left > 0:
        table = imagined(view, rules, chance)
        yield _WORK_PER_TABLE
        if not gains.keys() <= set(legal_moves(table)):
            break  # The view leaves something open that the imagination filled in otherwise.
        for move in gains:
            playout = Playout(apply(table, move).state, horizon)
            for work in playout.played():
                work_left -= work
                yield work
            gains[move] += _standing(playout.state, seat, len(view.results))
            left -= playout.made + 1
        tables += 1
        if tables == _FIRST_TABLES and len(gains) > 2:
            for move in sorted(gains, key=worth)[: len(gains) // 2]:
                del gains[move]
    return max(gains, key=worth)


def _standing(end: State, seat: int, rounds_before: int) -> float:
    """Return how well the seat stands at the end of a playout, in points: the more the better."""
    higher_is_better = False
    if len(end.results) > rounds_before:
        points: Sequence[int] = end.results[-1].points
        higher_is_better = end.rules.scoring is Scoring.WINNER_TAKES_SUM
    else:
        assert end.round is not None
        points = [hand_points(end.rules, hand) for hand in end.round.hands]
    own = points[seat]
    standing = _RIVALS_SHARE * (sum(points) - own) / (len(points) - 1) - own
    return -standing if higher_is_better else standing
