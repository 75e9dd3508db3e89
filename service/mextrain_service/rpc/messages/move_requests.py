"""Moves as a request writes them: as messages or in notation."""

from __future__ import annotations

from collections.abc import Sequence

from mextrain.v1 import move_pb2, tile_pb2, train_pb2

from mextrain_engine import (
    CALL,
    DRAW,
    MAX_SEATS,
    MEXICAN,
    PASS,
    Move,
    NotationError,
    TileId,
    parse_move,
    play,
    tile,
)
from mextrain_service.rpc.messages.checking import OUT_OF_RANGE, REQUIRED, Checked

MAX_MOVES = 64
"""Moves of one request: more than any opening train and its announcement."""

_SHOWN = 40


def moves_of(checked: Checked, messages: Sequence[move_pb2.Move]) -> tuple[Move, ...]:
    """Read the moves of a request; those that cannot be read are left out and noted."""
    if not messages:
        checked.found("moves", REQUIRED, f"1 to {MAX_MOVES} moves")
    if len(messages) > MAX_MOVES:
        checked.found("moves", OUT_OF_RANGE, f"1 to {MAX_MOVES} moves, not {len(messages)}")
        return ()
    moves = [_move(checked, f"moves[{index}]", each) for index, each in enumerate(messages)]
    return tuple([move for move in moves if move is not None])


def _move(checked: Checked, field: str, message: move_pb2.Move) -> Move | None:
    match message.WhichOneof("action"):
        case "play_tile":
            return _play(checked, f"{field}.play_tile", message.play_tile)
        case "draw_tile":
            return DRAW
        case "pass_turn":
            return PASS
        case "call_last_tile":
            return CALL
        case "notation":
            return _notation(checked, f"{field}.notation", message.notation)
        case _:
            checked.found_move(field, "", "a move needs exactly one action")
            return None


def _play(checked: Checked, field: str, message: move_pb2.PlayTile) -> Move | None:
    tile_id = _tile(checked, f"{field}.tile", message)
    train = _train(checked, f"{field}.train", message)
    return None if tile_id is None or train is None else play(tile_id, train)


def _tile(checked: Checked, field: str, message: move_pb2.PlayTile) -> TileId | None:
    if not message.HasField("tile"):
        checked.found(field, REQUIRED, "the tile to play")
        return None
    ends: tile_pb2.Tile = message.tile
    try:
        return tile(ends.high, ends.low)
    except NotationError:
        checked.found_tile(field, f"{ends.high}-{ends.low}")
        return None


def _train(checked: Checked, field: str, message: move_pb2.PlayTile) -> int | None:
    reference: train_pb2.TrainReference = message.train
    match reference.WhichOneof("train"):
        case "seat":
            return checked.number(f"{field}.seat", reference.seat, 0, MAX_SEATS - 1)
        case "mexican" if reference.mexican:
            return MEXICAN
        case _:
            checked.found(field, REQUIRED, "a seat, or the Mexican Train")
            return None


def _notation(checked: Checked, field: str, text: str) -> Move | None:
    try:
        return parse_move(text)
    except NotationError as error:
        if error.text == text:
            checked.found_move(field, text[:_SHOWN], error.expected)
        else:
            checked.found_tile(field, error.text)
        return None
