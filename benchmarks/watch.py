"""Measure thousands of watchers on one worker while moves are made at a steady rate.

``make bench-watch``; with ``JSON=1`` one JSON object. The watchers are processes of their own that
take bytes; moves come from this one. Some games have four watchers, some one and some none; first
moves are made as fast as they go among one kind at a time, in turn, with no other stream open: so
it shows what a move costs the worker that nobody hears of, what following the game adds to it, and
what each watcher adds to that. Then all streams are open, and moves are made at a steady rate: so
it shows when watchers have them.
"""

from __future__ import annotations

import argparse
import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchmarks.players import Made, Phase, Players
from benchmarks.report import progress, report
from benchmarks.rounds import Table, Turn, opening, playing, recorded
from benchmarks.servers import Server, cpu_s, on_core, resident_bytes, two_cores, valkey, worker
from benchmarks.watchers import Delivery, Watched, Watcher, WatcherProcess, watcher_process
from benchmarks.wire import drive, shared
from mextrain_service.local.embedded import EmbeddedValkey

SEATS = 4
TURNS = 3
"""How often each kind of game has its turn."""
MOVES_OF_A_TURN = 14
"""In each game of the kind."""
PLAYED = 48
"""Games of a kind in which moves are made; all others are quiet."""
REREAD_S = 3.0
"""How often a worker looks at a quiet game that is watched; the setting's default."""
CREATED_AT_ONCE = 16
BREATH_S = 0.2
SETTLE_S = 10.0
"""How long deliveries are waited for after the last move: what needs more counts as missing."""

NOTES = {
    "watchers": "streams of WatchGame on one worker",
    "games": "half of them with four watchers and half with one",
    "watchers_per_connection": "how many share one connection, as behind a proxy",
    "moves_per_s": "moves made in games with four watchers, at a steady rate",
    "deliveries_per_s": "messages with events that came to watchers meanwhile",
    "delivery_p50_ms": "from the move's answer at the player to the event at a watcher, median",
    "delivery_p99_ms": "the same, exceeded by one in a hundred",
    "delivery_max_ms": "the slowest",
    "sent_to_event_p50_ms": "from sending the move to the event at a watcher, median",
    "sent_to_event_p99_ms": "the same, exceeded by one in a hundred",
    "missing": "deliveries that did not come, each for itself; 0 if all is well",
    "cpu_us_per_delivery": "CPU time of the worker for each delivery, with four watchers",
    "cpu_us_per_read_on": "of that, what a move costs a worker that follows its game, fitted",
    "cpu_us_per_message": "and what each watcher costs besides, fitted",
    "cpu_us_per_move_unwatched": "CPU time of the worker for each move that nobody watches",
    "idle_cpu_us_per_watcher_s": "CPU time of the worker a second for a watcher who hears nothing",
    "valkey_us_per_reread": "CPU time of Valkey for each time that a quiet game is looked at",
    "worker_share": "of its core that the worker used with watchers and moves",
    "worker_share_quiet": "the same with neither",
    "bytes_per_watcher": "memory of the worker for each open stream",
    "bytes_per_delivery": "of a message to a watcher on the wire, frames included",
    "players_share": "of a core that making the moves took",
    "watchers_share": "of a core that all processes of watchers took together",
    "watcher_processes": "how many those were",
}


def latencies_ms(
    made: Sequence[Made], deliveries: Sequence[Delivery]
) -> tuple[list[float], list[float]]:
    """Return how long after answer, and after sending, each delivery came; both sorted.

    A delivery may come before the answer: then it is below zero.
    """
    moves = {(move.game_id, move.version): move for move in made}
    found = [(moves.get((each.game_id, each.version)), each.at_s) for each in deliveries]
    known = [(move, at_s) for move, at_s in found if move is not None]
    return (
        sorted(1_000 * (at_s - move.answered_s) for move, at_s in known),
        sorted(1_000 * (at_s - move.sent_s) for move, at_s in known),
    )


def part(ordered: Sequence[float], share: float) -> float:
    """Return the value below which so large a share of sorted values is; 0 of none."""
    return ordered[round(share * (len(ordered) - 1))] if ordered else 0.0


