"""A gRPC server with its limits, before anything is listened on. Knows gRPC's options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from grpc import aio

from mextrain_service.transport.interceptors.limits import hard_limit

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


def build_server(
    interceptors: Sequence[aio.ServerInterceptor[Any, Any]], limits: ServerLimits
) -> aio.Server:
    """Return a server to which servicers and ports are still to be added."""
    return aio.server(
        interceptors=interceptors,
        maximum_concurrent_rpcs=limits.max_concurrent_calls,
        options=[
            ("grpc.so_reuseport", int(limits.shares_port)),
            ("grpc.max_receive_message_length", hard_limit(limits.max_request_bytes)),
            ("grpc.max_connection_age_ms", limits.max_connection_age_s * _MS),
            ("grpc.max_connection_age_grace_ms", limits.max_connection_age_grace_s * _MS),
            ("grpc.keepalive_time_ms", limits.keepalive_s * _MS),
            ("grpc.keepalive_timeout_ms", _KEEPALIVE_TIMEOUT_MS),
            ("grpc.keepalive_permit_without_calls", 1),
            ("grpc.http2.min_ping_interval_without_data_ms", _LEAST_PING_INTERVAL_MS),
        ],
    )
