"""Tiles and trains as messages, made once: a view is put together from them."""

from __future__ import annotations

from collections.abc import Iterable

from mextrain.v1.tile_pb2 import Tile
from mextrain.v1.train_pb2 import TrainReference

from mextrain_engine import MAX_SEATS, MEXICAN
from mextrain_engine.tiles import HIGH, LOW

_TILES = tuple(Tile(high=high, low=low) for high, low in zip(HIGH, LOW, strict=True))
_TRAINS = {
    MEXICAN: TrainReference(mexican=True),
    **{seat: TrainReference(seat=seat) for seat in range(MAX_SEATS)},
}


def tile_message(tile_id: int) -> Tile:
    """Return a tile as a message; shared, so put it into others and change nothing in it."""
    return _TILES[tile_id]


def tile_messages(tiles: Iterable[int]) -> list[Tile]:
    """Return tiles as messages, in the order given."""
    return [_TILES[tile_id] for tile_id in tiles]


def train_message(train: int) -> TrainReference:
    """Return the name of a train as a message; shared like a tile."""
    return _TRAINS[train]
