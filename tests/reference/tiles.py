"""Tiles as pairs of numbers, larger first."""

from __future__ import annotations

Tile = tuple[int, int]
"""A tile as (larger end, smaller end)."""


def all_tiles(max_pip: int) -> list[Tile]:
    """Return the double-n set in the order in which a permutation counts it: 0-0, 1-0, 1-1, 2-0."""
    return [(high, low) for high in range(max_pip + 1) for low in range(high + 1)]


def tile_text(tile: Tile) -> str:
    """Return the tile in notation, larger end first."""
    return f"{tile[0]}-{tile[1]}"


def tile_from_text(text: str) -> Tile:
    """Read a tile in notation."""
    one, other = (int(part) for part in text.split("-"))
    return (max(one, other), min(one, other))


def is_double(tile: Tile) -> bool:
    """Tell whether both ends are equal."""
    return tile[0] == tile[1]


def outer_end(tile: Tile, inner: int) -> int:
    """Return the end that stays free when the tile is joined by ``inner``."""
    return tile[1] if tile[0] == inner else tile[0]
