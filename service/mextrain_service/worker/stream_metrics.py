"""Counts streams and times what they deliver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import Counter, Gauge

from mextrain_service.collectors import Latencies

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry


class StreamMetrics:
    """The ``StreamMeter`` of a worker."""

    def __init__(self, registry: CollectorRegistry) -> None:
        """Register the metrics."""
        self._watchers = Gauge(
            "mextrain_watchers", "Streams that are open now.", ("method",), registry=registry
        )
        self._watched = Counter(
            "mextrain_watches", "Streams that were opened.", ("method",), registry=registry
        )
        self._lag_seconds = Latencies(
            "mextrain_delivery_lag_seconds",
            "From the commit of a change until it was about to be sent to a watcher.",
            ("method",),
            registry,
        )

    def opened(self, method: str) -> None:
        """See ``StreamMeter.opened``."""
        self._watchers.labels(method).inc()
        self._watched.labels(method).inc()

    def closed(self, method: str) -> None:
        """See ``StreamMeter.closed``."""
        self._watchers.labels(method).dec()

    def delivered(self, method: str, lag_s: float) -> None:
        """See ``StreamMeter.delivered``."""
        self._lag_seconds.observe((method,), lag_s)
