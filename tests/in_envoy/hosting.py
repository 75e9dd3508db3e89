"""Starts Envoy with the worker of the tests in it."""

from __future__ import annotations

import contextlib
import socket
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mextrain_service.front.binary import envoy_command
from mextrain_service.front.configuration import Address, FrontTerms, configuration
from mextrain_service.process.ports import free_ports
from mextrain_service.worker.envoy.configuration import HostTerms, hosting_configuration
from mextrain_service.worker.envoy.leaving import pipe
from mextrain_service.worker.envoy.programs import environment, found
from tests.in_envoy.inside import LEFT
from tests.in_envoy.shared import Shared
from tests.polling import WITHIN_S, eventually
from tests.worker.processes import log_lines

_LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Hosted:
    """A worker inside Envoy, ready to take calls."""

    shared: Shared
    endpoint: str


@contextlib.contextmanager
def hosted(folder: Path, redis_url: str) -> Iterator[Hosted]:
    """Run one, and end it."""
    programs = found()
    assert programs is not None, "pyvoy, Envoy and a shared library of Python are there"
    (port,) = free_ports(_LOOPBACK, 1)
    shared, left = Shared.new(redis_url, folder), pipe(folder / "left")
    path = folder / "envoy.json"
    terms = HostTerms(
        module=programs.module,
        admin=folder / "admin.sock",
        left=folder / "left",
        more=(),
        max_streams=1_000,
        max_connection_age_s=600,
        keepalive_s=60,
        application="tests.in_envoy.inside:application",
    )
    path.write_text(hosting_configuration(configuration(_front(port)), terms))
    variables = {**shared.variables(), LEFT: str(left)}
    log = folder / "envoy.log"
    with (
        log.open("w") as errors,
        subprocess.Popen(
            envoy_command(programs.envoy, path, threads=1, drain_s=1),
            env=environment(programs, variables),
            stdin=subprocess.DEVNULL,
            stdout=errors,
            stderr=errors,
            pass_fds=(left,),
        ) as process,
    ):
        try:
            eventually(lambda: _listens(process, port, log))
            yield Hosted(shared, f"{_LOOPBACK}:{port}")
            logged = log.read_text()
            assert not [line for line in log_lines(logged) if "exception" in line], logged
            assert "Traceback" not in logged, logged
        finally:
            process.terminate()
            try:
                process.wait(WITHIN_S)
            except subprocess.TimeoutExpired:
                process.kill()


def _front(port: int) -> FrontTerms:
    nowhere = Address(_LOOPBACK, 0)
    return FrontTerms(
        listen=Address(_LOOPBACK, port),
        admin=nowhere,
        operator=nowhere,
        workers=(),
        cors_origins=(),
        max_request_bytes=65_536,
        longest_call_s=30,
        drain_s=1,
        request_timeout_s=10,
        max_connection_age_s=300,
        max_connections=1_000,
        max_calls=1_000,
    )


def _listens(process: subprocess.Popen[bytes], port: int, log: Path) -> bool:
    assert process.poll() is None, log.read_text()
    with contextlib.suppress(OSError), socket.create_connection((_LOOPBACK, port), 5):
        return True
    return False
