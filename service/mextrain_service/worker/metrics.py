"""What a worker tells Prometheus of itself and of its streams."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Info,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)

from mextrain_engine import RULES_REVISION
from mextrain_service.collectors import Latencies

if TYPE_CHECKING:
    from mextrain_service.worker.health import Readiness

_DISTRIBUTION: Final = "mextrain"


def new_registry() -> CollectorRegistry:
    """Return a registry of this worker's own, with what Python knows of the process."""
    # They are a second series for each one, of no use for counters that begin at zero.
    disable_created_metrics()  # type: ignore[no-untyped-call]
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    PlatformCollector(registry=registry)
    GCCollector(registry=registry)
    return registry


def tell_of_process(registry: CollectorRegistry, readiness: Readiness) -> None:
    """Register ``mextrain_build_info`` and ``mextrain_ready``."""
    build = Info("mextrain_build", "Which release this is.", registry=registry)
    build.info({"version": _version(), "rules_revision": str(RULES_REVISION)})
    ready = Gauge("mextrain_ready", "1 while this worker takes calls, else 0.", registry=registry)
    ready.set_function(lambda: float(readiness.is_ready))


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


def _version() -> str:
    try:
        return version(_DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"
