"""What was measured, as the model takes it: one value each, read from the file of kept figures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.report import MEASURED

PLAYERS_MEASURED = (2, 4, 8, 14)


@dataclass(frozen=True, slots=True, kw_only=True)
class Costs:
    """What things cost, each as measured.

    Attributes:
        worker_us_per_move: CPU time of a worker for a PlayMove, in microseconds.
        worker_us_per_read_on: for reading a followed game on after a move.
        worker_us_per_message: for telling one watcher of it.
        worker_us_per_stream_s: a second, for a stream on which nothing happens.
        worker_share_quiet: of a core that a worker uses when nobody calls.
        worker_bytes: memory of a worker to itself that remembers as many games as it may.
        worker_bytes_per_stream: more for each open stream.
        redis_us_per_move: CPU time of Redis for a move, in microseconds.
        redis_us_per_reread: for each time that a followed game is looked at.
        redis_bytes_per_move: to and from Redis.
        redis_bytes_per_game: memory of Redis for a live game at mid-round, by players.
        redis_bytes_per_match: for a match that is over.
        moves_per_match: moves of such a match, over all of its rounds.
        wire_bytes_per_move: to and from four seats, events included.
        wire_bytes_per_event: to one watcher.
    """

    worker_us_per_move: float
    worker_us_per_read_on: float
    worker_us_per_message: float
    worker_us_per_stream_s: float
    worker_share_quiet: float
    worker_bytes: float
    worker_bytes_per_stream: float
    redis_us_per_move: float
    redis_us_per_reread: float
    redis_bytes_per_move: float
    redis_bytes_per_game: Mapping[int, float]
    redis_bytes_per_match: float
    moves_per_match: float
    wire_bytes_per_move: float
    wire_bytes_per_event: float


def kept() -> dict[str, Any]:
    """Return what the benchmarks kept: by name, figures with date, machine and command."""
    found: dict[str, Any] = json.loads(MEASURED.read_text())
    return found


def measured_costs(found: Mapping[str, Any]) -> Costs:
    """Return the costs of what was kept.

    Raises:
        KeyError: a benchmark is missing, or one of its figures.
    """
    watch, scale, memory, peers = (
        found[name]["figures"] for name in ("watch", "scale", "memory", "peers")
    )
    read_on = max(0.0, watch["cpu_us_per_read_on"])  # a small difference, which noise can turn
    return Costs(
        worker_us_per_move=scale["worker_us_per_move"],
        worker_us_per_read_on=read_on,
        worker_us_per_message=watch["cpu_us_per_delivery"] - read_on / 4,
        worker_us_per_stream_s=watch["idle_cpu_us_per_watcher_s"],
        worker_share_quiet=watch["worker_share_quiet"],
        worker_bytes=memory["worker_bytes_at_end"],
        worker_bytes_per_stream=watch["bytes_per_watcher"],
        redis_us_per_move=scale["valkey_us_per_move"],
        redis_us_per_reread=watch["valkey_us_per_reread"],
        redis_bytes_per_move=scale["valkey_bytes_per_move"],
        redis_bytes_per_game={players: _game(memory, players) for players in PLAYERS_MEASURED},
        redis_bytes_per_match=memory["bytes_per_finished_match"],
        moves_per_match=memory["moves_of_finished_match"],
        wire_bytes_per_move=peers["mextrain_wire_bytes_per_move"],
        wire_bytes_per_event=watch["bytes_per_delivery"],
    )


def _game(memory: Mapping[str, float], players: int) -> float:
    """Return the memory of a live game, the store's own tables included.

    Those are in the slope over many games of four; games of others differ by what their keys take.
    """

    def own(seats: int) -> float:
        return memory[f"bytes_per_live_game_{seats}"] + memory[f"list_bytes_per_live_game_{seats}"]

    return memory["used_memory_per_game"] + own(players) - own(4)
