"""Counts and times what is asked on streams. Knows kinds and reasons: labels with few values."""

from __future__ import annotations

from functools import cache

from mextrain.v1.channel_pb2 import ChannelAsk
from prometheus_client import CollectorRegistry, Histogram

from mextrain_service.transport.channels.asked import OK
from mextrain_service.transport.interceptors.metrics import LATENCY_BUCKETS_S
from mextrain_service.transport.move_counter import MADE, MoveCounter


class AskMetrics:
    """The ``AskMeter`` of the service."""

    def __init__(self, registry: CollectorRegistry, moves: MoveCounter) -> None:
        """Register the metric; ``moves`` counts the moves that are asked for."""
        self._moves = moves
        seconds = Histogram(
            "mextrain_ask_seconds",
            "How long what was asked on streams took, until its answer could be sent.",
            ("ask", "outcome"),
            buckets=LATENCY_BUCKETS_S,
            registry=registry,
        )
        self._seconds = cache(seconds.labels)

    def asked(self, ask: ChannelAsk, kind: str, outcome: str, seconds: float) -> None:
        """Hear that an ask was answered; see ``AskMeter``."""
        self._seconds(kind, outcome).observe(seconds)
        if kind == "play":
            self._moves.count(ask.play.moves, MADE if outcome == OK else outcome)
