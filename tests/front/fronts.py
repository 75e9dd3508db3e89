"""A front in a process of its own, before workers that are there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from ssl import SSLContext

from mextrain_service.process.ports import free_ports
from tests.front.rest import Rest
from tests.polling import eventually
from tests.worker.processes import Command, command

HOST = "127.0.0.1"


@dataclass(frozen=True)
class Front:
    """A front that runs by itself.

    Attributes:
        command: its process.
        port: of clients.
        operator_url: its operator's port.
        tls: whom clients trust, and what they show; None if it is not encrypted.
    """

    command: Command
    port: int
    operator_url: str
    tls: SSLContext | None = None

    @property
    def rest(self) -> Rest:
        scheme = "https" if self.tls else "http"
        return Rest(f"{scheme}://{HOST}:{self.port}", tls=self.tls)

    def serves(self) -> bool:
        """Whether a call comes through."""
        try:
            return self.rest.get("/v1/presets").status == 200
        except OSError:
            return False


@contextmanager
def front_alone(
    folder: Path, workers: str, tls: SSLContext | None = None, /, **variables: str
) -> Iterator[Front]:
    """Run one, ready to take calls; the other arguments are its settings and ``Front.tls``."""
    port, admin_port, operator_port = free_ports(HOST, 3)
    settings = {
        "MEXTRAIN_FRONT_PORT": str(port),
        "MEXTRAIN_FRONT_ADMIN_PORT": str(admin_port),
        "MEXTRAIN_FRONT_METRICS_PORT": str(operator_port),
        "MEXTRAIN_SERVER_DRAIN_DELAY_S": "0",
        "MEXTRAIN_SERVER_GRACE_S": "1",
        **variables,
    }
    with command(folder, "front", f"--workers={workers}", **settings) as started:
        front = Front(started, port, f"http://{HOST}:{operator_port}", tls)
        assert eventually(front.serves, 60), started.logged()
        yield front
