"""The floor that the service stands on: a bare ``grpc.aio`` server with answers of one size.

Started as a program with one argument, the bytes of an answer; prints its port.
"""

from __future__ import annotations

import asyncio
import sys

import grpc
from google.protobuf.timestamp_pb2 import Timestamp
from google.protobuf.wrappers_pb2 import BytesValue
from grpc import aio
from mextrain.v1.event_pb2 import Event, TilePlayed, TurnStarted
from mextrain.v1.game_service_pb2 import PlayMoveRequest, PlayMoveResponse
from mextrain.v1.round_pb2 import Round
from mextrain.v1.tile_pb2 import Tile
from mextrain.v1.train_pb2 import Train, TrainReference
from mextrain.v1.view_pb2 import PHASE_PLAYING, View

ECHO_PATH = "/bench.Echo/Echo"
BUILD_PATH = "/bench.Echo/Build"
"""As the echo, but it reads a PlayMoveRequest and builds a PlayMoveResponse for each call."""


def _answer() -> PlayMoveResponse:
    """Build an answer of the usual size from plain values: a view in the middle of a round."""
    chain = (12, 5, 5, 0, 7, 7, 3)
    return PlayMoveResponse(
        view=View(
            version=70,
            phase=PHASE_PLAYING,
            total_rounds=13,
            round=Round(
                number=1,
                hub=12,
                starter=2,
                turn=3,
                drawn=1,
                hand_counts=(6, 7, 7, 5),
                boneyard_count=20,
                trains=[
                    *(Train(train=TrainReference(seat=seat), pips=chain) for seat in range(4)),
                    Train(train=TrainReference(mexican=True), pips=chain),
                ],
            ),
            seat=2,
            hand=[Tile(high=9, low=low) for low in range(7)],
            totals=(0, 0, 0, 0),
            server_time=Timestamp(seconds=1_796_000_000, nanos=123_000_000),
        ),
        events=[
            Event(
                version=70,
                tile_played=TilePlayed(
                    seat=2,
                    tile=Tile(high=7, low=3),
                    train=TrainReference(seat=1),
                    end=3,
                ),
            ),
            Event(version=70, turn_started=TurnStarted(seat=3)),
        ],
    )


async def _serve(answer_bytes: int) -> None:
    value = bytes(answer_bytes)

    async def echo(
        request: BytesValue, context: aio.ServicerContext[BytesValue, BytesValue]
    ) -> BytesValue:
        del request, context
        return BytesValue(value=value)

    handler = grpc.unary_unary_rpc_method_handler(
        echo,
        request_deserializer=BytesValue.FromString,
        response_serializer=BytesValue.SerializeToString,
    )

    async def build(
        request: PlayMoveRequest,
        context: aio.ServicerContext[PlayMoveRequest, PlayMoveResponse],
    ) -> PlayMoveResponse:
        del request, context
        return _answer()

    building = grpc.unary_unary_rpc_method_handler(
        build,
        request_deserializer=PlayMoveRequest.FromString,
        response_serializer=PlayMoveResponse.SerializeToString,
    )
    server = aio.server()
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("bench.Echo", {"Echo": handler, "Build": building}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1])))
