"""What a soak came to, as figures."""

from __future__ import annotations

from typing import Final

from tests.soak.memory import Memory
from tests.soak.soak import Outcome

MOST_GROWTH_MIB: Final = 64.0
"""More than this, from when it was warm to the end, counts as a leak."""


def figures(outcome: Outcome) -> dict[str, object]:
    """Return the figures by name, in the order in which they are read."""
    tally = outcome.tally
    return {
        "seconds": round(outcome.seconds, 1),
        "matches": tally.begun,
        "matches_finished": tally.finished,
        "moves_acknowledged": tally.acknowledged,
        "attempts_retried": tally.retried,
        "moves_repeated": tally.repeated,
        "attempts_failed": dict(tally.failures.most_common()),
        "workers_killed": tally.killed,
        "workers_stopped": tally.stopped,
        "watch_streams": tally.streams,
        "watch_drops": tally.drops,
        "watch_cut_off": tally.cut_off,
        "events_checked": tally.events,
        "events_replayed": tally.facts,
        "news_read": tally.news,
        "play_move_p50_ms": round(tally.percentile_ms(50), 1),
        "play_move_p99_ms": round(tally.percentile_ms(99), 1),
        "worker_rss_mib": _memory(outcome.worker),
        "valkey_rss_mib": _memory(outcome.valkey),
        "stored_keys": outcome.doctor["keys"],
        "faults": list(problems(outcome)),
    }


def problems(outcome: Outcome) -> tuple[str, ...]:
    """Return the promises that were broken, and memory that is not flat."""
    leaks = tuple(
        f"{name} grew by {memory.growth:.1f} MiB"
        for name, memory in (("the worker", outcome.worker), ("the store", outcome.valkey))
        if memory.growth > MOST_GROWTH_MIB
    )
    return (*outcome.faults, *leaks)


def _memory(memory: Memory) -> dict[str, float]:
    return {
        "first": round(memory.first, 1),
        "last": round(memory.last, 1),
        "growth_when_warm": round(memory.growth, 1),
        "slope_per_minute": round(memory.slope, 2),
    }
