"""The service over ``grpc.aio``, on its ports, with its limits as they are set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import grpc

from mextrain_service.process.ports import PortUnavailableError
from mextrain_service.rpc.request_limits import max_calls_of_transport
from mextrain_service.rpc.server import ServerLimits, build_server
from mextrain_service.settings.loading import SettingsError
from mextrain_service.settings.model import variable
from mextrain_service.worker.tls import TlsFiles, TlsFilesError, server_credentials

if TYPE_CHECKING:
    from grpc import aio

    from mextrain_service.rpc.dispatcher import Dispatcher
    from mextrain_service.settings.model import ServerSettings, Settings
    from mextrain_service.worker.worker_options import WorkerOptions


def grpc_server(
    settings: Settings, dispatcher: Dispatcher, place: WorkerOptions
) -> tuple[aio.Server, str]:
    """Return a server that needs to be started, and the ``host:port`` that it listens on.

    Args:
        settings: all of them.
        dispatcher: what is served.
        place: where the worker stands among others.

    Raises:
        PortUnavailableError: the port is taken.
        SettingsError: the certificates cannot be used.
    """
    server = build_server(dispatcher, _limits(settings, place))
    endpoint = _listen(server, settings.server)
    if place.socket is not None:
        server.add_insecure_port(f"unix:{place.socket}")
    return server, endpoint


def _limits(settings: Settings, place: WorkerOptions) -> ServerLimits:
    server = settings.server
    return ServerLimits(
        max_request_bytes=settings.limits.max_request_bytes,
        max_concurrent_calls=max_calls_of_transport(
            settings.limits.max_concurrent_calls, settings.watch.max_streams
        ),
        max_connection_age_s=server.max_connection_age_s,
        max_connection_age_grace_s=server.max_connection_age_grace_s,
        keepalive_s=server.keepalive_s,
        shares_port=place.shares_port,
    )


def _listen(server: aio.Server, settings: ServerSettings) -> str:
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = f"{host}:{settings.port}"
    credentials = _tls(settings)
    try:
        if credentials is None:
            port = server.add_insecure_port(address)
        else:
            port = server.add_secure_port(address, credentials)
    except RuntimeError as error:
        message = f"{address} cannot be listened on; is something else running there?"
        raise PortUnavailableError(message) from error
    return f"{host}:{port}"


def _tls(settings: ServerSettings) -> grpc.ServerCredentials | None:
    """Return how the port is encrypted, if it is.

    Raises:
        SettingsError: the certificates cannot be used.
    """
    certificate, key = settings.tls_cert_file, settings.tls_key_file
    if certificate is None or key is None:
        return None
    try:
        return server_credentials(TlsFiles(certificate, key, settings.tls_client_ca_file))
    except TlsFilesError as error:
        problem = f"{variable('server', 'tls_cert_file')}: {error}"
        raise SettingsError((problem,)) from error
