"""Tiles as small integers and sets of tiles as bit masks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NewType

from mextrain_engine.errors import NotationError

TileId = NewType("TileId", int)
"""A tile: ``high * (high + 1) // 2 + low``, 0 to 189. The number is the same in every set."""

TileMask = int
"""A set of tiles: bit ``t`` stands for tile ``t``. Never leaves the engine."""

MAX_PIP = 18
"""The highest pip value of the largest set that exists (double-eighteen)."""

SET_SIZES: dict[int, int] = {n: (n + 1) * (n + 2) // 2 for n in (6, 9, 12, 15, 18)}
"""Tiles in a double-n set, for the sets that are made: 28, 55, 91, 136, 190."""

_TILE_TEXT = re.compile(r"(\d{1,2})-(\d{1,2})", re.ASCII)

HIGH: tuple[int, ...] = tuple(h for h in range(MAX_PIP + 1) for _ in range(h + 1))
"""``HIGH[tile]`` is the larger pip value of the tile."""

LOW: tuple[int, ...] = tuple(low for h in range(MAX_PIP + 1) for low in range(h + 1))
"""``LOW[tile]`` is the smaller pip value of the tile."""

PIPS: tuple[int, ...] = tuple(h + low for h, low in zip(HIGH, LOW, strict=True))
"""``PIPS[tile]`` is the sum of both ends; the double-blank has 0 whatever the rules say of it."""


def tile(high: int, low: int) -> TileId:
    """Return the tile with these two ends, in either order.

    >>> tile(12, 5), tile(5, 12)
    (83, 83)

    Raises:
        NotationError: an end is not 0 to 18.
    """
    if high < low:
        high, low = low, high
    if low < 0 or high > MAX_PIP:
        raise NotationError(f"{high}-{low}", "a tile has two ends of 0 to 18 pips")
    return TileId(high * (high + 1) // 2 + low)


def double(pip: int) -> TileId:
    """Return the double of a pip value, 0 to 18.

    >>> format_tile(double(12))
    '12-12'
    """
    return tile(pip, pip)


def is_double(tile_id: int) -> bool:
    """Tell whether both ends of the tile are equal."""
    return HIGH[tile_id] == LOW[tile_id]


def other_end(tile_id: int, pip: int) -> int:
    """Return the end of the tile that is left when ``pip`` is joined; a double gives itself.

    >>> other_end(tile(12, 5), 5)
    12
    """
    return HIGH[tile_id] + LOW[tile_id] - pip


def mask_of(tiles: Iterable[int]) -> TileMask:
    """Return the mask that holds these tiles."""
    mask = 0
    for tile_id in tiles:
        mask |= 1 << tile_id
    return mask


def tiles_in(mask: TileMask) -> Iterator[TileId]:
    """Yield the tiles of a mask in ascending order; cost O(tiles in the mask).

    >>> [format_tile(t) for t in tiles_in(mask_of([tile(3, 1), tile(0, 0)]))]
    ['0-0', '3-1']
    """
    while mask:
        lowest = mask & -mask
        yield TileId(lowest.bit_length() - 1)
        mask ^= lowest


def set_size(max_pip: int) -> int:
    """Return how many tiles a double-n set has.

    >>> set_size(12)
    91
    """
    return (max_pip + 1) * (max_pip + 2) // 2


def full_set(max_pip: int) -> TileMask:
    """Return the mask of all tiles of a double-n set."""
    return (1 << set_size(max_pip)) - 1


def format_tile(tile_id: int) -> str:
    """Return the tile as text, larger end first: ``12-5``."""
    return f"{HIGH[tile_id]}-{LOW[tile_id]}"


def parse_tile(text: str) -> TileId:
    """Read a tile written as ``12-5`` or ``5-12``.

    >>> parse_tile("5-12") == tile(12, 5)
    True

    Raises:
        NotationError: the text is not two numbers of 0 to 18 with a hyphen between.
    """
    found = _TILE_TEXT.fullmatch(text)
    if found is None:
        raise NotationError(text, "a tile is written like 12-5")
    return tile(int(found[1]), int(found[2]))


TILES_WITH: tuple[TileMask, ...] = tuple(
    mask_of(t for t in range(len(HIGH)) if pip in (HIGH[t], LOW[t])) for pip in range(MAX_PIP + 1)
)
"""``TILES_WITH[pip]`` is every tile that shows this value, its double included, up to double-18."""

DOUBLES: TileMask = mask_of(t for t in range(len(HIGH)) if HIGH[t] == LOW[t])
"""Every double up to double-18."""
