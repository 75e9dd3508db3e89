"""A game over the port, call by call, with the messages of the contract."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeVar, cast

import grpc
import pytest
from google.rpc import error_details_pb2
from google.rpc.status_pb2 import Status
from mextrain.v1 import game_pb2, game_service_pb2, move_pb2, view_pb2
from mextrain.v1.game_service_pb2_grpc import GameServiceStub

from tests.polling import WITHIN_S, eventually

_Answer = TypeVar("_Answer")

_RETRYABLE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
_DETAILS = "grpc-status-details-bin"

_LONG_ROUND = 3
"""A seed whose first round takes 133 first legal moves or more among two, three and four."""


def bearer(credential: str) -> tuple[tuple[str, str], ...]:
    """Return the metadata that proves who calls."""
    return (("authorization", f"Bearer {credential}"),)


def failure_of(call: Callable[[], object]) -> grpc.Call:
    """Return the error that a call ends with."""
    with pytest.raises(grpc.RpcError) as failed:
        call()
    return cast("grpc.Call", failed.value)


def reason_of(error: grpc.Call) -> str:
    """Return the stable reason of an error; empty if it carries none."""
    for key, value in error.trailing_metadata() or ():
        if key == _DETAILS:
            assert isinstance(value, bytes)
            info = error_details_pb2.ErrorInfo()
            if any(detail.Unpack(info) for detail in Status.FromString(value).details):
                return str(info.reason)
    return ""


@dataclass
class Table:
    """A game that somebody plays.

    Attributes:
        stub: calls the service.
        platform_key: of the platform that made the game.
        game_id: its name.
        tokens: by seat.
    """

    stub: GameServiceStub
    platform_key: str
    game_id: str
    tokens: tuple[str, ...]

    def view(self, seat: int) -> game_pb2.Game:
        """Return the game as a seat sees it."""
        request = game_service_pb2.GetGameRequest(game_id=self.game_id)
        response: game_service_pb2.GetGameResponse = self.stub.GetGame(
            request, metadata=bearer(self.tokens[seat]), timeout=WITHIN_S
        )
        return response.game

    def version(self) -> int:
        """Return the game's version."""
        return self.view(0).view.version

    def awaits_deal(self) -> bool:
        """Whether a round is over, or none was dealt."""
        phase = self.view(0).view.phase
        return bool(phase == view_pb2.PHASE_AWAITING_DEAL)

    def deal(self, request_id: str = "") -> game_pb2.Game:
        """Deal the next round; return the game."""
        request = game_service_pb2.DealRoundRequest(game_id=self.game_id, request_id=request_id)
        response: game_service_pb2.DealRoundResponse = self.stub.DealRound(
            request, metadata=bearer(self.platform_key), timeout=WITHIN_S
        )
        return response.game

    def next_move(self) -> tuple[int, move_pb2.Move]:
        """Return the seat to move and the first of its legal moves."""
        seat = self.view(0).view.round.turn
        request = game_service_pb2.ListLegalMovesRequest(game_id=self.game_id)
        answer = self.stub.ListLegalMoves(
            request, metadata=bearer(self.tokens[seat]), timeout=WITHIN_S
        )
        return seat, answer.moves[0]

    def play_request(
        self, move: move_pb2.Move, request_id: str = ""
    ) -> game_service_pb2.PlayMoveRequest:
        """Return the request to make a move."""
        return game_service_pb2.PlayMoveRequest(
            game_id=self.game_id, moves=[move], request_id=request_id
        )

    def play(
        self, seat: int, request: game_service_pb2.PlayMoveRequest
    ) -> game_service_pb2.PlayMoveResponse:
        """Make a move."""
        response: game_service_pb2.PlayMoveResponse = self.stub.PlayMove(
            request, metadata=bearer(self.tokens[seat]), timeout=WITHIN_S
        )
        return response

    def play_patiently(
        self, seat: int, request: game_service_pb2.PlayMoveRequest
    ) -> game_service_pb2.PlayMoveResponse:
        """Make a move; ask again while the service is away."""
        return eventually(lambda: unless_away(lambda: self.play(seat, request)))


def unless_away(call: Callable[[], _Answer]) -> _Answer | None:
    """Return what a call is answered; None while the service is away."""
    try:
        return call()
    except grpc.RpcError as error:
        if cast("grpc.Call", error).code() not in _RETRYABLE:
            raise
        return None


@contextmanager
def channel_to(endpoint: str) -> Iterator[grpc.Channel]:
    """Open a connection of its own, quick to come back."""
    options = [
        ("grpc.use_local_subchannel_pool", 1),
        ("grpc.initial_reconnect_backoff_ms", 50),
        ("grpc.max_reconnect_backoff_ms", 200),
        ("grpc.enable_retries", 0),
    ]
    with grpc.insecure_channel(endpoint, options) as channel:
        yield channel


def new_table(channel: grpc.Channel, platform_key: str, players: int = 2) -> Table:
    """Make a game of persons and deal its first round, the same each time and a long one."""
    stub = GameServiceStub(channel)
    seats = [
        game_pb2.Seat(seat=seat, person=game_pb2.Person(player_id=f"player-{seat}"))
        for seat in range(players)
    ]
    created = stub.CreateGame(
        game_service_pb2.CreateGameRequest(seats=seats, fixed_seed=_LONG_ROUND),
        metadata=bearer(platform_key),
        timeout=WITHIN_S,
    )
    tokens = tuple(token.token for token in created.seat_tokens)
    table = Table(stub, platform_key, created.game.game_id, tokens)
    table.deal()
    return table
