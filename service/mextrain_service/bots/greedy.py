"""The level ``greedy``: sheds the most pips it can without breaking the train it has planned.

Knows what its seat may see and looks one turn ahead; it guesses nothing about other hands.

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
from mextrain_service.bots.train_search import TrainPlan, longest_train

_POSITIONS = 200
"""What the plans of one choice may cost together: some ten milliseconds. Most take far less."""

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
    plays = [move for move in legal if move.kind is MoveKind.PLAY]
    if not plays or view.round is None or view.seat is None:
        return legal[0]
    if len(plays) == 1:
        return plays[0]
    worth = worths(view, view.round, view.seat, plays)
    best = [move for move, points in zip(plays, worth, strict=True) if points == max(worth)]
    return best[seed % len(best)]


def worths(view: View, round_: RoundView, seat: int, plays: Sequence[Move]) -> list[int]:
    """Return how good it is to have made each of these plays, in pips.

    Args:
        view: what the seat sees.
        round_: the round of that view.
        seat: who plays.
        plays: tiles that it may lay, at least one.
    """
    table = _Table.of(view, round_, seat, len(plays))
    if is_opening(round_, plays, seat):
        return [table.opening_worth(move) for move in plays]
    return [table.worth(move) for move in plays]


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
        positions: what one plan may cost.
    """

    seat: int
    hand: int
    ends: tuple[int, ...]
    marked: bool
    rush: bool
    positions: int

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
            positions=_POSITIONS // plans,
        )

    def opening_worth(self, move: Move) -> int:
        """Return how good it is to open, or go on, with this tile: the best train from there."""
        rest = self.hand & ~(1 << move.tile)
        plan = self._plan(rest, other_end(move.tile, self.ends[self.seat]))
        return _OPENING_TILE * len(plan.tiles) + plan.weight + PIPS[move.tile]

    def worth(self, move: Move) -> int:
        """Return how good it is to have made this play, in pips."""
        rest = self.hand & ~(1 << move.tile)
        if not rest:
            return _GOING_OUT
        end = other_end(move.tile, self.ends[move.train])
        at_home = move.train == self.seat
        plan = self._plan(rest, end if at_home else self.ends[self.seat])
        worth = PIPS[move.tile] * (2 if self.rush else 1) + _PLANNED_TILE * len(plan.tiles)
        if at_home and self.marked:
            worth += _MARKER_OFF
        if is_double(move.tile) and not rest & TILES_WITH[end]:
            worth -= _DOUBLE_LEFT_OPEN
        return worth

    def _plan(self, hand: int, start: int) -> TrainPlan:
        return longest_train(tiles_in(hand), start, max_positions=self.positions)
