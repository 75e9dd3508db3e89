"""A Redis Cluster of three masters, each a real Valkey, for as long as a block lasts."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from redis import Redis
from redis.exceptions import RedisError

from benchmarks.servers import ServerFailedError, cpu_s
from mextrain_service.local.embedded import find_server

MASTERS = 3
_HOST = "127.0.0.1"
_SLOTS = 16_384
_START_S = 30.0
_POLL_S = 0.02


@dataclass(frozen=True, slots=True)
class Cluster:
    """A Cluster that is sound.

    Attributes:
        url: what a worker is told.
        pids: of the masters.
        clients: one of each.
    """

    url: str
    pids: tuple[int, ...]
    clients: tuple[Redis, ...]

    def cpu_s(self) -> float:
        """Return the CPU time that all masters have used, in seconds."""
        return sum(map(cpu_s, self.pids))

    def net_bytes(self) -> int:
        """Return how many bytes have gone to and from all masters."""
        told = [_facts(_asked(client, "INFO", "stats")) for client in self.clients]
        return sum(
            int(each[f"total_net_{way}_bytes"]) for each in told for way in ("input", "output")
        )


@contextlib.contextmanager
def cluster() -> Iterator[Cluster]:
    """Run a Cluster in memory, without replicas.

    Raises:
        ServerFailedError: it was not sound within half a minute.
    """
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mextrain-cluster-")))
        ports = _free_ports(2 * MASTERS)
        nodes, buses = ports[:MASTERS], ports[MASTERS:]
        processes = [
            stack.enter_context(_node(port, bus, folder / str(port)))
            for port, bus in zip(nodes, buses, strict=True)
        ]
        clients = [stack.enter_context(_client(port)) for port in nodes]
        _wait_until(lambda: all(_asked(each, "PING") for each in clients))
        for at, client in enumerate(clients):
            first, last = at * _SLOTS // MASTERS, (at + 1) * _SLOTS // MASTERS - 1
            _asked(client, "CLUSTER", "ADDSLOTSRANGE", first, last)
            _asked(client, "CLUSTER", "SET-CONFIG-EPOCH", at + 1)
        for port, bus in zip(nodes[1:], buses[1:], strict=True):
            _asked(clients[0], "CLUSTER", "MEET", _HOST, port, bus)
        _wait_until(lambda: all(map(_is_sound, clients)))
        addresses = ",".join(f"{_HOST}:{port}" for port in nodes)
        pids = tuple(each.pid for each in processes)
        yield Cluster(f"redis+cluster://{addresses}", pids, tuple(clients))


@contextlib.contextmanager
def _node(port: int, bus: int, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    folder.mkdir()
    settings = {
        "port": port,
        "bind": _HOST,
        "dir": folder,
        "logfile": folder / "log",
        "save": "",
        "cluster-enabled": "yes",
        "cluster-port": bus,
        "maxmemory-policy": "noeviction",
    }
    words = [word for name, value in settings.items() for word in (f"--{name}", str(value))]
    process = subprocess.Popen([str(find_server()), *words], stdin=subprocess.DEVNULL)
    with process:
        try:
            yield process
        finally:
            process.kill()  # nothing is to be kept


def _client(port: int) -> Redis:
    client = Redis(_HOST, port, socket_timeout=5, protocol=2, decode_responses=True)
    client.response_callbacks.clear()  # answers as they are
    return client


def _wait_until(sound: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _START_S
    while True:
        with contextlib.suppress(RedisError, OSError):
            if sound():
                return
        if time.monotonic() > deadline:
            raise ServerFailedError("the Cluster is not sound in time")
        time.sleep(_POLL_S)


def _is_sound(client: Redis) -> bool:
    state = _facts(_asked(client, "CLUSTER", "INFO"))
    known, slots = int(state["cluster_known_nodes"]), int(state["cluster_slots_ok"])
    return (state["cluster_state"], known, slots) == ("ok", MASTERS, _SLOTS)


def _facts(text: Any) -> dict[str, str]:
    """Return the lines ``name:value`` of a report."""
    return dict(line.split(":", 1) for line in str(text).splitlines() if ":" in line)


def _asked(client: Redis, *words: object) -> Any:
    return client.execute_command(*words)  # type: ignore[no-untyped-call]


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind((_HOST, 0))
        return [int(each.getsockname()[1]) for each in sockets]
