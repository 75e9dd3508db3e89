"""One connection to the service: how a call is made, repeated and followed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import grpc
from mextrain.v1.game_service_pb2_grpc import GameServiceStub
from mextrain.v1.operator_service_pb2_grpc import OperatorServiceStub

from mextrain_client.errors import from_rpc_error
from mextrain_client.following import followed
from mextrain_client.repeating import call_patiently
from mextrain_client.watching import Opener

_Answer = TypeVar("_Answer")

_HEARTBEAT_S = 15.0
_SILENT_HEARTBEATS = 4

_CHANNEL_OPTIONS = (
    # Each client has a connection of its own, so that many in one process spread over workers.
    ("grpc.use_local_subchannel_pool", 1),
    # Repetition is decided in ``repeating``, where request ids make it safe.
    ("grpc.enable_retries", 0),
)


class Connection:
    """Makes calls as one caller. Safe to use from several threads."""

    def __init__(
        self,
        endpoint: str,
        token: str,
        tls: grpc.ChannelCredentials | None,
        deadline_s: float,
        patience_s: float,
    ) -> None:
        """Make a connection that the first call opens; the arguments are ``MextrainClient``'s."""
        self.endpoint = endpoint
        self._channel = (
            grpc.insecure_channel(endpoint, _CHANNEL_OPTIONS)
            if tls is None
            else grpc.secure_channel(endpoint, tls, _CHANNEL_OPTIONS)
        )
        self.games = GameServiceStub(self._channel)
        self.operator = OperatorServiceStub(self._channel)
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self._deadline_s = deadline_s
        self._patience_s = patience_s

    def close(self) -> None:
        """Close the connection, which makes no more calls then."""
        self._channel.close()

    def call(self, method: grpc.UnaryUnaryMultiCallable[Any, _Answer], request: object) -> _Answer:
        """Return the answer to a call, made again while that may help.

        Raises:
            MextrainError: the call failed for good, or for longer than the patience.
        """

        def attempt() -> _Answer:
            try:
                return method(request, timeout=self._deadline_s, metadata=self._metadata)
            except grpc.RpcError as error:
                raise from_rpc_error(error, self.endpoint) from None

        return call_patiently(attempt, self._patience_s)

    def follow(self, method: Any, heartbeat_s: float | None) -> Opener:
        """Return what follows a stream of this method.

        Args:
            method: the stub's.
            heartbeat_s: how often the service sends a heartbeat, in seconds; None for 15.
        """
        silence_s = _SILENT_HEARTBEATS * (heartbeat_s or _HEARTBEAT_S)

        def follow(request: Callable[[], Any]) -> Iterator[Any]:
            return followed(
                lambda: method(request(), metadata=self._metadata),
                self.endpoint,
                patience_s=self._patience_s,
                silence_s=silence_s,
            )

        return follow

    def stream(self, method: Any, requests: Iterator[Any]) -> Iterator[Any]:
        """Yield the answers of a stream that is opened once.

        Args:
            method: the stub's.
            requests: what to send.

        Raises:
            MextrainError: the stream failed. What was not answered may have been done.
        """
        call = method(requests, metadata=self._metadata)
        try:
            yield from call
        except grpc.RpcError as error:
            raise from_rpc_error(error, self.endpoint) from None
        finally:
            call.cancel()
