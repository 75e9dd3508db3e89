"""Counts and times every call.

Knows method names, codes and kinds of moves: labels whose values are few and hold no secret.
"""

from __future__ import annotations

from functools import cache
from time import perf_counter
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from mextrain_service.transport.interceptors.call import Call
from mextrain_service.transport.interceptors.interceptor import Handle, Interceptor, Method
from mextrain_service.transport.interceptors.outcome import OK, Outcome, outcome_of
from mextrain_service.transport.move_counter import MADE, MoveCounter

LATENCY_BUCKETS_S: Final = (
    *(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
)
"""Upper bounds of the latency histograms, in seconds."""


class MetricsInterceptor(Interceptor):
    """Latency by method and code, calls in flight, moves by kind and result."""

    def __init__(self, registry: CollectorRegistry, moves: MoveCounter) -> None:
        """Register the metrics; ``moves`` counts the moves that calls ask for."""
        seconds = Histogram(
            "mextrain_call_seconds",
            "How long calls took.",
            ("method", "code"),
            buckets=LATENCY_BUCKETS_S,
            registry=registry,
        )
        self._seconds = cache(seconds.labels)  # few, and to find one takes longer than to use it
        self._calls = 0
        in_flight = Gauge("mextrain_calls_in_flight", "Calls being handled now.", registry=registry)
        in_flight.set_function(lambda: self._calls)
        self._errors = Counter(
            "mextrain_call_errors",
            "Calls that ended in an error, by their stable reason.",
            ("method", "reason"),
            registry=registry,
        )
        self._moves = moves

    def around(self, method: Method, inner: Handle) -> Handle:
        """Count and time each call when it has ended."""
        del method

        async def handle(call: Call) -> None:
            started = perf_counter()
            outcome = OK
            self._calls += 1
            try:
                await inner(call)
            except BaseException as error:
                outcome = outcome_of(error, call)
                raise
            finally:
                self._calls -= 1
                self._seconds(call.method, outcome.code).observe(perf_counter() - started)
                self._count(call, outcome)

        return handle

    def _count(self, call: Call, outcome: Outcome) -> None:
        if outcome is not OK:
            self._errors.labels(call.method, outcome.reason or outcome.code).inc()
        if call.method == "PlayMove":
            result = MADE if outcome is OK else outcome.reason or outcome.code
            self._moves.count(call.request.moves, result)
