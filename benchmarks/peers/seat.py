"""One seat's own connection to the service: its stream and its moves, as an app has them.

Headers are compressed like those of any gRPC client.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from hpack import Encoder
from mextrain.v1 import game_service_pb2, move_pb2, tile_pb2, train_pb2

from benchmarks.streams import Connection
from benchmarks.wire import Request, framed, headers
from mextrain_engine import Move, MoveKind
from mextrain_engine.moves import MEXICAN
from mextrain_engine.tiles import HIGH, LOW

_PREFIX = "/mextrain.v1.GameService/"
_HEARTBEAT_S = 300
"""So long that none comes while it is measured."""


class SeatConnection:
    """One seat's connection.

    Attributes:
        connection: what is beneath.
    """

    def __init__(self, port: int, game_id: str, token: str) -> None:
        self.connection = Connection(port)
        self._game_id = game_id
        self._token = token
        self._encoder = Encoder()
        self._head_of_play = b""

    def watch(self, on_message: Callable[[bytes], None]) -> None:
        """Open the seat's stream."""
        asked = game_service_pb2.WatchGameRequest(
            game_id=self._game_id, heartbeat_interval=Duration(seconds=_HEARTBEAT_S)
        )
        request = self._request("WatchGame", asked, deadline=False)
        self.connection.ask(request, on_message, endless=True)
        self.connection.flush()

    def play(self, move: Move, version: int, on_answer: Callable[[bytes], None]) -> None:
        """Make a move on the version before it."""
        asked = game_service_pb2.PlayMoveRequest(
            game_id=self._game_id,
            moves=[move_message(move)],
            request_id=str(uuid.uuid4()),
            expected_version=version,
        )
        self.connection.ask(self._play_request(asked), on_answer)
        self.connection.flush()

    def _play_request(self, asked: game_service_pb2.PlayMoveRequest) -> Request:
        """Return the call; its headers are those of the last one once all are in the table."""
        if self._head_of_play:
            return Request(self._head_of_play, framed(asked.SerializeToString()))
        first = self._request("PlayMove", asked)
        self._head_of_play = self._request("PlayMove", asked).head
        return first

    def _request(self, method: str, message: Message, *, deadline: bool = True) -> Request:
        listed = headers(_PREFIX + method, self._token, deadline=deadline).items()
        return Request(self._encoder.encode(listed), framed(message.SerializeToString()))


def move_message(move: Move) -> move_pb2.Move:
    """Return a move as the contract has it."""
    match move.kind:
        case MoveKind.PLAY:
            tile = tile_pb2.Tile(high=HIGH[move.tile], low=LOW[move.tile])
            train = (
                train_pb2.TrainReference(mexican=True)
                if move.train == MEXICAN
                else train_pb2.TrainReference(seat=move.train)
            )
            return move_pb2.Move(play_tile=move_pb2.PlayTile(tile=tile, train=train))
        case MoveKind.DRAW:
            return move_pb2.Move(draw_tile=move_pb2.DrawTile())
        case _:
            return move_pb2.Move(pass_turn=move_pb2.PassTurn())
