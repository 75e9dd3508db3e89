"""The peers: their servers and their load generator, both programs for Node."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from redis import Redis

from benchmarks.peers.contestants import Played
from benchmarks.servers import Cores, ServerFailedError, cpu_s, on_core, resident_bytes
from mextrain_service.local.embedded import EmbeddedValkey

FOLDER = Path(__file__).parent
_STOP_S = 20.0


class Program:
    """A program for Node that is told what to do by lines, and answers in lines of JSON.

    Attributes:
        greeting: what it says first.
    """

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.greeting = self._next_answer()

    @property
    def pid(self) -> int:
        """Its process, which need not be the one that was started: `node` may be a script."""
        return int(self.greeting["pid"])

    def ask(self, command: str) -> dict[str, Any]:
        """Send a line and return what it answers.

        Raises:
            ServerFailedError: it has ended.
        """
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        return self._next_answer()

    def _next_answer(self) -> dict[str, Any]:
        """Return the next line that is an answer, passing over what frameworks print."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.startswith("{"):
                answer: dict[str, Any] = json.loads(line)
                return answer
        raise ServerFailedError("a program of the peers ended; are its packages installed?")


class NodePeer:
    """A peer's server and its load generator; see ``Contestant``."""

    def __init__(
        self,
        server: Program,
        load: Program,
        store: EmbeddedValkey | None,
    ) -> None:
        self._server = server
        self._load = load
        self._store = store

    def open(self, games: int) -> None:
        """Create games and connect their seats."""
        self._load.ask(f"open {games}")

    def play(self, first: int, until: int) -> Played:
        """Make moves in all games."""
        server_before, store_before = cpu_s(self._server.pid), self._store_cpu_s()
        took = self._load.ask(f"play {first} {until}")
        return Played(
            **took,
            server_cpu_s=cpu_s(self._server.pid) - server_before,
            store_cpu_s=self._store_cpu_s() - store_before,
        )

    def close(self) -> None:
        """Leave all games."""
        self._load.ask("close")

    def server_bytes(self) -> int:
        """Return the server's memory after a collection of garbage."""
        self._server.ask("memory")
        return resident_bytes(self._server.pid)

    def store_bytes(self) -> int:
        """Return what its Valkey uses."""
        return 0 if self._store is None else used_memory(self._store.url)

    def _store_cpu_s(self) -> float:
        return 0.0 if self._store is None or self._store.pid is None else cpu_s(self._store.pid)


@contextlib.contextmanager
def node_peer(
    name: str,
    cores: Cores,
    round_file: Path,
    store: EmbeddedValkey | None = None,
    environment: dict[str, str] | None = None,
) -> Iterator[NodePeer]:
    """Run a peer's server on the server's core and its load generator on the other.

    Args:
        name: of the program, ``boardgame`` or ``colyseus``.
        cores: which is which.
        round_file: the recorded round, as JSON.
        store: where it stores every move; None for nowhere.
        environment: variables that the server gets besides.

    Raises:
        ServerFailedError: it did not start.
    """
    socket = () if store is None else (unquote(store.url.removeprefix("unix://")),)
    arguments = ("--expose-gc", f"{name}.mjs", *socket)
    with _program(cores.server, *arguments, environment=environment) as server:
        port = str(server.greeting["port"])
        with _program(cores.load, "load.mjs", name, port, str(round_file)) as load:
            yield NodePeer(server, load, store)


def used_memory(url: str) -> int:
    """Return what a Valkey says that it uses, in bytes."""
    with Redis.from_url(url) as client:
        memory = client.info("memory")
        assert isinstance(memory, dict)
        return int(memory["used_memory"])


@contextlib.contextmanager
def _program(
    core: int, *arguments: str, environment: dict[str, str] | None = None
) -> Iterator[Program]:
    """Run a program; it ends when its standard input does."""
    with on_core(core):
        process = subprocess.Popen(
            ["node", *arguments],
            cwd=FOLDER,
            env={**os.environ, "NODE_ENV": "production", **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
    with process:
        try:
            yield Program(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            try:
                process.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                process.kill()
