"""The methods for operators: convert, call, convert."""

from __future__ import annotations

from mextrain.v1 import operator_service_pb2 as pb
from mextrain.v1.error_reason_pb2 import ErrorReason

from mextrain_service.application.inspect_game import InspectGame, InspectionAnswer
from mextrain_service.application.operator_ports import RecentError
from mextrain_service.rpc.call import Call
from mextrain_service.rpc.error_status import PREFIX
from mextrain_service.rpc.messages import requests
from mextrain_service.rpc.messages.games import game_message
from mextrain_service.rpc.messages.tiles import tile_messages
from mextrain_service.rpc.messages.times import timestamp


class OperatorServicer:
    """Serves ``mextrain.v1.OperatorService``; the contract says what each method does."""

    def __init__(self, inspect_game: InspectGame) -> None:
        self._inspect_game = inspect_game

    async def InspectGame(
        self, request: pb.InspectGameRequest, call: Call
    ) -> pb.InspectGameResponse:
        """Show how a game is."""
        answer = await self._inspect_game(
            call.caller,
            requests.game_id_of(request),
            call.id,
            reveal_hands=request.reveal_hands,
        )
        return pb.InspectGameResponse(
            game=None if answer.game is None else game_message(answer.game),
            platform_id=answer.platform_id,
            token_generations=answer.token_generations,
            stored=_stored(answer),
            recent_errors=[_error(error) for error in answer.recent_errors],
            hands=[
                pb.RevealedHand(seat=seat, tiles=tile_messages(tiles))
                for seat, tiles in enumerate(answer.hands)
            ],
        )


def _stored(answer: InspectionAnswer) -> pb.StoredFacts:
    stored = answer.stored
    return pb.StoredFacts(
        snapshot_bytes=stored.snapshot_bytes,
        log_bytes=stored.log_bytes,
        memory_bytes=stored.memory_bytes,
        idempotency_records=answer.receipts,
        expire_time=None if stored.ends_ms is None else timestamp(stored.ends_ms),
        faults=stored.faults,
    )


def _error(error: RecentError) -> pb.RecentError:
    name = PREFIX + (error.reason or "UNSPECIFIED")
    return pb.RecentError(
        time=timestamp(error.ended_ms),
        method=error.method,
        reason=ErrorReason.Value(name),
        call_id=error.call_id,
    )
