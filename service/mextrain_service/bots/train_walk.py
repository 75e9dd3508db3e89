"""A long train of a hand, found by one walk instead of by a search.

The walk always steps to the value with the most tiles left: a tile short of the longest train now
and then, but a hundred times quicker to find.
"""

from __future__ import annotations

from functools import lru_cache

from mextrain_engine.tiles import DOUBLES, HIGH, LOW, TILES_WITH


def work_of_walk(hand: int) -> int:
    """Return what a walk takes at most, in units of about a microsecond."""
    return 2 * hand.bit_count()


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
