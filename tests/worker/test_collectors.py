"""Counters of plain numbers say what those of the Prometheus client would."""

from __future__ import annotations

import random

from prometheus_client import CollectorRegistry, Counter, Histogram
from prometheus_client.exposition import generate_latest

from mextrain_service.collectors import LATENCY_BUCKETS_S, Counts, Latencies

LABELS = [("GetGame", "OK"), ("PlayMove", "OK"), ("PlayMove", "ABORTED")]


def _lines(registry: CollectorRegistry) -> list[str]:
    """Return the samples in any order, without the moments at which series were made."""
    text = generate_latest(registry).decode()
    return sorted(line for line in text.splitlines() if "_created" not in line)


def test_latencies_are_told_like_a_histogram() -> None:
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    latencies = Latencies("call_seconds", "How long.", ("method", "code"), ours)
    histogram = Histogram(
        "call_seconds", "How long.", ("method", "code"), buckets=LATENCY_BUCKETS_S, registry=theirs
    )
    chance = random.Random(1)
    for seconds in (*LATENCY_BUCKETS_S, *(chance.expovariate(20) for _ in range(1_000)), 7.0):
        labels = chance.choice(LABELS)
        latencies.observe(labels, seconds)
        histogram.labels(*labels).observe(seconds)
    assert _lines(theirs) == _lines(ours)


def test_counts_are_told_like_a_counter() -> None:
    ours, theirs = CollectorRegistry(), CollectorRegistry()
    counts = Counts("errors", "Calls.", ("method", "reason"), ours)
    counter = Counter("errors", "Calls.", ("method", "reason"), registry=theirs)
    for labels in random.Random(2).choices(LABELS, k=100):
        counts.add(labels)
        counter.labels(*labels).inc()
    assert _lines(theirs) == _lines(ours)


def test_metric_that_was_never_counted_is_named_all_the_same() -> None:
    registry = CollectorRegistry()
    Counts("errors", "Calls.", ("method",), registry)
    assert ["# HELP errors_total Calls.", "# TYPE errors_total counter"] == _lines(registry)
