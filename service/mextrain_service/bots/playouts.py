"""A round played on from an imagined state, quickly: what the planner weighs its moves by.

Everyone plays alike, much as ``greedy`` does: sheds pips, and keeps a long train to lay at home.
"""

from __future__ import annotations

from collections.abc import Iterator

from mextrain_engine import Move, MoveKind, Phase, State, apply, legal_moves
from mextrain_engine.state import Round
from mextrain_engine.tiles import DOUBLES, HIGH, LOW, PIPS, TILES_WITH
from mextrain_service.bots.train_walk import walk

_TRAIN_TILE = 6
"""What a tile is worth that the seat can lay at home later, in pips."""

_MARKER_OFF = 9
"""What it is worth to close one's own train again, in pips."""

_BARE_DOUBLE = 3
"""What laying a double costs that nothing in the hand covers, in pips."""

_RUSH_AT = 3
"""With so few tiles in some hand the round may be over soon: pips then count twice."""

_WORK_PER_MOVE = 10
_WORK_PER_CHOICE = 1
_WORK_AT_A_TIME = 500
"""Work is counted in units of about a microsecond, and told of some at a time."""


class Playout:
    """A round that is played on.

    Attributes:
        state: how far it has come.
        made: the moves made.
    """

    def __init__(self, state: State, most_moves: int) -> None:
        """Play on from a state, until the round is over or so many moves are made."""
        self.state = state
        self.made = 0
        self._most_moves = most_moves

    def played(self) -> Iterator[int]:
        """Play, and yield the work now and then, in units of about a microsecond."""
        state, rounds, work = self.state, len(self.state.results), 0
        for _ in range(self._most_moves):
            round_ = state.round
            if state.phase is not Phase.PLAYING or round_ is None or len(state.results) > rounds:
                break
            legal = legal_moves(state)
            work += _WORK_PER_MOVE
            if len(legal) == 1:
                move = legal[0]
            else:
                move = _choice(round_, legal)
                work += len(legal) * (_WORK_PER_CHOICE + round_.hands[round_.turn].bit_count())
            state = apply(state, move).state
            self.made += 1
            if work > _WORK_AT_A_TIME:
                yield work
                work = 0
        self.state = state
        yield work


def _choice(round_: Round, legal: list[Move]) -> Move:
    """Return the play that leaves the seat to move best placed."""
    seat = round_.turn
    hand, home = round_.hands[seat], round_.trains[seat][-1]
    pip_worth = 2 if min(held.bit_count() for held in round_.hands) <= _RUSH_AT else 1
    marker_off = _MARKER_OFF if round_.markers >> seat & 1 else 0
    best, most = legal[0], -1
    for move in legal:
        if move.kind is not MoveKind.PLAY:
            continue
        tile_id = move.tile
        rest = hand ^ 1 << tile_id
        if not rest:
            return move
        at_home = move.train == seat
        end = HIGH[tile_id] + LOW[tile_id] - home if at_home else home
        worth = pip_worth * PIPS[tile_id] + _TRAIN_TILE * walk(rest, end)
        if at_home:
            worth += marker_off
        if DOUBLES >> tile_id & 1 and not rest & TILES_WITH[HIGH[tile_id]]:
            worth -= _BARE_DOUBLE
        if worth > most:
            best, most = move, worth
    return best
