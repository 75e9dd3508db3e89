"""Turns this process into an Envoy with a worker in it."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from mextrain_service.front.binary import envoy_command
from mextrain_service.front.configuration import Address, configuration
from mextrain_service.front.planning import front_terms
from mextrain_service.front.tls import require_sound
from mextrain_service.process.ports import free_ports, require_free
from mextrain_service.process.run_dir import RunDir
from mextrain_service.rpc.request_limits import max_calls_of_transport
from mextrain_service.settings.loading import SettingsError
from mextrain_service.worker.envoy import signals
from mextrain_service.worker.envoy.inheritance import Inheritance
from mextrain_service.worker.envoy.leaving import pipe
from mextrain_service.worker.envoy.programs import Programs, environment, found, why_not_hosted

if TYPE_CHECKING:
    from pathlib import Path
    from typing import NoReturn

    from mextrain_service.settings.model import ServerSettings, Settings
    from mextrain_service.worker.worker_options import WorkerOptions


def become_host(settings: Settings, place: WorkerOptions) -> NoReturn:
    """Become Envoy; its process keeps the id of this one, and what it inherited.

    Raises:
        SettingsError: this machine lacks what it takes, or the certificates cannot be used.
        PortUnavailableError: a port is taken.
    """
    programs = found()
    if why_not := why_not_hosted(settings):
        raise SettingsError((why_not,))
    assert programs is not None, "why_not_hosted says so"
    require_sound(settings.server, settings.front)
    listen = _free(settings, place)
    folder = RunDir("worker")
    try:
        folder.hand_over()
        inheritance = Inheritance(
            place=replace(place, port=listen.port),
            folder=folder.path,
            left=pipe(folder.path / "left"),
        )
        text = _configuration(settings, place, inheritance, listen, programs.module)
        _become(programs, settings.server, inheritance, text)
    finally:
        folder.remove()


def _become(
    programs: Programs, server: ServerSettings, inheritance: Inheritance, configured: str
) -> NoReturn:
    path = inheritance.folder / "envoy.json"
    path.write_text(configured, "utf-8")
    command = envoy_command(
        programs.envoy, path, threads=1, drain_s=server.drain_delay_s + server.grace_s
    )
    name = f"mextrain-worker-{inheritance.place.index}"
    signals.block()
    os.execve(  # noqa: S606 - no shell
        programs.envoy, [name, *command[1:]], environment(programs, inheritance.variables())
    )


def _free(settings: Settings, place: WorkerOptions) -> Address:
    """Return where gRPC is listened for.

    Raises:
        PortUnavailableError: another program listens there.
    """
    server = settings.server
    if server.port == 0:
        return Address(server.host, free_ports(server.host, 1)[0])
    if not place.shares_port:
        require_free(server.host, server.port)
    return Address(server.host, server.port)


def _configuration(
    settings: Settings,
    place: WorkerOptions,
    inheritance: Inheritance,
    listen: Address,
    module: Path,
) -> str:
    from mextrain_service.worker.envoy.configuration import (  # noqa: PLC0415 - of an extra
        HostTerms,
        hosting_configuration,
    )

    front, server, nowhere = settings.front, settings.server, Address("127.0.0.1", 0)
    terms = front_terms(
        settings, inheritance.folder, listen=listen, admin=nowhere, operator=nowhere, workers=()
    )
    hosting = HostTerms(
        module=module,
        admin=inheritance.own_pages,
        left=inheritance.folder / "left",
        more=(Address(front.host, front.port),) if place.fronts else (),
        max_streams=max_calls_of_transport(
            settings.limits.max_concurrent_calls, settings.watch.max_streams
        ),
        max_connection_age_s=server.max_connection_age_s,
        keepalive_s=server.keepalive_s,
    )
    return hosting_configuration(configuration(terms), hosting)
