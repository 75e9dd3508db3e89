"""Ways to choose moves: at random, and with a taste that leads into rare corners."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from mextrain_engine import Event
from tests.properties.lockstep import Lockstep
from tests.reference.table import Table
from tests.reference.tiles import is_double, tile_from_text

Taste = Callable[[Table, str], float]
"""How much a move is liked at a table; the likes are weights of a random choice."""


def indifferent(table: Table, move: str) -> float:
    """Like every move the same."""
    return 1.0


def fond_of_doubles(table: Table, move: str) -> float:
    """Like doubles, and opening trains that end in one."""
    if "@" in move:
        high, low = move.split("@", maxsplit=1)[0].split("-")
        return 20.0 if high == low else 1.0
    own = table.trains[table.turn]
    return 30.0 if move == "pass" and own and is_double(own[-1]) else 0.5


def ends_long_openings_in_doubles(table: Table, move: str) -> float:
    """Like long opening trains with a double at their end."""
    own = table.trains[table.turn]
    if move != "pass" or not table.opening:
        return 1.0
    return 50.0 if len(own) > 5 and is_double(own[-1]) else 0.001


def eager(table: Table, move: str) -> float:
    """Like to lay tiles, on the own train most of all."""
    if "@" not in move:
        return 0.02
    return 5.0 if move.endswith(f"@{table.turn}") else 1.0


def reluctant(table: Table, move: str) -> float:
    """Like to pass."""
    return 10.0 if move == "pass" else 1.0


def hates_own_train(table: Table, move: str) -> float:
    """Like any train but the own one."""
    return 0.05 if move.endswith(f"@{table.turn}") else 1.0


def keeps_the_double_blank(table: Table, move: str) -> float:
    """Like every move but the one that gets rid of the double-blank."""
    return 0.0001 if move.startswith("0-0@") else 1.0


def keeps_starters(table: Table, move: str) -> float:
    """Like every move but those that use up a tile of the hub's value."""
    if "@" not in move:
        return 1.0
    return 0.001 if table.hub in tile_from_text(move.split("@", maxsplit=1)[0]) else 1.0


TASTES: tuple[Taste, ...] = (indifferent, fond_of_doubles, eager, reluctant, hates_own_train)
"""Every taste there is."""


def play_round(match: Lockstep, chance: random.Random, taste: Taste = indifferent) -> None:
    """Deal and play one round to its end, checking every state."""
    for _ in round_in_steps(match, chance, taste):
        match.check_state()


def round_in_steps(
    match: Lockstep, chance: random.Random, taste: Taste = indifferent
) -> Iterator[tuple[Event, ...]]:
    """Deal and play one round to its end; yield the engine's events after each deal and move."""
    while not match.is_live:
        yield match.deal(shuffled(match, chance))
    calls = chance.random()
    while match.is_live:
        waiting = match.table.uncalled
        if waiting is not None and chance.random() < calls:
            yield match.make("call", waiting)
        moves = match.game.legal_moves()
        weights = [taste(match.table, move) for move in moves]
        yield match.make(chance.choices(moves, weights)[0])


def shuffled(match: Lockstep, chance: random.Random) -> list[int]:
    """Return a random permutation of the set that the match is played with."""
    pips = match.game.rules.max_pip
    order = list(range((pips + 1) * (pips + 2) // 2))
    chance.shuffle(order)
    return order
