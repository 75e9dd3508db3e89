"""Whether a state is sound: one flag for each invariant that it breaks.

Meant for tests, for stored games that are read back, and for those who build states by hand.
"""

from __future__ import annotations

from enum import IntFlag, auto
from itertools import pairwise

from mextrain_engine.moves import MEXICAN
from mextrain_engine.state import Phase, Round, State, hub_tile
from mextrain_engine.tiles import full_set, mask_of, tile


class Integrity(IntFlag):
    """Invariants of a state; a flag is set for each one that is broken."""

    SOUND = 0
    TILE_LOST = auto()
    TILE_TWICE = auto()
    TRAIN_BROKEN = auto()
    SEEN_WRONG = auto()
    SEAT_COUNT = auto()
    TURN_OUT_OF_RANGE = auto()
    OPEN_DOUBLE_WRONG = auto()
    OUT_WRONG = auto()
    PHASE_WRONG = auto()


def integrity(state: State) -> Integrity:
    """Return every invariant that a state breaks; 0 when it is sound.

    >>> from mextrain_engine import RuleSet, deal, new_game
    >>> integrity(deal(new_game(RuleSet(), seats=2), range(91)).state)
    <Integrity.SOUND: 0>
    """
    flags = _check_phase(state)
    round_ = state.round
    if round_ is None:
        return flags
    if len(round_.hands) != state.seats or len(round_.trains) != state.seats + 1:
        return flags | Integrity.SEAT_COUNT
    flags |= _check_tiles(state, round_) | _check_doubles(round_)
    if not 0 <= round_.turn < state.seats:
        flags |= Integrity.TURN_OUT_OF_RANGE
    empty = sum(1 << seat for seat, hand in enumerate(round_.hands) if not hand)
    if empty != round_.out:
        flags |= Integrity.OUT_WRONG
    return flags


def _check_phase(state: State) -> Integrity:
    over = len(state.results) == state.rules.total_rounds(state.seats)
    expected = (Phase.FINISHED,) if over else (Phase.AWAITING_DEAL, Phase.PLAYING)
    live_without_round = state.phase is Phase.PLAYING and state.round is None
    if state.phase not in expected or live_without_round:
        return Integrity.PHASE_WRONG
    return Integrity.SOUND


def _check_tiles(state: State, round_: Round) -> Integrity:
    """Check that hands, boneyard, trains and hub are disjoint and are together the set."""
    flags = Integrity.SOUND
    laid = [hub_tile(round_)]
    for chain in round_.trains:
        if chain[0] != round_.hub:
            flags |= Integrity.TRAIN_BROKEN
        laid += [tile(a, b) for a, b in pairwise(chain)]
    parts = [*round_.hands, mask_of(round_.boneyard), mask_of(laid)]
    union, count = 0, len(round_.boneyard) + len(laid)
    for part in parts:
        union |= part
    count += sum(hand.bit_count() for hand in round_.hands)
    if union != full_set(state.rules.max_pip(state.seats)):
        flags |= Integrity.TILE_LOST
    if count != union.bit_count():
        flags |= Integrity.TILE_TWICE
    if round_.seen != mask_of(laid):
        flags |= Integrity.SEEN_WRONG
    return flags


def _check_doubles(round_: Round) -> Integrity:
    """Check that what is called an open double is one, and is there once."""
    waiting = [*round_.open_doubles, *round_.deferred]
    sound = len(set(waiting)) == len(waiting) and all(
        MEXICAN <= train < len(round_.hands)
        and len(round_.trains[train]) > 1
        and round_.trains[train][-1] == round_.trains[train][-2]
        for train in waiting
    )
    return Integrity.SOUND if sound else Integrity.OPEN_DOUBLE_WRONG
