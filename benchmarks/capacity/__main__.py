"""Say what a load needs, by the measured costs.

``make capacity ARGS="--games 1e6 --moves-per-day 1e9"``; with ``JSON=1`` one JSON object.
"""

from __future__ import annotations

import argparse
from dataclasses import asdict

from benchmarks.capacity.costs import kept, measured_costs
from benchmarks.capacity.model import Load, Terms, needs
from benchmarks.report import report

NOTES = {
    "moves_per_s": "at the busiest moment",
    "streams": "open then",
    "worker_cores": "that workers use",
    "workers": "processes, each on a core of its own",
    "workers_bound_by": "what their number follows from",
    "worker_bytes": "memory of each",
    "rereads_per_s": "looks at followed games without a hint",
    "redis_cores": "that Redis uses",
    "redis_bytes": "data in Redis; provide half as much again",
    "shards": "masters; a Cluster has at least three",
    "shards_bound_by": "what their number follows from",
    "client_bytes_per_s": "to and from players",
    "redis_bytes_per_s": "between workers and Redis, replicas apart",
    "connections_per_redis": "of all workers to one node, at most",
    "feed_s": "how far back the feed of one platform with all games reaches, in seconds",
}


def main() -> None:
    """Read the load and report what it needs."""
    parser = argparse.ArgumentParser(description="Say what a load needs.")
    parser.add_argument("--games", type=float, required=True, help="live at the busiest moment")
    parser.add_argument("--moves-per-day", type=float, required=True, help="of all together")
    parser.add_argument("--players", type=int, default=4, help="of each game, 2 to 14; 4")
    parser.add_argument("--peak", type=float, default=1.0, help="moves/s then over the mean; 1")
    parser.add_argument("--watching", type=float, default=1.0, help="share of seats; 1")
    parser.add_argument("--reread-s", type=float, default=3.0, help="looks at quiet games; 3")
    parser.add_argument("--together", action="store_true", help="a game's streams at one worker")
    options = parser.parse_args()
    load = Load(
        games=options.games,
        players=options.players,
        moves_per_day=options.moves_per_day,
        peak=options.peak,
        watching=options.watching,
    )
    terms = Terms(reread_s=options.reread_s, followed_together=options.together)
    report("What this load needs", asdict(needs(load, measured_costs(kept()), terms)), NOTES)


if __name__ == "__main__":
    main()
