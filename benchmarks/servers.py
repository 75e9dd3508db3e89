"""Starts what is measured, each on the core that it is given, and reads what it has used."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from mextrain_service.local.embedded import EmbeddedValkey
from mextrain_service.local.local_keys import LocalKeys, new_keys
from mextrain_service.local.worker_process import WORKER_MODULE

_TICKS_PER_S = os.sysconf("SC_CLK_TCK")
_STOP_S = 20.0
_START_S = 30.0
_LOOK_AGAIN_S = 0.1


class ServerFailedError(Exception):
    """A server did not start; the message says what it wrote."""


@dataclass(frozen=True, slots=True)
class Cores:
    """Which core does what.

    Attributes:
        server: runs the server that is measured, and nothing else of the benchmark.
        load: runs the load generator and Valkey.
    """

    server: int
    load: int


@dataclass(frozen=True, slots=True)
class Server:
    """A server that takes calls.

    Attributes:
        port: its gRPC port.
        pid: its process.
        key: the platform's API key; empty if it wants none.
        with_pid: another process whose work is part of its own; 0 for none.
    """

    port: int
    pid: int
    key: str = ""
    with_pid: int = 0

    def cpu_s(self) -> float:
        """Return the CPU time that it has used, in seconds, at the kernel's 10 ms."""
        return cpu_s(self.pid) + (cpu_s(self.with_pid) if self.with_pid else 0.0)


def two_cores() -> Cores:
    """Return two cores of those that may be used; the same one twice if there is only one."""
    usable = sorted(os.sched_getaffinity(0))
    return Cores(server=usable[0], load=usable[-1])


@contextlib.contextmanager
def on_core(core: int) -> Iterator[None]:
    """Start everything in this block on one core: processes inherit it."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def cpu_s(pid: int) -> float:
    """Return the CPU time of a process and its threads, user and system, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S


def resident_bytes(pid: int) -> int:
    """Return the memory that a process has to itself, in bytes: resident without shared pages."""
    resident, shared = map(int, Path(f"/proc/{pid}/statm").read_text().split()[1:3])
    return (resident - shared) * os.sysconf("SC_PAGE_SIZE")


@contextlib.contextmanager
def valkey(core: int) -> Iterator[EmbeddedValkey]:
    """Run a Valkey in memory."""
    with contextlib.ExitStack() as stack:
        with on_core(core):
            server = stack.enter_context(EmbeddedValkey())
        yield server


@contextlib.contextmanager
def worker(
    redis_url: str, core: int, more_settings: Mapping[str, str] | None = None
) -> Iterator[Server]:
    """Run one worker as operators run it, its log lines thrown away, no limit ever met.

    Args:
        redis_url: where it stores games.
        core: where it runs.
        more_settings: environment variables that it gets besides.

    Raises:
        ServerFailedError: it did not start.
    """
    keys = new_keys()
    port = _free_port()
    reading, writing = os.pipe()
    settings = {**worker_settings(redis_url, keys, port), **(more_settings or {})}
    inherited = {name: os.environ[name] for name in os.environ if not name.startswith("MEXTRAIN_")}
    with on_core(core):
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", WORKER_MODULE, f"--report={writing}", "--metrics-port=0"],
            env={**inherited, **settings},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(writing,),
        )
    os.close(writing)
    with _ended(process), os.fdopen(reading) as reports:
        if not any(json.loads(line).get("state") == "serving" for line in reports):
            raise ServerFailedError("the worker did not start")
        yield Server(port, process.pid, keys.platform_key)


def worker_settings(redis_url: str, keys: LocalKeys, port: int) -> dict[str, str]:
    """Return the settings of a worker as operators run it, but that no limit is ever met.

    Args:
        redis_url: where it stores games.
        keys: its own, and the platform's.
        port: where it listens.
    """
    return {
        "MEXTRAIN_SERVER_PORT": str(port),
        "MEXTRAIN_SERVER_DRAIN_DELAY_S": "0",
        "MEXTRAIN_LOGGING_FORMAT": "json",
        "MEXTRAIN_REDIS_URL": redis_url,
        "MEXTRAIN_REDIS_TIMEOUT_MS": "10000",
        "MEXTRAIN_AUTH_SIGNING_KEY": keys.signing_key,
        "MEXTRAIN_AUTH_PLATFORM_KEYS": keys.platform_entry(),
        "MEXTRAIN_GAMES_ALLOW_FIXED_SEED": "true",
        **{
            f"MEXTRAIN_LIMITS_{who}_CALLS_PER_S": "1000000"
            for who in ("PLATFORM", "PLAYER", "SPECTATOR", "ANONYMOUS")
        },
    }


@contextlib.contextmanager
def front(service: Server, core: int) -> Iterator[Server]:
    """Run Envoy before a worker, which speaks REST there; its work counts with the worker's.

    Raises:
        ServerFailedError: it did not start.
    """
    port, before = _free_port(), f"--workers=localhost:{service.port}"
    settings = {
        "MEXTRAIN_FRONT_PORT": str(port),
        "MEXTRAIN_FRONT_ADMIN_PORT": str(_free_port()),
        "MEXTRAIN_METRICS_PORT": str(_free_port()),
        "MEXTRAIN_FRONT_METRICS_PORT": str(_free_port()),
        "MEXTRAIN_FRONT_THREADS": "1",
        "MEXTRAIN_FRONT_ACCESS_LOG": "false",
    }
    inherited = {name: os.environ[name] for name in os.environ if not name.startswith("MEXTRAIN_")}
    with on_core(core):
        process = subprocess.Popen(
            [sys.executable, "-m", "mextrain_service.cli", "front", before],
            env={**inherited, **settings},
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
    with _ended(process):
        _wait_until_well(f"http://127.0.0.1:{port}/healthz", process)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        yield Server(port, int(children[0]), service.key, with_pid=service.pid)


def _wait_until_well(url: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + _START_S
    while process.poll() is None and time.monotonic() < deadline:
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=1):  # noqa: S310
            return
        time.sleep(_LOOK_AGAIN_S)
    raise ServerFailedError("the front did not start")


@contextlib.contextmanager
def echo(answer_bytes: int, core: int) -> Iterator[Server]:
    """Run the bare server whose answers have so many bytes.

    Raises:
        ServerFailedError: it did not start.
    """
    with on_core(core):
        process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.echo", str(answer_bytes)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
    with _ended(process):
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise ServerFailedError("the echo did not start")
        yield Server(int(line), process.pid)


@contextlib.contextmanager
def _ended(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> Iterator[None]:
    """End the process with the block."""
    with process:
        try:
            yield
        finally:
            process.terminate()
            try:
                process.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    return port
