"""Measure the service among other frameworks for game servers: the same round, the same load.

``make bench-peers``; with ``JSON=1`` one JSON object. All servers run on one core and take turns,
the load generators and Valkey on the other; the figures are medians over the turns.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import tempfile
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from benchmarks.peers.channels import mextrain_channels
from benchmarks.peers.contestants import Contestant, Played
from benchmarks.peers.game import RecordedRound, recorded_round
from benchmarks.peers.node import node_peer
from benchmarks.peers.service import mextrain_service
from benchmarks.report import as_json, progress, report, report_grid
from benchmarks.servers import on_core, two_cores, valkey

SEED = 7
NAMES = {
    "mextrain": "Mextrain, grpc.aio, in Valkey",
    "mextrain_stream": "the same over one PlayGames stream",
    "boardgame": "boardgame.io, in memory",
    "boardgame_redis": "boardgame.io, in Valkey",
    "colyseus": "Colyseus, in memory",
    "colyseus_redis": "Colyseus, SET in Valkey",
}
COLUMNS = {
    "moves_per_cpu_s": "moves per server CPU-second",
    "moves_per_cpu_s_with_store": "with Valkey's CPU",
    "moves_per_s": "moves/s",
    "p50_ms": "p50 ms",
    "p99_ms": "p99 ms",
    "wire_bytes_per_move": "bytes on the wire",
    "generator_share": "generator's share of its core",
    "server_bytes_per_game": "server bytes per game",
    "store_bytes_per_game": "Valkey bytes per game",
}
NOTES = {
    "mextrain_over_boardgame_redis": "accepted moves per server CPU-second, ratio; both in Valkey",
    "mextrain_over_colyseus_redis": "the same beside Colyseus with a SET for each move",
    "stream_over_boardgame_redis": "the same with all games on one PlayGames stream",
    "stream_over_colyseus_redis": "and beside Colyseus",
    "games": "played at once, each with four seats connected",
    "moves_per_round": "moves of the round, the same at all",
}


@contextlib.contextmanager
def contestants(played: RecordedRound, only: Collection[str]) -> Iterator[dict[str, Contestant]]:
    """Start the servers of these names, all on one core."""
    cores = two_cores()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="mextrain-bench-")))
        round_file = folder / "round.json"
        round_file.write_text(json.dumps(played.for_peers()))

        def started(name: str) -> Contestant:
            program, _, kind = name.partition("_")
            if program == "mextrain":
                store = stack.enter_context(valkey(cores.load))
                if kind:
                    return stack.enter_context(mextrain_channels(cores, store, played))
                return stack.enter_context(mextrain_service(cores, store, played))
            where = stack.enter_context(valkey(cores.load)) if kind else None
            return stack.enter_context(node_peer(program, cores, round_file, where))

        yield {name: started(name) for name in NAMES if name in only}


def in_turn(contestant: Contestant, games: int, moves: int) -> Played:
    """Play the round in so many games at once."""
    contestant.open(games)
    try:
        return contestant.play(0, moves)
    finally:
        contestant.close()


def memory_per_game(contestant: Contestant, games: int, moves: int) -> dict[str, float]:
    """Return what games take that are at mid-round, all seats connected."""
    server, store = contestant.server_bytes(), contestant.store_bytes()
    contestant.open(games)
    contestant.play(0, moves // 2)
    server, store = contestant.server_bytes() - server, contestant.store_bytes() - store
    contestant.close()
    return {"server_bytes_per_game": server / games, "store_bytes_per_game": store / games}


def measure(
    games: int, repetitions: int, memory_games: int, only: Collection[str] = tuple(NAMES)
) -> dict[str, dict[str, float]]:
    """Return the figures of each contestant."""
    played = recorded_round(SEED)
    moves = len(played.moves) - 1  # the last one ends the match, and with it the streams
    turns: dict[str, list[Played]] = {}
    memory: dict[str, dict[str, float]] = {}
    with contestants(played, only) as all_of_them, on_core(two_cores().load):
        for repetition in range(repetitions + 1):
            for name, contestant in all_of_them.items():
                took = in_turn(contestant, games, moves)
                progress(f"{name}: {took.moves / took.seconds:,.0f} moves/s")
                if repetition:  # the first one warms up
                    turns.setdefault(name, []).append(took)
        for name, contestant in all_of_them.items():
            progress(f"{name}: memory")
            memory[name] = memory_per_game(contestant, memory_games, moves)
    return {name: _medians(turns[name]) | memory[name] for name in turns}


def _medians(turns: list[Played]) -> dict[str, float]:
    figures = [turn.figures() for turn in turns]
    return {name: statistics.median(each[name] for each in figures) for name in figures[0]}


def summary(found: Mapping[str, Mapping[str, float]], games: int) -> dict[str, float]:
    """Return the ratios that the targets are about."""
    per_cpu = {name: figures["moves_per_cpu_s"] for name, figures in found.items()}
    ratios = {
        f"{short}_over_{name}": per_cpu[ours] / per_cpu[name]
        for ours, short in (("mextrain", "mextrain"), ("mextrain_stream", "stream"))
        for name in ("boardgame_redis", "colyseus_redis")
        if {ours, name} <= set(per_cpu)
    }
    return {
        **ratios,
        "games": games,
        "moves_per_round": len(recorded_round(SEED).moves),
    }


def main() -> None:
    """Read the options, measure, and report."""
    parser = argparse.ArgumentParser(description="Measure the service among its peers.")
    parser.add_argument("--games", type=int, default=64, help="at once; 64")
    parser.add_argument("--repetitions", type=int, default=5, help="of everything; 5")
    parser.add_argument("--memory-games", type=int, default=400, help="for memory; 400")
    parser.add_argument("--only", choices=NAMES, action="append", help="this one; all")
    options = parser.parse_args()
    only = options.only or tuple(NAMES)
    found = measure(options.games, options.repetitions, options.memory_games, only)
    report_grid(
        "The same round at each", {NAMES[name]: each for name, each in found.items()}, COLUMNS
    )
    flat = {
        f"{name}_{figure}": value for name, each in found.items() for figure, value in each.items()
    }
    title = "Mextrain among its peers"
    report(title, summary(found, options.games) | (flat if as_json() else {}), NOTES)


if __name__ == "__main__":
    main()
