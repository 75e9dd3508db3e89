"""A gRPC server with its limits, before anything is listened on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import grpc
from grpc import aio

from mextrain_service.rpc.dispatcher import BoundMethod, Dispatcher
from mextrain_service.rpc.request_limits import max_message_bytes

if TYPE_CHECKING:
    _GenericHandler: TypeAlias = grpc.GenericRpcHandler[Any, Any]
else:
    _GenericHandler = grpc.GenericRpcHandler  # generic in its stubs only

_MS = 1000
_KEEPALIVE_TIMEOUT_MS = 20_000
_LEAST_PING_INTERVAL_MS = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLimits:
    """How much a server takes on.

    Attributes:
        max_request_bytes: the largest request that is read.
        max_concurrent_calls: calls at once; more are refused.
        max_connection_age_s: after how long a connection is asked to go, so that clients spread
            over new replicas, in seconds.
        max_connection_age_grace_s: how long its calls may still take, in seconds.
        keepalive_s: how often a quiet connection is pinged, in seconds.
        shares_port: other processes listen on the same port.
    """

    max_request_bytes: int = 65_536
    max_concurrent_calls: int = 1_000
    max_connection_age_s: int = 300
    max_connection_age_grace_s: int = 30
    keepalive_s: int = 60
    shares_port: bool = False


_KINDS = {
    (False, False): grpc.unary_unary_rpc_method_handler,
    (False, True): grpc.unary_stream_rpc_method_handler,
    (True, True): grpc.stream_stream_rpc_method_handler,
}
"""Makes a handler, by whether a stream is asked by and whether one is answered."""


class _Handlers(_GenericHandler):
    """Looks the methods of the service up for ``grpc.aio``, each of which is made once."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {}

    def service(
        self, handler_call_details: grpc.HandlerCallDetails
    ) -> grpc.RpcMethodHandler[Any, Any] | None:
        """Return the handler of a method; None if it is of another service."""
        path = handler_call_details.method
        known = self._handlers.get(path)
        if known is not None:
            return known
        method = self._dispatcher.method(path)
        if method is None:
            return None
        handler = _handler_of(method)
        if method.served:
            self._handlers[path] = handler
        return handler


def _handler_of(method: BoundMethod) -> grpc.RpcMethodHandler[Any, Any]:
    kind = _KINDS[method.asked_by_stream, method.streams]
    return kind(method.serve, response_serializer=method.serialize)


def build_server(dispatcher: Dispatcher, limits: ServerLimits) -> aio.Server:
    """Return a server of the methods of a dispatcher, to which ports are still to be added."""
    server = aio.server(
        maximum_concurrent_rpcs=limits.max_concurrent_calls,
        options=[
            ("grpc.so_reuseport", int(limits.shares_port)),
            ("grpc.max_receive_message_length", max_message_bytes(limits.max_request_bytes)),
            ("grpc.max_connection_age_ms", limits.max_connection_age_s * _MS),
            ("grpc.max_connection_age_grace_ms", limits.max_connection_age_grace_s * _MS),
            ("grpc.keepalive_time_ms", limits.keepalive_s * _MS),
            ("grpc.keepalive_timeout_ms", _KEEPALIVE_TIMEOUT_MS),
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.http2.min_ping_interval_without_data_ms", _LEAST_PING_INTERVAL_MS),
            # Where more than 1,000 come at the same moment, gRPC would end some by chance, as if
            # their callers had. Those that are too many are to hear why instead.
            ("grpc.server.max_pending_requests", limits.max_concurrent_calls),
            ("grpc.server.max_pending_requests_hard_limit", limits.max_concurrent_calls),
        ],
    )
    server.add_generic_rpc_handlers((_Handlers(dispatcher),))
    return server
