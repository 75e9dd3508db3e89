"""Counts and times what is asked on streams."""

from __future__ import annotations

from mextrain.v1.channel_pb2 import ChannelAsk
from prometheus_client import CollectorRegistry

from mextrain_service.collectors import Latencies
from mextrain_service.rpc.channels.pending_request import OK
from mextrain_service.rpc.move_counter import MADE, MoveCounter


class AskMetrics:
    """The ``AskMeter`` of the service."""

    def __init__(self, registry: CollectorRegistry, moves: MoveCounter) -> None:
        """Register the metric; ``moves`` counts the moves that are asked for."""
        self._moves = moves
        self._seconds = Latencies(
            "mextrain_ask_seconds",
            "How long what was asked on streams took, until its answer could be sent.",
            ("ask", "outcome"),
            registry,
        )

    def asked(self, ask: ChannelAsk, kind: str, outcome: str, seconds: float) -> None:
        """Hear that an ask was answered; see ``AskMeter``."""
        self._seconds.observe((kind, outcome), seconds)
        if kind == "play":
            self._moves.count(ask.play.moves, MADE if outcome == OK else outcome)
