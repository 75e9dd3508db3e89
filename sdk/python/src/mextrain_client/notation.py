"""Tiles, trains and moves of the contract as text, the moves as ``Move.notation`` takes them."""

from __future__ import annotations

from mextrain.v1.move_pb2 import Move
from mextrain.v1.tile_pb2 import Tile
from mextrain.v1.train_pb2 import TrainReference

_WORDS = {"draw_tile": "draw", "pass_turn": "pass", "call_last_tile": "call"}


def format_move(move: Move) -> str:
    """Return a move as one word; empty for one that this version does not know.

    >>> from mextrain.v1.move_pb2 import DrawTile, PlayTile
    >>> laid = PlayTile(tile=Tile(high=12, low=5), train=TrainReference(mexican=True))
    >>> format_move(Move(play_tile=laid)), format_move(Move(draw_tile=DrawTile()))
    ('12-5@M', 'draw')
    """
    action = move.WhichOneof("action")
    match action:
        case "play_tile":
            laid = move.play_tile
            return f"{format_tile(laid.tile)}@{format_train(laid.train)}"
        case "notation":
            return move.notation
        case _:
            return _WORDS.get(action or "", "")


def format_tile(tile: Tile) -> str:
    """Return a tile, its higher number first.

    >>> format_tile(Tile(high=12, low=5))
    '12-5'
    """
    return f"{tile.high}-{tile.low}"


def format_train(train: TrainReference) -> str:
    """Return a train: the seat of its owner, or M for the Mexican Train."""
    return "M" if train.WhichOneof("train") == "mexican" else str(train.seat)
