"""Measure what games and workers keep in memory.

``make bench-memory``; with ``JSON=1`` one JSON object. Games are played at a real worker and stored
in a real Valkey; what one takes there is what ``MEMORY USAGE`` says of its keys. For the store full
of games each is created at the worker, and is then given the state of one that is at mid-round.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any

from redis import Redis

from benchmarks.report import progress, report, report_grid
from benchmarks.rounds import Table, creating, opening, playing, recorded, whole_match
from benchmarks.servers import Server, on_core, resident_bytes, two_cores, valkey, worker
from benchmarks.watchers import Watcher, watcher_process
from benchmarks.wire import drive, shared
from mextrain_service.application.model import GameId
from mextrain_service.storage.keys import game_keys

PLAYERS = (2, 4, 8, 14)
SAMPLE_GAMES = 16
AT_ONCE = 32
STEPS = 5
"""In how many steps the store is filled; the slope leaves the first one out, which holds what the
store needs once."""
EXTRAPOLATED_GAMES = (100_000, 10_000_000)
WATCHED_GAMES = 64
WATCHERS_TOGETHER = 64
"""Watchers that share a connection, as behind a proxy."""

NOTES = {
    **{
        f"bytes_per_live_game_{players}": f"snapshot and log of a game of {players} at mid-round"
        for players in PLAYERS
    },
    **{
        f"list_bytes_per_live_game_{players}": "its entries on lists, if its people play no other"
        for players in PLAYERS
    },
    "bytes_per_live_game_4_with_lists": "snapshot, log and the entries on lists of a game of four",
    "bytes_per_move": "growth of a match's log, per move",
    "bytes_per_finished_match": "snapshot and log of a whole match of four",
    "moves_of_finished_match": "how many moves it had, made at random",
    "worker_bytes_at_start": "memory of a worker to itself, before its first call",
    "worker_bytes_per_watcher": "what each open stream of WatchGame adds, four at each game",
    "worker_bytes_at_end": "the same when it has seen all these games and remembers 2,048",
    "games": "live games of four at mid-round in the store",
    "used_memory": "what Valkey says that it uses for them, lists and feeds included",
    "used_memory_per_game": "slope of used_memory over games",
    "used_memory_100_000_games": "extrapolated with that slope, or measured if so many were made",
    "used_memory_10_million_games": "extrapolated with that slope",
}


def own_bytes(store: Redis, table: Table) -> int:
    """Return the bytes of a game's snapshot and log, with what their keys cost."""
    keys = game_keys(GameId(table.game_id))
    return _usage(store, (keys.snapshot, keys.log))


def list_bytes(store: Redis) -> int:
    """Return the bytes of everything on which games are listed."""
    return sum(_usage(store, store.scan_iter(f"mt:{kind}:*")) for kind in ("games", "player"))


def _usage(store: Redis, keys: Iterable[Any]) -> int:
    return sum(int(store.memory_usage(key, samples=0) or 0) for key in keys)


