"""What a load needs: workers, Redis, bandwidth; each a sum of measured costs.

Pure arithmetic: knows costs and settings, nothing of where they come from.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from benchmarks.capacity.costs import Costs

DAY_S = 86_400.0
_ROUNDS_OF_A_MATCH = 13
_LEAST_MASTERS = 3
_NEWS_OF_A_ROUND = 2
"""That it was dealt, and that it is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What is asked of the service.

    Attributes:
        games: live ones, at the busiest moment.
        players: of each, 2 to 14.
        moves_per_day: of all games together.
        peak: moves a second at the busiest moment, over those of the day's mean.
        watching: the share of seats with an open stream, 0 to 1.
    """

    games: float
    players: int = 4
    moves_per_day: float
    peak: float = 1.0
    watching: float = 1.0

    @property
    def moves_per_s(self) -> float:
        """Moves a second at the busiest moment."""
        return self.moves_per_day / DAY_S * self.peak

    @property
    def streams(self) -> float:
        """Open streams at the busiest moment."""
        return self.games * self.players * self.watching


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """How full things may be, and what they are set to. The settings are their defaults.

    Attributes:
        worker_share: of its core that a worker is to use at the busiest moment.
        redis_share: the same of a Redis process.
        redis_bytes: data of one Redis process at most, so that it is copied to a replica in
            minutes.
        streams_per_worker: ``MEXTRAIN_WATCH_MAX_STREAMS``.
        reread_s: ``MEXTRAIN_WATCH_REREAD_MS``, in seconds.
        connections_per_worker: ``MEXTRAIN_REDIS_MAX_CONNECTIONS``, to each node.
        redis_connections: that a Redis takes: its ``maxclients``.
        feed_news: ``MEXTRAIN_WATCH_FEED_NEWS`` in ``MEXTRAIN_WATCH_FEED_PARTITIONS`` parts.
        finished_s: ``MEXTRAIN_GAMES_FINISHED_TTL_S``.
        followed_together: all streams of a game are led to one worker.
        least_workers: so that one may be away.
    """

    worker_share: float = 0.6
    redis_share: float = 0.5
    redis_bytes: float = 8e9
    streams_per_worker: float = 5_000
    reread_s: float = 3.0
    connections_per_worker: int = 64
    redis_connections: int = 10_000
    feed_news: int = 8 * 10_000
    finished_s: float = DAY_S
    followed_together: bool = False
    least_workers: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Needs:
    """What a load needs.

    Attributes:
        moves_per_s: at the busiest moment.
        streams: open then.
        worker_cores: that workers use.
        workers: processes, each on a core of its own.
        workers_bound_by: what their number follows from.
        worker_bytes: memory of each.
        rereads_per_s: looks at followed games, of all workers.
        redis_cores: that Redis uses.
        redis_bytes: data in Redis.
        shards: masters.
        shards_bound_by: what their number follows from.
        client_bytes_per_s: to and from players.
        redis_bytes_per_s: between workers and Redis.
        connections_per_redis: of all workers to one node, at most.
        feed_s: how far back the feed of one platform with all games reaches.
    """

    moves_per_s: float
    streams: float
    worker_cores: float
    workers: int
    workers_bound_by: str
    worker_bytes: float
    rereads_per_s: float
    redis_cores: float
    redis_bytes: float
    shards: int
    shards_bound_by: str
    client_bytes_per_s: float
    redis_bytes_per_s: float
    connections_per_redis: int
    feed_s: float


def needs(load: Load, costs: Costs, terms: Terms) -> Needs:
    """Return what a load needs.

    The more workers, the more of them follow the same game for its players, who are led to any of
    them; so the number of workers is found by starting with few and adding.
    """
    workers = terms.least_workers
    while True:
        cores = worker_cores(load, costs, terms, workers)
        wanted = {
            "availability": terms.least_workers,
            "CPU": math.ceil(cores / terms.worker_share),
            "streams": math.ceil(load.streams / terms.streams_per_worker),
        }
        bound_by = max(wanted, key=lambda name: wanted[name])
        if wanted[bound_by] <= workers:
            break
        workers = wanted[bound_by]
    rereads = rereads_per_s(load, terms, workers)
    reads = rereads + load.moves_per_s * followers(load, terms, workers)
    redis_cores = 1e-6 * (
        load.moves_per_s * costs.redis_us_per_move + reads * costs.redis_us_per_reread
    )
    data = redis_bytes(load, costs, terms)
    shards = {
        "one is enough": 1,
        "CPU": masters(redis_cores / terms.redis_share),
        "memory": masters(data / terms.redis_bytes),
    }
    shards_bound_by = max(shards, key=lambda name: shards[name])
    return Needs(
        moves_per_s=load.moves_per_s,
        streams=load.streams,
        worker_cores=cores,
        workers=workers,
        workers_bound_by=bound_by,
        worker_bytes=costs.worker_bytes + costs.worker_bytes_per_stream * load.streams / workers,
        rereads_per_s=rereads,
        redis_cores=redis_cores,
        redis_bytes=data,
        shards=shards[shards_bound_by],
        shards_bound_by=shards_bound_by,
        client_bytes_per_s=load.moves_per_s * wire_bytes(load, costs),
        redis_bytes_per_s=load.moves_per_s * costs.redis_bytes_per_move,
        connections_per_redis=workers * terms.connections_per_worker,
        feed_s=terms.feed_news / max(news_per_s(load, costs), 1e-9),
    )


def masters(times: float) -> int:
    """Return the masters that carry so many times what one may: one, or a Cluster's three or more.

    >>> masters(0.2), masters(1.5), masters(3.1)
    (1, 3, 4)
    """
    return 1 if times <= 1 else max(_LEAST_MASTERS, math.ceil(times))


def worker_cores(load: Load, costs: Costs, terms: Terms, workers: int) -> float:
    """Return the cores that so many workers use."""
    watchers = load.players * load.watching
    per_move_us = (
        costs.worker_us_per_move
        + followers(load, terms, workers) * costs.worker_us_per_read_on
        + watchers * costs.worker_us_per_message
    )
    streams_us = load.streams * costs.worker_us_per_stream_s
    return 1e-6 * (load.moves_per_s * per_move_us + streams_us) + workers * costs.worker_share_quiet


def followers(load: Load, terms: Terms, workers: int) -> float:
    """Return how many workers follow a game on average: those at which one of its streams is."""
    watchers = load.players * load.watching
    if terms.followed_together:
        return min(1.0, watchers)
    return workers * (1.0 - math.pow(1 - 1 / workers, watchers))


def rereads_per_s(load: Load, terms: Terms, workers: int) -> float:
    """Return how often followed games are looked at without a hint."""
    return load.games * followers(load, terms, workers) / terms.reread_s


def redis_bytes(load: Load, costs: Costs, terms: Terms) -> float:
    """Return the data of live games and of matches that are over and still kept."""
    finished = load.moves_per_day / costs.moves_per_match * terms.finished_s / DAY_S
    return load.games * game_bytes(costs, load.players) + finished * costs.redis_bytes_per_match


def game_bytes(costs: Costs, players: int) -> float:
    """Return the data of a live game, between the numbers of players that were measured."""
    known = sorted(costs.redis_bytes_per_game)
    if players in known:
        return costs.redis_bytes_per_game[players]
    below = max(each for each in known if each < players)
    above = min(each for each in known if each > players)
    share = (players - below) / (above - below)
    low, high = costs.redis_bytes_per_game[below], costs.redis_bytes_per_game[above]
    return low + share * (high - low)


def wire_bytes(load: Load, costs: Costs) -> float:
    """Return the bytes to and from all players for a move."""
    call = costs.wire_bytes_per_move - 4 * costs.wire_bytes_per_event
    return call + load.players * load.watching * costs.wire_bytes_per_event


def news_per_s(load: Load, costs: Costs) -> float:
    """Return the news of all games for the platforms' feeds."""
    rounds = load.moves_per_s / costs.moves_per_match * _ROUNDS_OF_A_MATCH
    return rounds * _NEWS_OF_A_ROUND
