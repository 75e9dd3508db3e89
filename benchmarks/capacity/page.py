"""Write docs/capacity.md from the measured costs and the model.

``make docs-capacity``.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.capacity.checks import checks
from benchmarks.capacity.costs import Costs, kept, measured_costs
from benchmarks.capacity.limits import LIMITS, met_at, scaled
from benchmarks.capacity.model import Load, Needs, Terms, needs

MOVE_EVERY_S = 10.0
LIVE = Load(games=1, moves_per_day=86_400 / MOVE_EVERY_S)
"""A table where a move is made every ten seconds, its four players watching."""

SLOW = Load(games=1, moves_per_day=20, peak=3, watching=0.02)
"""A game by correspondence: twenty moves a day, few watching at the same time."""

TUNED = Terms(followed_together=True, reread_s=30, streams_per_worker=20_000)
"""What large installations change."""

DECADES = tuple(10**power for power in range(3, 8))

TEMPLATE = Path(__file__).with_name("page.txt")


def page() -> str:
    """Return the page."""
    found = kept()
    costs, terms = measured_costs(found), Terms()
    scale = found["scale"]["figures"]
    full_bytes = costs.worker_bytes + costs.worker_bytes_per_stream * terms.streams_per_worker
    return TEMPLATE.read_text(encoding="utf-8").format(
        costs=costs,
        slow=SLOW,
        move_every_s=MOVE_EVERY_S,
        worker_share=terms.worker_share,
        streams_per_worker=terms.streams_per_worker,
        reread_s=terms.reread_s,
        redis_share=terms.redis_share,
        redis_gb=terms.redis_bytes / 1e9,
        game_bytes=costs.redis_bytes_per_game[4],
        contention=scale["own_core_contention"],
        coherency=scale["own_core_coherency"],
        cores=scale["cores"],
        worker_mib=costs.worker_bytes / 2**20,
        full_mib=full_bytes / 2**20,
        live=_decades(LIVE, costs, terms),
        together=_decades(LIVE, costs, TUNED),
        by_correspondence=_decades(SLOW, costs, terms),
        breaking=_breaking(costs, terms),
        checks=_checks(found),
        sources=_sources(found),
    )


def _decades(per_game: Load, costs: Costs, terms: Terms) -> str:
    rows = []
    for games in DECADES:
        found = needs(scaled(per_game, games), costs, terms)
        rows.append((f"{games:,}", *_row(found)))
    return _table(
        (
            "live games",
            "moves/s",
            "streams",
            "workers, bound by",
            "looks/s",
            "Redis cores",
            "Redis data",
            "masters, bound by",
            "players' traffic",
            "Redis' traffic",
        ),
        rows,
    )


def _row(found: Needs) -> tuple[str, ...]:
    return (
        _count(found.moves_per_s),
        _count(found.streams),
        f"{found.workers:,}, {found.workers_bound_by}",
        _count(found.rereads_per_s),
        _count(found.redis_cores),
        _bytes(found.redis_bytes),
        f"{found.shards:,}, {found.shards_bound_by}",
        f"{_bytes(found.client_bytes_per_s)}/s",
        f"{_bytes(found.redis_bytes_per_s)}/s",
    )


def _breaking(costs: Costs, terms: Terms) -> str:
    met = [(met_at(limit, LIVE, costs, terms), limit) for limit in LIMITS]
    rows = [
        (_decade(games), _games(games), limit.what, limit.handled)
        for games, limit in sorted(met, key=lambda each: each[0])
    ]
    return _table(("decade", "live games", "what breaks", "how it is handled"), rows)


def _checks(found: Mapping[str, Any]) -> str:
    rows = [
        (
            check.what,
            check.from_what,
            _figure(check.predicted),
            f"{_figure(check.measured)} (`make {check.measured_by}`)",
            f"{check.off:+.0%}",
        )
        for check in checks(found)
    ]
    return _table(("what", "predicted from", "predicted", "measured", "off by"), rows)


def _sources(found: Mapping[str, Any]) -> str:
    rows = [
        (f"`{each['command']}`", each["date"], each["machine"], f"{each['load_average_at_end']:g}")
        for _, each in sorted(found.items())
    ]
    return _table(("command", "date", "machine", "load average at the end"), rows)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def _decade(games: float) -> str:
    return "beyond" if games >= 10 * DECADES[-1] else f"1e{max(3, math.floor(math.log10(games)))}"


def _games(games: float) -> str:
    return "more than a billion" if math.isinf(games) else _count(games)


def _count(value: float) -> str:
    """Return a number with two digits that count."""
    if value < 1:
        return f"{value:.2g}"
    digits = max(0, math.floor(math.log10(value)) - 1)
    return f"{round(value, -digits):,.0f}"


def _figure(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:,.0f}"


def _bytes(value: float) -> str:
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.0f} B"


if __name__ == "__main__":
    sys.stdout.write(page())
