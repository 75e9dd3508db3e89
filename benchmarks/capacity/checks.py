"""The model held to measurements that it was not made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.capacity.costs import measured_costs
from benchmarks.capacity.model import DAY_S, Load, Terms, worker_cores

PLAYERS = 4


@dataclass(frozen=True, slots=True)
class Check:
    """A prediction and what was measured.

    Attributes:
        what: is predicted.
        from_what: the prediction is made.
        measured_by: the run that it stands beside.
        predicted: by the model.
        measured: in that run.
    """

    what: str
    from_what: str
    measured_by: str
    predicted: float
    measured: float

    @property
    def off(self) -> float:
        """How far the prediction is off: 0.1 is a tenth too much."""
        return self.predicted / self.measured - 1


def checks(kept: Mapping[str, Any]) -> tuple[Check, ...]:
    """Return all checks."""
    costs = measured_costs(kept)
    watch, scale, memory, peers, filled = (
        kept[name]["figures"] for name in ("watch", "scale", "memory", "peers", "memory_100000")
    )
    per_move_us = (
        costs.worker_us_per_move
        + costs.worker_us_per_read_on
        + PLAYERS * costs.worker_us_per_message
    )
    steady = Load(games=watch["watchers"] / PLAYERS, moves_per_day=watch["moves_per_s"] * DAY_S)
    workers = scale["workers"]
    more_games = filled["games"] - memory["games"]
    return (
        Check(
            "moves of a worker in a CPU-second, four streams on each game",
            "a move by `bench-scale`, its telling by `bench-watch`",
            "bench-peers",
            1e6 / per_move_us,
            peers["mextrain_moves_per_cpu_s"],
        ),
        Check(
            f"share of its core that a worker uses with {watch['watchers']:,.0f} streams and "
            f"{watch['moves_per_s']:.0f} moves a second",
            "a move by `bench-scale`, streams by `bench-watch`",
            "bench-watch",
            worker_cores(steady, costs, Terms(followed_together=True), 1),
            watch["worker_share"],
        ),
        Check(
            f"moves a second of {workers:.0f} workers with a core each",
            "one worker by `bench-scale`, times their number",
            "bench-scale",
            workers * 1e6 / costs.worker_us_per_move,
            scale["moves_per_s_with_cores"],
        ),
        Check(
            f"`used_memory` with {filled['games']:,.0f} live games",
            f"what {memory['games']:,.0f} take, and the slope between them",
            "bench-memory",
            memory["used_memory"] + more_games * memory["used_memory_per_game"],
            filled["used_memory"],
        ),
    )
