"""The service over ``grpc.aio``, with its limits as they are set. Knows settings and the door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mextrain_service.transport.interceptors.admission import hard_limit
from mextrain_service.transport.server import ServerLimits, build_server

if TYPE_CHECKING:
    from grpc import aio

    from mextrain_service.main.settings import Settings
    from mextrain_service.transport.door import Door


def grpc_server(settings: Settings, door: Door, *, shares_port: bool) -> aio.Server:
    """Return a server that needs ports, and then to be started.

    Args:
        settings: all of them.
        door: what is served.
        shares_port: other processes listen on the same port.
    """
    server = settings.server
    limits = ServerLimits(
        max_request_bytes=settings.limits.max_request_bytes,
        max_concurrent_calls=hard_limit(
            settings.limits.max_concurrent_calls, settings.watch.max_streams
        ),
        max_connection_age_s=server.max_connection_age_s,
        max_connection_age_grace_s=server.max_connection_age_grace_s,
        keepalive_s=server.keepalive_s,
        shares_port=shares_port,
    )
    return build_server(door, limits)
