"""Counts and times calls.

The labels are method names, codes, reasons and kinds of moves: few values, and no secret.
"""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Gauge

from mextrain_service.collectors import Counts, Latencies
from mextrain_service.rpc.call import Call
from mextrain_service.rpc.move_counter import MADE, MoveCounter
from mextrain_service.rpc.outcome import OK, Outcome


class CallMetrics:
    """Latency by method and code, calls in flight, errors, moves by kind and result.

    Attributes:
        in_flight: calls and streams that are being served now.
    """

    def __init__(self, registry: CollectorRegistry, moves: MoveCounter) -> None:
        """Register the metrics; ``moves`` counts the moves that calls ask for."""
        self.in_flight = 0
        self._seconds = Latencies(
            "mextrain_call_seconds", "How long calls took.", ("method", "code"), registry
        )
        in_flight = Gauge("mextrain_calls_in_flight", "Calls being handled now.", registry=registry)
        in_flight.set_function(lambda: self.in_flight)
        self._errors = Counts(
            "mextrain_call_errors",
            "Calls that ended in an error, by their stable reason.",
            ("method", "reason"),
            registry,
        )
        self._moves = moves

    def ended(self, call: Call, outcome: Outcome, seconds: float) -> None:
        """Count a call that has ended."""
        self.in_flight -= 1
        self._seconds.observe((call.method, outcome.code), seconds)
        if outcome is not OK:
            self._errors.add((call.method, outcome.reason or outcome.code))
        if call.method == "PlayMove" and call.request is not None:
            result = MADE if outcome is OK else outcome.reason or outcome.code
            self._moves.count(call.request.moves, result)