def per_live_game(service: Server, store: Redis, players: int) -> dict[str, float]:
    """Return what games of so many take at the middle of their first round, each."""
    turns = recorded(service.port, service.key, players)
    listed_before = list_bytes(store)
    tables = [Table() for _ in range(SAMPLE_GAMES)]
    drive(service.port, [opening(table, service.key, players) for table in tables])
    drive(service.port, [playing(table, turns[: len(turns) // 2]) for table in tables])
    own = sum(own_bytes(store, table) for table in tables)
    progress(f"games of {players}: {own / SAMPLE_GAMES:,.0f} bytes each")
    return {
        f"bytes_per_live_game_{players}": own / SAMPLE_GAMES,
        f"list_bytes_per_live_game_{players}": (list_bytes(store) - listed_before) / SAMPLE_GAMES,
    }


def per_finished_match(service: Server, store: Redis) -> dict[str, float]:
    """Return what a match takes when it is over, and its log per move."""
    table, moves = whole_match(service.port, service.key)
    log_bytes = int(store.strlen(game_keys(GameId(table.game_id)).log))
    return {
        "bytes_per_move": log_bytes / moves,
        "bytes_per_finished_match": own_bytes(store, table),
        "moves_of_finished_match": moves,
    }


def per_watcher(service: Server, load_core: int) -> dict[str, float]:
    """Return the worker's memory for each watcher of games that it knows already."""
    tables = [Table() for _ in range(WATCHED_GAMES)]
    drive(service.port, shared([opening(table, service.key) for table in tables], AT_ONCE))
    before = resident_bytes(service.pid)
    watchers = [Watcher(table.game_id, token) for table in tables for token in table.tokens]
    with watcher_process(service.port, watchers, WATCHERS_TOGETHER, load_core) as watching:
        watching.wait_until_open()
        added = resident_bytes(service.pid) - before
    progress(f"{len(watchers)} watchers: {added / len(watchers):,.0f} bytes each")
    return {"worker_bytes_per_watcher": added / len(watchers)}


class FullStore:
    """A store that is filled with games of four at mid-round."""

    def __init__(self, service: Server, store: Redis) -> None:
        self._service = service
        self._store = store
        turns = recorded(service.port, service.key)
        model = Table()
        drive(service.port, [opening(model, service.key)])
        drive(service.port, [playing(model, turns[: len(turns) // 2])])
        keys = game_keys(GameId(model.game_id))
        self._states = [store.dump(key) or b"" for key in (keys.snapshot, keys.log)]
        self._life_ms = int(store.pttl(keys.snapshot))

    def fill(self, games: int) -> dict[int, int]:
        """Add games in steps; return ``used_memory`` by how many had been added."""
        used = {0: self._used()}
        for step in range(1, STEPS + 1):
            added = games * step // STEPS - games * (step - 1) // STEPS
            self._add([Table() for _ in range(added)])
            used[games * step // STEPS] = self._used()
            progress(f"{games * step // STEPS:,} games")
        return used

    def _add(self, tables: Sequence[Table]) -> None:
        lanes = [creating(table, self._service.key) for table in tables]
        drive(self._service.port, shared(lanes, AT_ONCE))
        with self._store.pipeline(transaction=False) as pipeline:
            for table in tables:
                keys = game_keys(GameId(table.game_id))
                for key, state in zip((keys.snapshot, keys.log), self._states, strict=True):
                    pipeline.restore(key, self._life_ms, state, replace=True)
            pipeline.execute()

    def _used(self) -> int:
        memory = self._store.info("memory")
        assert isinstance(memory, dict)
        return int(memory["used_memory"])


def slope(used: dict[int, int]) -> float:
    """Return bytes per game, between the end of the first step and that of the last."""
    steps = sorted(used)
    first, last = steps[1], steps[-1]
    return (used[last] - used[first]) / (last - first)


def measure(games: int) -> tuple[dict[str, float], dict[int, int]]:
    """Return all figures, and ``used_memory`` by how many games there were."""
    cores = two_cores()
    with (
        valkey(cores.load) as server,
        worker(server.url, cores.server) as service,
        on_core(cores.load),
        Redis.from_url(server.url) as store,
    ):
        at_start = resident_bytes(service.pid)
        found: dict[str, float] = {}
        for players in PLAYERS:
            found |= per_live_game(service, store, players)
        found["bytes_per_live_game_4_with_lists"] = (
            found["bytes_per_live_game_4"] + found["list_bytes_per_live_game_4"]
        )
        found |= per_finished_match(service, store)
        found |= per_watcher(service, cores.load)
        used = FullStore(service, store).fill(games)
        each = slope(used)
        found |= {
            "worker_bytes_at_start": at_start,
            "worker_bytes_at_end": resident_bytes(service.pid),
            "games": games,
            "used_memory": used[games],
            "used_memory_per_game": each,
        }
        few, many = (used[games] + each * (wanted - games) for wanted in EXTRAPOLATED_GAMES)
        found |= {"used_memory_100_000_games": few, "used_memory_10_million_games": many}
    return found, used


def main() -> None:
    """Read the options, measure, and report."""
    parser = argparse.ArgumentParser(description="Measure what games and workers keep in memory.")
    parser.add_argument("--games", type=int, default=20_000, help="to fill the store with; 20000")
    found, used = measure(parser.parse_args().games)
    rows = {f"{games:,} games": {"used": float(bytes_used)} for games, bytes_used in used.items()}
    report_grid("A store that fills", rows, {"used": "used_memory"})
    report("What games and workers keep in memory", {name: found[name] for name in NOTES}, NOTES)


if __name__ == "__main__":
    main()
