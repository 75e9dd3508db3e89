"""Counters and histograms at little cost: plain numbers, which a collector hands to Prometheus."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import accumulate
from typing import Final, Generic, TypeVar

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector
from prometheus_client.utils import floatToGoString

LATENCY_BUCKETS_S: Final = (
    *(0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
)
"""Upper bounds of the latency histograms, in seconds."""

_BOUNDS: Final = (*map(floatToGoString, LATENCY_BUCKETS_S), "+Inf")


class _Series:
    """One histogram: how many values fell into each bucket, and their sum."""

    __slots__ = ("counts", "total")

    def __init__(self) -> None:
        self.counts = [0] * len(_BOUNDS)
        self.total = 0.0


_Value = TypeVar("_Value")


class _Labelled(Collector, Generic[_Value]):
    """A value for each set of labels."""

    def __init__(
        self, name: str, documentation: str, labels: tuple[str, ...], registry: CollectorRegistry
    ) -> None:
        """Register the metric."""
        self._family = name, documentation
        self._labels = labels
        self._series: dict[tuple[str, ...], _Value] = {}
        registry.register(self)


class Latencies(_Labelled[_Series]):
    """A histogram of seconds for each set of labels."""

    def observe(self, labels: tuple[str, ...], seconds: float) -> None:
        """Count a value."""
        series = self._series.get(labels)
        if series is None:
            series = self._series[labels] = _Series()
        series.counts[bisect_left(LATENCY_BUCKETS_S, seconds)] += 1
        series.total += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Hand the numbers to Prometheus."""
        family = HistogramMetricFamily(*self._family, labels=self._labels)
        for labels, series in list(self._series.items()):
            buckets = list(zip(_BOUNDS, accumulate(series.counts), strict=True))
            family.add_metric(labels, buckets, series.total)
        yield family


class Counts(_Labelled[int]):
    """A counter for each set of labels."""

    def add(self, labels: tuple[str, ...]) -> None:
        """Count one."""
        self._series[labels] = self._series.get(labels, 0) + 1

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Hand the numbers to Prometheus."""
        family = CounterMetricFamily(*self._family, labels=self._labels)
        for labels, count in list(self._series.items()):
            family.add_metric(labels, count)
        yield family
