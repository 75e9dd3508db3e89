"""Moves and refusals, as messages."""

from __future__ import annotations

from mextrain.v1 import error_reason_pb2, move_pb2

from mextrain_engine import Move, MoveKind, Refusal
from mextrain_service.application.answers import LegalMovesAnswer
from mextrain_service.rpc.messages.tiles import tile_message, train_message


def move_message(move: Move) -> move_pb2.Move:
    """Return a move."""
    match move.kind:
        case MoveKind.PLAY:
            laid = move_pb2.PlayTile(tile=tile_message(move.tile), train=train_message(move.train))
            return move_pb2.Move(play_tile=laid)
        case MoveKind.DRAW:
            return move_pb2.Move(draw_tile=move_pb2.DrawTile())
        case MoveKind.PASS:
            return move_pb2.Move(pass_turn=move_pb2.PassTurn())
        case MoveKind.CALL:
            return move_pb2.Move(call_last_tile=move_pb2.CallLastTile())


def refusal_message(refusal: Refusal) -> move_pb2.Refusal:
    """Return why a move is refused."""
    return move_pb2.Refusal(
        reason=error_reason_pb2.ErrorReason.Value(f"ERROR_REASON_{refusal.reason.value}"),
        message=refusal.message,
        facts=refusal.facts,
    )


def unplayable_messages(answer: LegalMovesAnswer) -> list[move_pb2.UnplayableTile]:
    """Return the tiles that can go nowhere, each with why."""
    return [
        move_pb2.UnplayableTile(tile=tile_message(tile), refusal=refusal_message(refusal))
        for tile, refusal in answer.unplayable
    ]
