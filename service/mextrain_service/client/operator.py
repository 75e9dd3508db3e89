"""Calls that are for operators."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

import grpc
from google.protobuf.json_format import MessageToDict
from mextrain.v1.operator_service_pb2 import InspectGameRequest, InspectGameResponse
from mextrain.v1.operator_service_pb2_grpc import OperatorServiceStub

from mextrain_service.client.errors import from_rpc_error

_DEADLINE_S = 10.0


class OperatorClient:
    """A connection to one service with the key of an operator."""

    def __init__(
        self, endpoint: str, key: str, *, tls: grpc.ChannelCredentials | None = None
    ) -> None:
        """Make a client; the connection is opened by the first call.

        Args:
            endpoint: ``host:port`` of the gRPC port.
            key: an operator's key.
            tls: how to check the service's certificate; None connects without TLS.
        """
        self.endpoint = endpoint
        self._channel = (
            grpc.insecure_channel(endpoint) if tls is None else grpc.secure_channel(endpoint, tls)
        )
        self._stub: Any = OperatorServiceStub(self._channel)
        self._metadata = (("authorization", f"Bearer {key}"),)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._channel.close()

    def inspect_game(self, game_id: str, *, reveal_hands: bool = False) -> dict[str, Any]:
        """Return a game as an operator sees it, as the JSON form of ``InspectGameResponse``.

        Args:
            game_id: the game.
            reveal_hands: with the hands of the live round; each time is logged for audit.

        Raises:
            MextrainError: the service refuses, or does not answer.
        """
        request = InspectGameRequest(game_id=game_id, reveal_hands=reveal_hands)
        try:
            answer: InspectGameResponse = self._stub.InspectGame(
                request, metadata=self._metadata, timeout=_DEADLINE_S
            )
        except grpc.RpcError as error:
            raise from_rpc_error(error, self.endpoint) from None
        found: dict[str, Any] = MessageToDict(answer, preserving_proto_field_name=True)
        return found
