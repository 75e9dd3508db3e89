"""What is asked of every server of the comparison, and what it answers with."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Played:
    """What some moves took, each with its update at all four seats.

    Attributes:
        moves: how many.
        seconds: from the first move sent to the last update received.
        latencies_ms: of each, from sending it to the mover's update.
        wire_bytes: to and from all seats, without the headers of TCP and IP.
        generator_cpu_s: CPU time of the load generator.
        server_cpu_s: CPU time of the server, without its store.
        store_cpu_s: CPU time of the Redis that it stores in; 0 without one.
    """

    moves: int
    seconds: float
    latencies_ms: Sequence[float]
    wire_bytes: int
    generator_cpu_s: float
    server_cpu_s: float
    store_cpu_s: float

    def figures(self) -> dict[str, float]:
        """Return what is told of it."""
        ordered = sorted(self.latencies_ms)
        return {
            "moves_per_cpu_s": self.moves / self.server_cpu_s,
            "moves_per_cpu_s_with_store": self.moves / (self.server_cpu_s + self.store_cpu_s),
            "moves_per_s": self.moves / self.seconds,
            "p50_ms": statistics.median(ordered),
            "p99_ms": ordered[int(0.99 * (len(ordered) - 1))],
            "wire_bytes_per_move": self.wire_bytes / self.moves,
            "generator_share": self.generator_cpu_s / self.seconds,
        }


class Contestant(Protocol):
    """A running server with the game, and the load on it."""

    def open(self, games: int) -> None:
        """Create so many games more and connect all four seats of each."""

    def play(self, first: int, until: int) -> Played:
        """Make these moves of the recorded round in every open game, one game beside the other."""

    def close(self) -> None:
        """Disconnect from all games."""

    def server_bytes(self) -> int:
        """Return the memory of the server's process to itself."""

    def store_bytes(self) -> int:
        """Return the memory that its Redis uses; 0 without one."""
