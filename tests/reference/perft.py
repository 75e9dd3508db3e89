"""How many ways a position can go on: counts that the engine is held to.

``python -m tests.reference.perft`` rewrites the counts in ``tests/data/perft``, from the
reference alone. The positions are played there from a fixed stream of numbers.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.reference.game import Game
from tests.reference.presets import PRESETS, for_players
from tests.reference.rules import rules_for
from tests.reference.tiles import all_tiles, tile_text

FOLDER = Path(__file__).parent.parent / "data" / "perft"


@dataclass(frozen=True)
class Position:
    """Where a count starts: a table, and how many random moves are made before.

    Attributes:
        name: the file's name.
        preset: the rules it starts from.
        changes: options that differ from them.
        seats: how many seats.
        plies: moves made before the count.
        seed: of the stream that shuffles and plays.
    """

    name: str
    preset: str
    seats: int
    plies: int
    seed: int
    changes: dict[str, Any] = field(default_factory=dict)


UNUSED = {"hub_search_target": "exact_double", "round_count": 13}
"""Values of options that change nothing where a preset leaves them open."""

SMALL = {
    "max_pip_by_players": for_players((14, 6)),
    "hand_size_by_players": for_players((4, 5)),
    "max_players": 4,
}

ENOUGH = 3_000
DEEPEST = 18
"""A count goes deeper until there are so many ways, or so many moves."""

POSITIONS = (
    *(Position(f"{name}-opening", name, 4, 0, 1) for name in PRESETS),
    *(Position(f"{name}-middle", name, 3, 30, 2) for name in PRESETS),
    Position("modern-two-late", "modern", 2, 70, 3),
    Position("modern-eight", "modern", 8, 30, 4),
    Position("thoughtco-fourteen", "thoughtco", 14, 40, 5),
    Position("small-deferred", "modern", 4, 12, 6, SMALL),
    Position("small-any-order", "modern", 4, 14, 7, {**SMALL, "open_double_order": "any"}),
    Position(
        "small-optional-follow-up", "modern", 3, 10, 8, {**SMALL, "double_followup": "optional"}
    ),
    Position(
        "small-last-tile",
        "modern",
        3,
        16,
        9,
        {**SMALL, "last_tile_call": "required", "last_tile_penalty": 2},
    ),
)


def ways_on(game: Game) -> Iterator[tuple[str, Game]]:
    """Yield each move that anyone may make, as ``seat: move``, with the match after it."""
    if game.phase != "playing":
        return
    for seat in range(game.rules.seats):
        for move in sorted(game.legal_moves(seat)):
            after = game.copy()
            after.make(move, seat)
            yield f"{seat}: {move}", after


def count(game: Game, depth: int) -> int:
    """Return how many sequences of so many moves there are; a round that ends cuts one short."""
    if depth == 0:
        return 1
    return sum(count(after, depth - 1) for _, after in ways_on(game))


def start(position: Position) -> tuple[Game, list[int], list[str]]:
    """Return the match at a position, the permutation dealt, and the moves made."""
    chance = random.Random(position.seed)
    options = {**UNUSED, **PRESETS["modern"], **PRESETS[position.preset], **position.changes}
    while True:
        game = Game(rules_for(options, position.seats))
        permutation = list(range(len(all_tiles(game.rules.max_pip))))
        chance.shuffle(permutation)
        game.deal(permutation)
        moves: list[str] = []
        while game.phase == "playing" and len(moves) < position.plies:
            move = chance.choice(game.legal_moves())
            moves.append(move)
            game.make(move)
        if game.phase == "playing" and len(game.legal_moves()) > 1:
            return game, permutation, moves


def written(position: Position) -> dict[str, Any]:
    """Return what the file of a position says."""
    game, permutation, moves = start(position)
    numbered = all_tiles(game.rules.max_pip)
    counts = [count(game, 1)]
    while counts[-1] < ENOUGH and len(counts) < DEEPEST:
        counts.append(count(game, len(counts) + 1))
    split = {way: count(after, len(counts) - 1) for way, after in ways_on(game)}
    return {
        "preset": position.preset,
        "changes": position.changes,
        "seats": position.seats,
        "deal": " ".join(tile_text(numbered[place]) for place in permutation),
        "moves": " ".join(moves),
        "counts": counts,
        "split": split,
    }


def main() -> None:
    """Rewrite every file."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for old in FOLDER.glob("*.yaml"):
        old.unlink()
    for position in POSITIONS:
        text = yaml.safe_dump(plain(written(position)), sort_keys=False, width=100)
        head = "# Counted by the reference: python -m tests.reference.perft\n"
        (FOLDER / f"{position.name}.yaml").write_text(head + text)


def plain(value: Any) -> Any:
    """Return a value as YAML's own kinds: lists for tuples."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return list(value) if isinstance(value, tuple) else value


if __name__ == "__main__":
    main()
