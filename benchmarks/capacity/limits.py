"""What breaks as games grow in number, at how many, and how it is handled.

Each limit is a load divided by what can be had of it in a form that more of the same does not cure.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from benchmarks.capacity.costs import Costs
from benchmarks.capacity.model import Load, Needs, Terms, needs, worker_cores

FEED_S = 60.0
"""A platform's reader may be away for so long at least without losing news."""

CLUSTER_MASTERS = 500
"""Masters with a replica each in a Cluster of 1,000 nodes, which Redis recommends at most."""

DEADLINE_SETS = 16
"""Sets that the deadlines of all games are in, each at one master."""

_MOST_GAMES = 1e9


@dataclass(frozen=True, slots=True)
class Limit:
    """Something that breaks.

    Attributes:
        what: breaks.
        handled: how.
        fullness: load over limit, of a load and what it needs.
    """

    what: str
    handled: str
    fullness: Callable[[Load, Needs, Costs, Terms], float]


LIMITS = (
    Limit(
        "the streams that one worker carries (`MEXTRAIN_WATCH_MAX_STREAMS`)",
        "a second worker, which is there for availability anyway; or a higher setting, at the "
        "memory that each stream takes",
        lambda load, _, __, terms: load.streams / terms.streams_per_worker,
    ),
    Limit(
        "one worker's core",
        "more workers: they share nothing but Redis (`MEXTRAIN_SERVER_WORKERS`, replicas)",
        lambda load, _, costs, terms: worker_cores(load, costs, terms, 1),
    ),
    Limit(
        "the core of a single Redis",
        "a Cluster; before that, lead the streams of a game to one worker, or look at quiet "
        "games less often (`MEXTRAIN_WATCH_REREAD_MS`): hints bring the news, looks only cover "
        "lost hints",
        lambda _, found, __, ___: found.redis_cores,
    ),
    Limit(
        "the memory of a single Redis",
        "a Cluster; live games that nobody touches leave after `MEXTRAIN_GAMES_LIVE_TTL_S`",
        lambda _, found, __, terms: found.redis_bytes / terms.redis_bytes,
    ),
    Limit(
        "connections to each Redis node, if all workers open all that they may",
        "`MEXTRAIN_REDIS_MAX_CONNECTIONS` down to 8, or `maxclients` up",
        lambda _, found, __, terms: found.connections_per_redis / terms.redis_connections,
    ),
    Limit(
        f"the feed of a platform that has all games: it reaches back less than {FEED_S:.0f} s",
        "`MEXTRAIN_WATCH_FEED_NEWS` up (some 100 bytes each), more "
        "`MEXTRAIN_WATCH_FEED_PARTITIONS` so that more masters carry it",
        lambda _, found, __, ___: FEED_S / found.feed_s,
    ),
    Limit(
        f"the {DEADLINE_SETS} sets of deadlines, if every table has a clock (taken to cost Redis "
        "as much as a move does; not measured)",
        "the number of sets is a constant (`PARTITIONS` in `storage/deadlines.py`); raising it is "
        "a change of what is stored",
        lambda load, _, costs, __: load.moves_per_s * costs.redis_us_per_move / 1e6 / DEADLINE_SETS,
    ),
    Limit(
        f"a Redis Cluster of {CLUSTER_MASTERS} masters with a replica each",
        "lead the streams of a game to one worker and look at quiet games less often; then several "
        "Clusters, each with its workers, platforms spread over them",
        lambda _, found, __, ___: found.shards / CLUSTER_MASTERS,
    ),
)
"""In no order; at how many games each is met follows from costs and load."""


def met_at(limit: Limit, per_game: Load, costs: Costs, terms: Terms) -> float:
    """Return at how many live games a limit is met; infinity if it is beyond a billion.

    Args:
        limit: which.
        per_game: the load of one game.
        costs: as measured.
        terms: how full things may be.
    """

    def fullness(games: float) -> float:
        load = scaled(per_game, games)
        return limit.fullness(load, needs(load, costs, terms), costs, terms)

    low, high = 1.0, _MOST_GAMES
    if fullness(high) < 1:
        return float("inf")
    while high / low > 1.001:
        middle = (low * high) ** 0.5
        low, high = (middle, high) if fullness(middle) < 1 else (low, middle)
    return high


def scaled(per_game: Load, games: float) -> Load:
    """Return the load of so many games like one."""
    return replace(per_game, games=games, moves_per_day=per_game.moves_per_day * games)
