"""Worker processes that are killed, frozen, stopped and started again, each on its own port."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Mapping
from pathlib import Path

from mextrain_service.local.local_keys import LocalKeys
from mextrain_service.process.ports import free_ports
from tests.faults.skewed import set_ahead
from tests.polling import eventually
from tests.worker.processes import Command, command, page

_HOST = "127.0.0.1"
_ROOT = Path(__file__).parents[2]

_SETTINGS = {
    "MEXTRAIN_SERVER_DRAIN_DELAY_S": "0.2",
    "MEXTRAIN_SERVER_GRACE_S": "2",
    "MEXTRAIN_REDIS_TIMEOUT_MS": "800",
    "MEXTRAIN_REDIS_CONNECT_TIMEOUT_MS": "500",
    "MEXTRAIN_REDIS_WAIT_MS": "500",
    "MEXTRAIN_REDIS_PING_INTERVAL_MS": "200",
    "MEXTRAIN_WATCH_MIN_HEARTBEAT_S": "0.2",
    "MEXTRAIN_WATCH_REREAD_MS": "1000",
    "MEXTRAIN_LOGGING_LEVEL": "warning",
    **{f"MEXTRAIN_LIMITS_{who}_CALLS_PER_S": "0" for who in ("PLATFORM", "PLAYER", "SPECTATOR")},
    "MEXTRAIN_LIMITS_STREAMS_PER_PLAYER": "0",
}


class Worker:
    """One worker, by whichever process it runs at present.

    Attributes:
        endpoint: its gRPC port.
    """

    def __init__(self, folder: Path, keys: LocalKeys, settings: Mapping[str, str]) -> None:
        """Prepare a worker.

        Args:
            folder: for its logs.
            keys: of the service.
            settings: variables, the address of the store among them.
        """
        port, self._metrics_port = free_ports(_HOST, 2)
        self.endpoint = f"{_HOST}:{port}"
        self._folder = folder
        self._clock = folder / f"clock-{port}"
        self.set_clock(0.0)
        self._settings = {
            **_SETTINGS,
            "MEXTRAIN_SERVER_PORT": str(port),
            "MEXTRAIN_METRICS_PORT": str(self._metrics_port),
            "MEXTRAIN_AUTH_PLATFORM_KEYS": keys.platform_entry(),
            "MEXTRAIN_AUTH_SIGNING_KEY": keys.signing_key,
            **settings,
        }
        self._life = contextlib.ExitStack()
        self._command: Command | None = None

    def start(self) -> None:
        """Start it."""
        words, environment = ("worker",), {"PYTHONPATH": str(_ROOT), **self._settings}
        started = command(
            self._folder, *words, runs=("tests.faults.skewed", str(self._clock)), **environment
        )
        self._command = self._life.enter_context(started)

    def set_clock(self, ahead_s: float) -> None:
        """Set its wall clock ahead by so many seconds; behind if it is below 0."""
        set_ahead(self._clock, ahead_s)

    def wait(self) -> None:
        """Return when it takes calls."""
        url = f"http://{_HOST}:{self._metrics_port}/metrics"
        eventually(lambda: page(url, "/readyz")[0] == 200, within_s=30)

    def kill(self) -> None:
        """End it as a crash would."""
        self._signal(signal.SIGKILL)
        self._end()

    def stop(self) -> None:
        """Ask it to stop, and return when it has."""
        self._signal(signal.SIGTERM)
        assert self._command is not None
        self._command.process.wait(30)
        self._end()

    def freeze(self) -> None:
        """Let it stand still, with all its connections."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def close(self) -> None:
        """End it, if it runs."""
        self._end()

    def logged(self) -> str:
        """Return what its present process wrote to standard error."""
        return self._command.logged() if self._command is not None else ""

    def _signal(self, number: int) -> None:
        assert self._command is not None
        os.kill(self._command.process.pid, number)

    def _end(self) -> None:
        self._life.close()
        self._command = None
