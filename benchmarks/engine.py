"""Measure the rules engine, beside OpenSpiel's Python dominoes on the same core in the same run.

``make bench-engine``; with ``JSON=1`` one JSON object. The two are interleaved, so that a machine
that slows down slows both; the figures are medians of the repetitions.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Callable
from typing import TypeVar

import pyspiel
from open_spiel.python.games import block_dominoes

from benchmarks.report import progress, report
from mextrain_engine import Phase, State, apply, deal, legal_moves, new_game, observe, preset
from mextrain_service.application.model import (
    LINK_BYTES,
    STAMP_BYTES,
    GameId,
    HostedGame,
    PlatformId,
    PlayerId,
    SeatHolder,
    SeatKind,
    TablePolicy,
)
from mextrain_service.storage.codec import decode_game, encode_game
from mextrain_service.storage.record import Header

T = TypeVar("T")

SEATS = 4
REPETITIONS = 9
ROUNDS = 40
PEER_GAMES = 120
PERFT_DEPTH = 5

NOTES = {
    "moves_per_s": "moves of random play, each with its legal moves and its events; deals included",
    "moves_with_view_per_s": "the same, and after each move what the seat to move may see",
    "peer_actions_per_s": "OpenSpiel python_block_dominoes: player actions, deals included",
    "ratio": "moves_per_s / peer_actions_per_s",
    "ratio_with_view": "moves_with_view_per_s / peer_actions_per_s",
    "perft_nodes_per_s": f"states visited by a full search of depth {PERFT_DEPTH}",
    "legal_moves_us": "one legal_moves, over the states of random play",
    "observe_us": "one observe",
    "encode_us": "a hosted game to its stored bytes",
    "decode_us": "and back",
}


def first_state(rng: random.Random) -> State:
    """Return a dealt round of the preset ``modern``."""
    tiles = list(range(91))
    rng.shuffle(tiles)
    return deal(new_game(preset("modern"), SEATS), tiles).state


def play_rounds(*, views: bool) -> float:
    """Return moves per second of random play."""
    rng = random.Random(1)
    moves = 0
    start = time.process_time()
    for _ in range(ROUNDS):
        state = first_state(rng)
        while state.phase is Phase.PLAYING:
            listed = legal_moves(state)
            state, _events = apply(state, listed[int(rng.random() * len(listed))])
            moves += 1
            if views and state.round is not None:
                observe(state, state.round.turn)
    return moves / (time.process_time() - start)


def play_peer() -> float:
    """Return player actions per second of random play of the peer, its deals included."""
    game = pyspiel.load_game(block_dominoes._GAME_TYPE.short_name)
    rng = random.Random(1)
    actions = 0
    start = time.process_time()
    for _ in range(PEER_GAMES):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                listed = [action for action, _ in state.chance_outcomes()]
            else:
                listed = state.legal_actions()
                actions += 1
            state.apply_action(listed[int(rng.random() * len(listed))])
    return actions / (time.process_time() - start)


def perft(state: State, depth: int) -> int:
    """Return how many states lie within so many moves."""
    if depth == 0 or state.phase is not Phase.PLAYING:
        return 1
    return 1 + sum(perft(apply(state, move).state, depth - 1) for move in legal_moves(state))


def time_perft() -> float:
    """Return states per second of a full search from a round in its middle."""
    state = _middle()
    start = time.process_time()
    nodes = perft(state, PERFT_DEPTH)
    return nodes / (time.process_time() - start)


def time_each(items: list[T], action: Callable[[T], object]) -> float:
    """Return microseconds for one action, over all items once."""
    start = time.process_time()
    for item in items:
        action(item)
    return (time.process_time() - start) / len(items) * 1e6


def _middle() -> State:
    rng = random.Random(4)
    state = first_state(rng)
    for _ in range(50):
        state = apply(state, rng.choice(legal_moves(state))).state
    return state


def _states() -> list[State]:
    rng = random.Random(2)
    states: list[State] = []
    for _ in range(10):
        state = first_state(rng)
        while state.phase is Phase.PLAYING:
            states.append(state)
            state = apply(state, rng.choice(legal_moves(state))).state
    return states


def _hosted(state: State) -> HostedGame:
    seats = tuple(SeatHolder(SeatKind.PERSON, PlayerId(f"player-{seat}")) for seat in range(SEATS))
    return HostedGame(
        game_id=GameId("A" * 22),
        platform_id=PlatformId("bench"),
        version=1,
        link=bytes(LINK_BYTES),
        stamp=bytes(STAMP_BYTES),
        seats=seats,
        policy=TablePolicy(),
        secret=bytes(32),
        state=state,
        receipts=(),
        creation=None,
        created_ms=0,
        updated_ms=0,
    )


def measure() -> dict[str, float]:
    """Run everything, interleaved, and return the medians."""
    states = _states()
    games = [_hosted(state) for state in states]
    bodies = [encode_game(game) for game in games]
    header = Header.of(games[0], 0)
    parts: dict[str, Callable[[], float]] = {
        "moves_per_s": lambda: play_rounds(views=False),
        "peer_actions_per_s": play_peer,
        "moves_with_view_per_s": lambda: play_rounds(views=True),
        "perft_nodes_per_s": time_perft,
        "legal_moves_us": lambda: time_each(states, legal_moves),
        "observe_us": lambda: time_each(states, lambda state: observe(state, 0)),
        "encode_us": lambda: time_each(games, encode_game),
        "decode_us": lambda: time_each(
            bodies, lambda body: decode_game(body, game_id=GameId("A" * 22), header=header)
        ),
    }
    runs: dict[str, list[float]] = {name: [] for name in parts}
    for repetition in range(REPETITIONS):
        progress(f"repetition {repetition + 1} of {REPETITIONS}")
        for name, part in parts.items():
            runs[name].append(part())
    figures = {name: statistics.median(values) for name, values in runs.items()}
    peer = runs["peer_actions_per_s"]
    for ratio, ours in (("ratio", "moves_per_s"), ("ratio_with_view", "moves_with_view_per_s")):
        figures[ratio] = statistics.median(a / b for a, b in zip(runs[ours], peer, strict=True))
    return {name: figures[name] for name in NOTES}


def main() -> None:
    """Pin the process to one core, measure, and report."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    report("The rules engine on one core", measure(), NOTES)


if __name__ == "__main__":
    main()
