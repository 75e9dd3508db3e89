"""Counts and times the requests on streams."""

from __future__ import annotations

from mextrain.v1.channel_pb2 import ChannelRequest
from prometheus_client import CollectorRegistry

from mextrain_service.collectors import Latencies
from mextrain_service.rpc.channels.pending_request import OK
from mextrain_service.rpc.move_counter import MADE, MoveCounter


class ChannelRequestMetrics:
    """The ``ChannelRequestMeter`` of the service."""

    def __init__(self, registry: CollectorRegistry, moves: MoveCounter) -> None:
        """Register the metric; ``moves`` counts the moves that are requested."""
        self._moves = moves
        self._seconds = Latencies(
            "mextrain_channel_request_seconds",
            "How long requests on streams took, until the response could be sent.",
            ("request", "outcome"),
            registry,
        )

    def record(self, request: ChannelRequest, kind: str, outcome: str, seconds: float) -> None:
        """Record a request that was answered; see ``ChannelRequestMeter``."""
        self._seconds.observe((kind, outcome), seconds)
        if kind == "play":
            self._moves.count(request.play.moves, MADE if outcome == OK else outcome)
