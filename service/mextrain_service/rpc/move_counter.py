"""Counts moves by what they are and what came of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from mextrain.v1.move_pb2 import Move
from prometheus_client import CollectorRegistry

from mextrain_service.collectors import Counts

MADE: Final = "made"
"""What came of moves that were made; for others it is the reason why they were not."""

_KINDS: Final = {
    "play_tile": "play",
    "draw_tile": "draw",
    "pass_turn": "pass",
    "call_last_tile": "call",
}


class MoveCounter:
    """The moves that were asked for."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Register the metric."""
        self._moves = Counts(
            "mextrain_moves",
            "Moves that were asked for; of a batch, all are made or none.",
            ("kind", "result"),
            registry,
        )

    def count(self, moves: Iterable[Move], result: str) -> None:
        """Count the moves of one request, which share a result."""
        for move in moves:
            self._moves.add((_kind(move), result))


def _kind(move: Move) -> str:
    """Return the kind of a move in a request, or ``unreadable``."""
    match move.WhichOneof("action"):
        case "notation":
            return _kind_of_notation(move.notation)
        case str(action):
            return _KINDS.get(action, "unreadable")
        case _:
            return "unreadable"


def _kind_of_notation(text: str) -> str:
    if text in ("draw", "pass", "call"):
        return text
    return "play" if "@" in text else "unreadable"
