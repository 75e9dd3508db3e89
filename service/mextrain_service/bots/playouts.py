"""A round played on from an imagined state, quickly: what the planner weighs its moves by.

Knows states, but only those that ``imagination`` made; no view and no level of play.

Everyone plays alike: lays the train that it has planned for itself, and what that has no use for
wherever else it goes, the heaviest first. Plans are walks that always step to the value with the
most tiles left: far from the best train now and then, but a hundred times quicker to find.
"""

from __future__ import annotations

from mextrain_engine import Move, MoveKind, Phase, State, apply, legal_moves
from mextrain_engine.state import Round
from mextrain_engine.tiles import DOUBLES, HIGH, LOW, PIPS, TILES_WITH, other_end, tiles_in

_SPARE_TILE = 30
"""What laying a tile that the plan does not need is preferred by, in pips."""

_BROKEN_PLAN = 30
"""What taking a tile out of the plan costs, in pips."""

_BARE_DOUBLE = 12
"""What laying a double costs that nothing in the hand covers, in pips."""

_RUSH_AT = 2
"""With so few tiles in some rival's hand, pips are all that counts."""


def play_out(state: State, most_moves: int) -> tuple[State, int]:
    """Return the state in which the round is over, or that many moves on; and the moves made."""
    rounds = len(state.results)
    plans: list[tuple[int, int]] = [(-1, 0)] * state.seats
    for made in range(most_moves):
        round_ = state.round
        if state.phase is not Phase.PLAYING or round_ is None or len(state.results) > rounds:
            return state, made
        state = apply(state, _choice(state, round_, plans)).state
    return state, most_moves


def walk(hand: int, end: int) -> int:
    """Return the tiles of a long train that the hand can lay from this end, as a mask."""
    left, taken = hand, 0
    while fits := left & TILES_WITH[end]:
        doubles = fits & DOUBLES
        best = doubles.bit_length() - 1 if doubles else _roomiest(fits, left, end)
        taken |= 1 << best
        left ^= 1 << best
        end = HIGH[best] + LOW[best] - end
    return taken


def _roomiest(fits: int, left: int, end: int) -> int:
    best, most = -1, -1
    while fits:
        bit = fits & -fits
        fits ^= bit
        tile_id = bit.bit_length() - 1
        room = (left & TILES_WITH[HIGH[tile_id] + LOW[tile_id] - end]).bit_count()
        if room >= most:
            best, most = tile_id, room
    return best


def _choice(state: State, round_: Round, plans: list[tuple[int, int]]) -> Move:
    legal = legal_moves(state)
    if len(legal) == 1:
        return legal[0]
    seat = round_.turn
    hand, end = round_.hands[seat], round_.trains[seat][-1]
    known_end, plan = plans[seat]
    if known_end != end:
        plan = walk(hand, end)
        plans[seat] = end, plan
    rush = min(held.bit_count() for held in round_.hands) <= _RUSH_AT
    best, most = legal[0], -1000
    for move in legal:
        if move.kind is MoveKind.PLAY:
            worth = _worth(move, seat, hand, plan, end) if not rush else PIPS[move.tile]
            if worth > most:
                best, most = move, worth
    return best


def _worth(move: Move, seat: int, hand: int, plan: int, end: int) -> int:
    tile_id = move.tile
    bit = 1 << tile_id
    worth = PIPS[tile_id]
    if not plan & bit:
        worth += _SPARE_TILE
    elif move.train != seat:
        worth -= _BROKEN_PLAN
    else:
        worth += (hand & TILES_WITH[other_end(tile_id, end)]).bit_count()
    if DOUBLES & bit and not (hand ^ bit) & TILES_WITH[HIGH[tile_id]]:
        worth -= _BARE_DOUBLE
    return worth


def hand_weight(hand: int) -> int:
    """Return the pips of a hand."""
    return sum(PIPS[tile_id] for tile_id in tiles_in(hand))