@contextlib.contextmanager
def watching(
    service: Server, watchers: Sequence[Watcher], per_connection: int, core: int, processes: int
) -> Iterator[list[WatcherProcess]]:
    """Open the streams of all watchers, from several processes."""
    with contextlib.ExitStack() as stack:
        started = [
            stack.enter_context(
                watcher_process(service.port, watchers[at::processes], per_connection, core)
            )
            for at in range(processes)
        ]
        for each in started:
            each.wait_until_open()
        yield started


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be measured.

    Attributes:
        watchers: streams; as many as are a multiple of five.
        per_connection: how many share one connection.
        processes: of watchers.
        moves_per_s: the steady rate.
        seconds: of each phase.
    """

    watchers: int
    per_connection: int
    processes: int
    moves_per_s: float
    seconds: float


class WatchBenchmark:
    """The worker with its games, and the phases in which it is measured."""

    def __init__(self, service: Server, store: EmbeddedValkey, plan: Plan, core: int) -> None:
        self._service = service
        self._store = store
        self._plan = plan
        self._core = core
        each = plan.watchers // (SEATS + 1)
        self._games = {
            count: [Table() for _ in range(each if count else PLAYED)] for count in (0, 1, SEATS)
        }
        self._turns = recorded(service.port, service.key)

    def measure(self) -> dict[str, float]:
        """Return all figures."""
        plan, service = self._plan, self._service
        tables = [table for some in self._games.values() for table in some]
        openings = [opening(table, service.key) for table in tables]
        drive(service.port, shared(openings, min(CREATED_AT_ONCE, len(openings))))
        progress("nobody moves, nobody watching")
        quiet, quiet_valkey_s = self._idle()
        with self._watching(self._watchers(PLAYED)):
            played = self._in_turn()
        before = resident_bytes(service.pid)
        watchers = self._watchers()
        progress(f"opening {len(watchers):,} streams")
        with self._watching(watchers) as processes:
            opened = resident_bytes(service.pid)
            progress("nobody moves")
            idle, valkey_s = self._idle()
            _seen(processes)
            progress(f"{plan.moves_per_s:g} moves a second")
            players = Players(service, *self._for_steady_moves())
            steady, made = players.play(plan.moves_per_s, plan.seconds)
            seen = _all_seen(processes, SEATS * len(made))
        games = len(tables) - PLAYED
        return {
            "watchers": len(watchers),
            "games": games,
            **costs(quiet, played),
            **_told(steady, made, seen, plan.processes),
            "worker_share": steady.share,
            "worker_share_quiet": quiet.share,
            "idle_cpu_us_per_watcher_s": 1e6 * (idle.share - quiet.share) / len(watchers),
            "valkey_us_per_reread": 1e6
            * (valkey_s - quiet_valkey_s)
            / (games * idle.seconds / REREAD_S),
            "bytes_per_watcher": (opened - before) / len(watchers),
        }

    def _watching(
        self, watchers: Sequence[Watcher]
    ) -> contextlib.AbstractContextManager[list[WatcherProcess]]:
        plan = self._plan
        return watching(self._service, watchers, plan.per_connection, self._core, plan.processes)

    def _watchers(self, games: int | None = None) -> list[Watcher]:
        """Return all four seats of half of the games, and one of the others, mixed.

        Args:
            games: of each kind, the first so many; all without.
        """
        pairs = list(zip(self._games[SEATS], self._games[1], strict=True))[:games]
        return [
            Watcher(table.game_id, token)
            for four, one in pairs
            for table, tokens in ((four, four.tokens), (one, one.tokens[:1]))
            for token in tokens
        ]

    def _for_steady_moves(self) -> tuple[Sequence[Table], Sequence[Turn]]:
        """Return games with four watchers, the fresh ones if there are any, and what is to come."""
        fours = self._games[SEATS]
        fresh = fours[PLAYED:]
        return (fresh, self._turns) if fresh else (fours, self._turns[TURNS * MOVES_OF_A_TURN :])

    def _idle(self) -> tuple[Phase, float]:
        """Return what the worker uses while nobody moves, and the CPU time of Valkey."""
        assert self._store.pid is not None
        before, store_before = self._service.cpu_s(), cpu_s(self._store.pid)
        started = time.perf_counter()
        time.sleep(self._plan.seconds)
        used = self._service.cpu_s() - before
        phase = Phase(time.perf_counter() - started, used, 0.0)
        return phase, cpu_s(self._store.pid) - store_before

    def _in_turn(self) -> dict[int, Phase]:
        """Make moves among each kind of game in turn, as fast as they go."""
        played = {count: Phase(0.0, 0.0, 0.0) for count in self._games}
        for turn in range(TURNS):
            progress(f"moves as fast as they go, turn {turn + 1} of {TURNS}")
            turns = self._turns[turn * MOVES_OF_A_TURN : (turn + 1) * MOVES_OF_A_TURN]
            for count, tables in self._games.items():
                played[count] += self._burst(tables[:PLAYED], turns)
        return played

    def _burst(self, tables: Sequence[Table], turns: list[Turn]) -> Phase:
        """Make these moves in all of these games at once."""
        before, own_before, started = (
            self._service.cpu_s(),
            time.process_time(),
            time.perf_counter(),
        )
        load = drive(self._service.port, [playing(table, turns) for table in tables])
        time.sleep(BREATH_S)  # the last moves are still told
        return Phase(
            time.perf_counter() - started,
            self._service.cpu_s() - before,
            time.process_time() - own_before,
            len(load.latencies_s),
        )


def costs(quiet: Phase, played: Mapping[int, Phase]) -> dict[str, float]:
    """Return what moves and watchers cost the worker, by how many watch."""
    none_s, one_s, four_s = (phase.per_move_s(quiet) for _, phase in sorted(played.items()))
    message_s = (four_s - one_s) / (SEATS - 1)
    return {
        "cpu_us_per_delivery": 1e6 * (four_s - none_s) / SEATS,
        "cpu_us_per_read_on": 1e6 * (one_s - none_s - message_s),
        "cpu_us_per_message": 1e6 * message_s,
        "cpu_us_per_move_unwatched": 1e6 * none_s,
    }


def _all_seen(processes: Sequence[WatcherProcess], expected: int) -> list[Watched]:
    """Return what was seen, once so many deliveries were; or after some time, if they are not."""
    seen: list[Watched] = []
    give_up = time.perf_counter() + SETTLE_S
    while sum(len(each.deliveries) for each in seen) < expected and time.perf_counter() < give_up:
        seen += _seen(processes)
        time.sleep(BREATH_S)
    return seen


def _seen(processes: Sequence[WatcherProcess]) -> list[Watched]:
    return [each.seen() for each in processes]


def _told(
    steady: Phase, made: Sequence[Made], seen: Sequence[Watched], processes: int
) -> dict[str, float]:
    """Return what came to watchers while moves were made at a steady rate."""
    deliveries = [delivery for each in seen for delivery in each.deliveries]
    answered, sent = latencies_ms(made, deliveries)
    looked_on_s = sum(each.seconds for each in seen) / processes
    return {
        "moves_per_s": len(made) / steady.seconds,
        "deliveries_per_s": len(deliveries) / steady.seconds,
        "delivery_p50_ms": part(answered, 0.5),
        "delivery_p99_ms": part(answered, 0.99),
        "delivery_max_ms": part(answered, 1.0),
        "sent_to_event_p50_ms": part(sent, 0.5),
        "sent_to_event_p99_ms": part(sent, 0.99),
        "missing": SEATS * len(made) - len(answered),
        "bytes_per_delivery": sum(each.bytes_in for each in seen)
        / max(sum(each.messages for each in seen), 1),
        "players_share": steady.own_s / steady.seconds,
        "watchers_share": sum(each.cpu_s for each in seen) / looked_on_s,
    }


def measure(plan: Plan) -> dict[str, float]:
    """Start everything, measure, end everything, and return the figures."""
    cores = two_cores()
    settings = {
        "MEXTRAIN_WATCH_MAX_STREAMS": str(2 * plan.watchers),
        "MEXTRAIN_SERVER_MAX_CONNECTION_AGE_S": "3600",
    }
    with (
        valkey(cores.load) as store,
        worker(store.url, cores.server, settings) as service,
        on_core(cores.load),
    ):
        found = WatchBenchmark(service, store, plan, cores.load).measure()
    return {
        "watchers_per_connection": plan.per_connection,
        "watcher_processes": plan.processes,
        **found,
    }


def main() -> None:
    """Read the options, measure, and report."""
    parser = argparse.ArgumentParser(description="Measure watchers on one worker.")
    parser.add_argument("--watchers", type=int, default=5_000, help="streams; 5000")
    parser.add_argument("--per-connection", type=int, default=100, help="streams of each; 100")
    parser.add_argument("--processes", type=int, default=2, help="of watchers; 2")
    parser.add_argument("--moves-per-s", type=float, default=100, help="steady rate; 100")
    parser.add_argument("--seconds", type=float, default=15, help="of each phase; 15")
    options = parser.parse_args()
    found = measure(
        Plan(
            options.watchers,
            options.per_connection,
            options.processes,
            options.moves_per_s,
            options.seconds,
        )
    )
    report("Watchers on one worker", {name: found[name] for name in NOTES}, NOTES)


if __name__ == "__main__":
    main()
