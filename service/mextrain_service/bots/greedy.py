"""The level ``greedy``: sheds the most pips it can without breaking the train it has planned.

Every play is weighed by what it leaves: the tiles laid now, and the longest train that the rest of
the hand could still lay at home. So a tile that the plan has no use for goes to the Mexican Train
or to a marked train, and the plan stays whole for turns in which nothing else is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mextrain_engine import Move, MoveKind, Owed, View, is_double, mask_of
from mextrain_engine.tiles import PIPS, TILES_WITH, other_end, tiles_in
from mextrain_engine.views import RoundView
from mextrain_service.application.bots import Thinking, concluded
from mextrain_service.bots.train_search import EXACT_HAND_LIMIT, longest_train
from mextrain_service.bots.train_walk import walk, work_of_walk

_POSITIONS = 200
"""Positions that the plans of one choice may look at together."""

_POSITIONS_OF_A_PLAN = 50
"""Positions that one plan may look at: some 4 ms at most, between two yields of ``think``."""

_WORK_PER_CHOICE = 20

_GOING_OUT = 10_000
_PLANNED_TILE = 6
"""What a tile of the plan is worth that the seat can lay later, in pips."""

_OPENING_TILE = 20
"""What one tile more in the opening train is worth, in pips."""

_MARKER_OFF = 9
"""What it is worth to close one's own train again, in pips."""

_DOUBLE_LEFT_OPEN = 3
"""What a double costs that nothing in the hand covers: the seat may have to draw for it."""

_RUSH_AT = 3
"""A rival with so few tiles may go out soon: pips in the hand then matter more than plans."""


def choose(view: View, legal: Sequence[Move], seed: int) -> Move:
    """Return the legal move that leaves the seat best placed; equals are told apart by the seed."""
    return concluded(think(view, legal, seed))


def think(view: View, legal: Sequence[Move], seed: int) -> Thinking:
    """Begin a choice as ``choose`` makes it; it yields after each play that it has weighed."""
    plays = [move for move in legal if move.kind is MoveKind.PLAY]
    if not plays or view.round is None or view.seat is None:
        return legal[0]
    if len(plays) == 1:
        return plays[0]
    table = _Table.of(view, view.round, view.seat, len(plays))
    weigh = table.opening_worth if is_opening(view.round, plays, view.seat) else table.worth
    yield _WORK_PER_CHOICE
    worth = []
    for move in plays:
        worth.append(weigh(move))
        yield table.plans.work_since()
    best = [move for move, points in zip(plays, worth, strict=True) if points == max(worth)]
    return best[seed % len(best)]


def is_opening(round_: RoundView, plays: Sequence[Move], seat: int) -> bool:
    """Tell whether the seat lays its opening train: a first turn, at home, with no duty."""
    return (
        round_.first_turn
        and round_.owed is Owed.NOTHING
        and (round_.laid > 0 or not round_.open_doubles)
        and all(move.train == seat for move in plays)
    )


@dataclass(frozen=True, slots=True)
class _Table:
    """What the choice needs of a view.

    Attributes:
        seat: the bot's own.
        hand: its tiles, as a mask.
        ends: the value that each train ends in, by seat, the Mexican Train last.
        marked: its own train carries a marker.
        rush: a rival is about to go out.
        plans: the trains that it could lay.
    """

    seat: int
    hand: int
    ends: tuple[int, ...]
    marked: bool
    rush: bool
    plans: _Plans

    @staticmethod
    def of(view: View, round_: RoundView, seat: int, plans: int) -> _Table:
        """Read it off a view, for a choice that takes so many plans."""
        rivals = [count for other, count in enumerate(round_.hand_counts) if other != seat]
        return _Table(
            seat=seat,
            hand=mask_of(view.hand),
            ends=tuple(train.pips[-1] for train in round_.trains),
            marked=round_.trains[seat].marked,
            rush=min(rivals) <= _RUSH_AT,
            plans=_Plans(min(_POSITIONS // plans, _POSITIONS_OF_A_PLAN)),
        )

    def opening_worth(self, move: Move) -> int:
        """Return how good it is to open, or go on, with this tile: the best train from there."""
        rest = self.hand & ~(1 << move.tile)
        tiles, points = self.plans.plan(rest, other_end(move.tile, self.ends[self.seat]))
        return _OPENING_TILE * tiles + points + PIPS[move.tile]

    def worth(self, move: Move) -> int:
        """Return how good it is to have made this play, in pips."""
        rest = self.hand & ~(1 << move.tile)
        if not rest:
            return _GOING_OUT
        end = other_end(move.tile, self.ends[move.train])
        at_home = move.train == self.seat
        tiles, _ = self.plans.plan(rest, end if at_home else self.ends[self.seat])
        worth = PIPS[move.tile] * (2 if self.rush else 1) + _PLANNED_TILE * tiles
        if at_home and self.marked:
            worth += _MARKER_OFF
        if is_double(move.tile) and not rest & TILES_WITH[end]:
            worth -= _DOUBLE_LEFT_OPEN
        return worth


class _Plans:
    """The trains of one choice, each planned once: several plays may leave the same hand."""

    def __init__(self, positions: int) -> None:
        """Let each plan look at so many positions."""
        self._positions = positions
        self._known: dict[tuple[int, int], tuple[int, int]] = {}
        self._work = 0

    def plan(self, hand: int, start: int) -> tuple[int, int]:
        """Return the tiles and the points of the longest train of a hand, or of one nearly so."""
        plan = self._known.get((hand, start))
        if plan is None:
            plan = self._known[hand, start] = self._planned(hand, start)
        return plan

    def work_since(self) -> int:
        """Return the work since this was last asked; at least 1."""
        work, self._work = 1 + self._work, 0
        return work

    def _planned(self, hand: int, start: int) -> tuple[int, int]:
        held = hand.bit_count()
        if held > EXACT_HAND_LIMIT:
            tiles = walk(hand, start)
            self._work += work_of_walk(hand)
            return tiles, tiles * sum(PIPS[tile] for tile in tiles_in(hand)) // held
        plan = longest_train(tiles_in(hand), start, max_positions=self._positions)
        self._work += plan.work
        return len(plan.tiles), plan.weight
