"""Many watchers in a process of their own: they note when each message came, and nothing else.

What came stays bytes until the run is over.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection as Pipe
from typing import NoReturn

from google.protobuf.duration_pb2 import Duration
from mextrain.v1 import game_service_pb2

from benchmarks.streams import Connection, Connections
from benchmarks.wire import request

WATCH_PATH = "/mextrain.v1.GameService/WatchGame"
HEARTBEAT_S = 15
_PUMP_S = 0.05
_OPENING_AT_ONCE = 32
"""Streams of a process that wait for their first message: a storm of them is not measured here."""


@dataclass(frozen=True, slots=True)
class Watcher:
    """Who is to watch.

    Attributes:
        game_id: what.
        token: with which seat's eyes.
    """

    game_id: str
    token: str


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message with events that came to a watcher.

    Attributes:
        game_id: of which game.
        version: the last version that it tells of.
        at_s: when it came, on the clock of ``time.perf_counter``, which all processes share.
    """

    game_id: str
    version: int
    at_s: float


@dataclass(slots=True)
class Watched:
    """What one process of watchers has seen since it was last asked.

    Attributes:
        deliveries: in the order in which they came.
        heartbeats: how many.
        others: resets and ends; none are expected after the first message of each watcher.
        bytes_in: received, headers and frames included.
        cpu_s: CPU time of the process meanwhile.
        seconds: how long that was.
    """

    deliveries: list[Delivery] = field(default_factory=list)
    heartbeats: int = 0
    others: int = 0
    bytes_in: int = 0
    cpu_s: float = 0.0
    seconds: float = 0.0

    @property
    def messages(self) -> int:
        """How many came, of any kind."""
        return len(self.deliveries) + self.heartbeats + self.others


class WatcherProcess:
    """A process full of watchers, as the benchmark holds it."""

    def __init__(self, pipe: Pipe) -> None:
        self._pipe = pipe

    def wait_until_open(self) -> None:
        """Return when each watcher has had its first message."""
        assert self._pipe.recv() == "open"

    def seen(self) -> Watched:
        """Return what was seen since this was last called, or since all were open."""
        self._pipe.send("tell")
        watched: Watched = self._pipe.recv()
        return watched


@contextlib.contextmanager
def watcher_process(
    port: int, watchers: Sequence[Watcher], per_connection: int, core: int
) -> Iterator[WatcherProcess]:
    """Run a process that opens a stream for each watcher.

    Args:
        port: of the worker.
        watchers: who.
        per_connection: how many share one connection, as behind a proxy.
        core: where the process runs.
    """
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(
        target=_watch, args=(theirs, port, watchers, per_connection, core), daemon=True
    )
    process.start()
    theirs.close()
    try:
        yield WatcherProcess(ours)
    finally:
        process.terminate()
        process.join()
        ours.close()


class _Notes:
    """Messages as they come."""

    def __init__(self) -> None:
        self.first = 0
        self.taken: list[tuple[float, str, bytes]] = []

    def of(self, watcher: Watcher) -> _Noting:
        """Return what notes the messages of one watcher."""
        return _Noting(self, watcher.game_id)


class _Noting:
    """Notes the messages of one watcher."""

    __slots__ = ("_begun", "_game_id", "_notes")

    def __init__(self, notes: _Notes, game_id: str) -> None:
        self._notes = notes
        self._game_id = game_id
        self._begun = False

    def __call__(self, message: bytes) -> None:
        if self._begun:
            self._notes.taken.append((time.perf_counter(), self._game_id, message))
        else:
            self._begun = True
            self._notes.first += 1


def _watch(
    pipe: Pipe,
    port: int,
    watchers: Sequence[Watcher],
    per_connection: int,
    core: int,
) -> NoReturn:
    os.sched_setaffinity(0, {core})
    notes = _Notes()
    connections = Connections(Connection(port) for _ in range(-(-len(watchers) // per_connection)))
    for number, watcher in enumerate(watchers):
        while number - notes.first >= _OPENING_AT_ONCE:
            connections.pump(_PUMP_S)
        _open(connections.all[number // per_connection], watcher, notes)
    while notes.first < len(watchers):
        connections.pump(_PUMP_S)
    pipe.send("open")
    while True:
        since = _now(connections)
        while not pipe.poll():
            connections.pump(_PUMP_S)
        pipe.recv()
        used = tuple(now - then for now, then in zip(_now(connections), since, strict=True))
        taken, notes.taken = notes.taken, []
        pipe.send(_told(taken, *used))


def _open(connection: Connection, watcher: Watcher, notes: _Notes) -> None:
    asked = game_service_pb2.WatchGameRequest(
        game_id=watcher.game_id, heartbeat_interval=Duration(seconds=HEARTBEAT_S)
    )
    call = request(WATCH_PATH, asked.SerializeToString(), watcher.token, deadline=False)
    connection.ask(call, notes.of(watcher), endless=True)
    connection.flush()


def _now(connections: Connections) -> tuple[float, float, float]:
    bytes_in = sum(each.bytes_in for each in connections.all)
    return bytes_in, time.process_time(), time.perf_counter()


def _told(
    taken: list[tuple[float, str, bytes]], bytes_in: float, cpu_s: float, seconds: float
) -> Watched:
    watched = Watched(bytes_in=int(bytes_in), cpu_s=cpu_s, seconds=seconds)
    for at_s, game_id, message in taken:
        answer = game_service_pb2.WatchGameResponse.FromString(message)
        match answer.WhichOneof("update"):
            case "events":
                watched.deliveries.append(Delivery(game_id, answer.events.version, at_s))
            case "heartbeat":
                watched.heartbeats += 1
            case _:
                watched.others += 1
    return watched
