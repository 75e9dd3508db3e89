"""Tells Prometheus of the worker itself: which release it is, and whether it takes calls."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry, Gauge, Info

from mextrain_engine import RULES_REVISION

if TYPE_CHECKING:
    from mextrain_service.worker.health import Readiness

_DISTRIBUTION: Final = "mextrain"


def tell_of_process(registry: CollectorRegistry, readiness: Readiness) -> None:
    """Register ``mextrain_build_info`` and ``mextrain_ready``."""
    build = Info("mextrain_build", "Which release this is.", registry=registry)
    build.info({"version": _version(), "rules_revision": str(RULES_REVISION)})
    ready = Gauge("mextrain_ready", "1 while this worker takes calls, else 0.", registry=registry)
    ready.set_function(lambda: float(readiness.is_ready))


def _version() -> str:
    try:
        return version(_DISTRIBUTION)
    except PackageNotFoundError:
        return "unknown"
