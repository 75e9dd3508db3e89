"""A round played on from an imagined state, quickly: what the planner weighs its moves by.

Knows states, but only those that ``imagination`` made; no view and no level of play.

Everyone plays alike, much as ``greedy`` does: sheds pips, and keeps a long train to lay at home.
Trains are walks that always step to the value with the most tiles left: a tile short of the best
train now and then, but a hundred times quicker to find.
"""

from __future__ import annotations

from functools import lru_cache

from mextrain_engine import Move, MoveKind, Phase, State, apply, legal_moves
from mextrain_engine.state import Round
from mextrain_engine.tiles import DOUBLES, HIGH, LOW, PIPS, TILES_WITH

_TRAIN_TILE = 6
"""What a tile is worth that the seat can lay at home later, in pips."""

_MARKER_OFF = 9
"""What it is worth to close one's own train again, in pips."""

_BARE_DOUBLE = 3
"""What laying a double costs that nothing in the hand covers, in pips."""

_RUSH_AT = 3
"""With so few tiles in some hand the round may be over soon: pips then count twice."""


def play_out(state: State, most_moves: int) -> tuple[State, int]:
    """Return the state in which the round is over, or that many moves on; and the moves made."""
    rounds = len(state.results)
    for made in range(most_moves):
        round_ = state.round
        if state.phase is not Phase.PLAYING or round_ is None or len(state.results) > rounds:
            return state, made
        legal = legal_moves(state)
        move = legal[0] if len(legal) == 1 else _choice(round_, legal)
        state = apply(state, move).state
    return state, most_moves


@lru_cache(maxsize=1 << 15)
def walk(hand: int, end: int) -> int:
    """Return how many tiles of the hand make up a long train from this end."""
    count = 0
    while fits := hand & TILES_WITH[end]:
        count += 1
        double = fits & DOUBLES
        if double:
            hand ^= double
        else:
            best = _roomiest(hand, fits, end)
            hand ^= 1 << best
            end = HIGH[best] + LOW[best] - end
    return count


def _roomiest(hand: int, fits: int, end: int) -> int:
    """Return the tile whose far end the most other tiles of the hand fit; of equals the highest."""
    best, most = -1, -1
    while fits:
        bit = fits & -fits
        fits ^= bit
        tile_id = bit.bit_length() - 1
        room = (hand & TILES_WITH[HIGH[tile_id] + LOW[tile_id] - end]).bit_count()
        if room >= most:
            best, most = tile_id, room
    return best


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
