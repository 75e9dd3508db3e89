"""Reads what a seat sees from the contract into the engine's values, for bots that choose here."""

from __future__ import annotations

from collections.abc import Iterable

from mextrain.v1.move_pb2 import Move as MoveMessage
from mextrain.v1.round_pb2 import Owed as OwedNumber
from mextrain.v1.round_pb2 import Round
from mextrain.v1.round_pb2 import RoundEnd as RoundEndNumber
from mextrain.v1.round_pb2 import RoundResult as RoundResultMessage
from mextrain.v1.tile_pb2 import Tile
from mextrain.v1.train_pb2 import Train, TrainReference
from mextrain.v1.view_pb2 import Phase as PhaseNumber
from mextrain.v1.view_pb2 import View as ViewMessage

from mextrain_client import format_move
from mextrain_engine import (
    MEXICAN,
    Move,
    Owed,
    Phase,
    RoundEnd,
    RoundResult,
    RoundView,
    TileId,
    TrainView,
    View,
    mask_of,
    parse_move,
    tile,
)


def read_view(view: ViewMessage, seats: int, results: Iterable[RoundResultMessage] = ()) -> View:
    """Return what a seat sees.

    Args:
        view: the message.
        seats: how many seats there are.
        results: the rounds that are over, where the answer has them.
    """
    return View(
        seats=seats,
        phase=Phase[PhaseNumber.Name(view.phase).removeprefix("PHASE_")],
        total_rounds=view.total_rounds,
        results=tuple(map(_read_result, results)),
        round=_read_round(view.round) if view.HasField("round") else None,
        seat=view.seat if view.HasField("seat") else None,
        hand=tuple(sorted(map(read_tile, view.hand))),
    )


def read_tile(message: Tile) -> TileId:
    """Return a tile."""
    return tile(message.high, message.low)


def read_move(message: MoveMessage) -> Move:
    """Return a move."""
    return parse_move(format_move(message))


def _read_round(message: Round) -> RoundView:
    hands = tuple(tuple(map(read_tile, hand.tiles)) for hand in message.shown_hands)
    return RoundView(
        number=message.number,
        hub=message.hub,
        starter=message.starter,
        turn=message.turn if message.HasField("turn") else None,
        first_turn=message.first_turn,
        drawn=message.drawn,
        laid=message.laid,
        owed=Owed[OwedNumber.Name(message.owed).removeprefix("OWED_")],
        hand_counts=tuple(message.hand_counts),
        boneyard_count=message.boneyard_count,
        trains=tuple(map(_read_train, message.trains)),
        open_doubles=tuple(map(_read_reference, message.open_doubles)),
        called=tuple(message.called),
        call_due=message.call_due if message.HasField("call_due") else None,
        shown_hands=hands or None,
    )


def _read_train(message: Train) -> TrainView:
    return TrainView(
        train=_read_reference(message.train),
        pips=tuple(message.pips),
        marked=message.marked,
        open_double=message.open_double,
        deferred_double=message.deferred_double,
    )


def _read_reference(message: TrainReference) -> int:
    return MEXICAN if message.HasField("mexican") else message.seat


def _read_result(message: RoundResultMessage) -> RoundResult:
    return RoundResult(
        hub=message.hub,
        starter=message.starter,
        end=RoundEnd[RoundEndNumber.Name(message.end).removeprefix("ROUND_END_")],
        out=mask_of(message.out),
        points=tuple(message.points),
    )
