"""Players who make the moves of a recorded round at a steady rate, and what that costs a worker."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.rounds import Table, Turn, play_request
from benchmarks.servers import Server
from benchmarks.streams import Connection, Connections

_PUMP_S = 0.05


@dataclass(frozen=True, slots=True)
class Made:
    """A move that was made.

    Attributes:
        game_id: where.
        version: the game's version after it.
        sent_s: when it was sent, on the clock of ``time.perf_counter``.
        answered_s: when its answer came.
    """

    game_id: str
    version: int
    sent_s: float
    answered_s: float


@dataclass(slots=True)
class Phase:
    """What the worker and the players used during a stretch of time.

    Attributes:
        seconds: from the first move sent to the last answer.
        worker_s: CPU time of the worker.
        own_s: CPU time of this process, which makes the moves.
        moves: how many were made.
    """

    seconds: float
    worker_s: float
    own_s: float
    moves: int = 0

    def __add__(self, later: Phase) -> Phase:
        """Return both stretches as one."""
        return Phase(
            self.seconds + later.seconds,
            self.worker_s + later.worker_s,
            self.own_s + later.own_s,
            self.moves + later.moves,
        )

    @property
    def share(self) -> float:
        """Of a core that the worker used."""
        return self.worker_s / self.seconds

    def per_move_s(self, still: Phase) -> float:
        """Return the worker's CPU time for each move, above a phase without moves."""
        return (self.share - still.share) * self.seconds / self.moves


class Players:
    """Makes the moves of a recorded round in some games, in turn, at a steady rate.

    A game's next move waits until its last one is answered, however late that is.
    """

    def __init__(self, service: Server, tables: Sequence[Table], turns: Sequence[Turn]) -> None:
        self._service = service
        self._tables = tables
        self._turns = turns
        self._made = 0
        self._unanswered: set[int] = set()

    def play(self, per_s: float, seconds: float) -> tuple[Phase, list[Made]]:
        """Make moves for so long, then wait for the last answers."""
        connection = Connection(self._service.port)
        connections = Connections((connection,))
        made: list[Made] = []
        worker_before, own_before = self._service.cpu_s(), time.process_time()
        started = time.perf_counter()
        asked, total = 0, round(per_s * seconds)
        while len(made) < total:
            due = min(total, int((time.perf_counter() - started) * per_s) + 1)
            for _ in range(asked, due):
                while self._made % len(self._tables) in self._unanswered:
                    connections.pump(_PUMP_S)
                self._make(connection, made)
            asked = due
            next_s = started + asked / per_s if asked < total else started + seconds + 1
            connections.pump(max(0.0, next_s - time.perf_counter()))
        connections.close()
        phase = Phase(
            time.perf_counter() - started,
            self._service.cpu_s() - worker_before,
            time.process_time() - own_before,
            len(made),
        )
        return phase, made

    def _make(self, connection: Connection, made: list[Made]) -> None:
        number, game = divmod(self._made, len(self._tables))
        self._made += 1
        self._unanswered.add(game)
        table, turn = self._tables[game], self._turns[number]
        sent_s = time.perf_counter()

        def answered(_: bytes) -> None:
            self._unanswered.discard(game)
            made.append(Made(table.game_id, turn.version + 1, sent_s, time.perf_counter()))

        connection.ask(play_request(table, turn), answered)
