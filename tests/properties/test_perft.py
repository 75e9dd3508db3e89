"""The engine finds as many ways on from a position as the reference counted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import mextrain_engine as engine
from mextrain_engine import RuleSet, State, preset
from tests.reference import perft

FILES = sorted((Path(__file__).parent.parent / "data" / "perft").glob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_ways_on_are_as_many_as_the_reference_counted(file: Path) -> None:
    """Counts at each depth are those of the file; if not, the first move that differs is named."""
    position = yaml.safe_load(file.read_text())
    start = state_at(position)
    depth = len(position["counts"])
    split = {way: count(after, depth - 1) for way, after in ways_on(start)}
    differing = {
        way: f"{position['split'].get(way)} in the file, {split.get(way)} found"
        for way in sorted(split.keys() | position["split"].keys())
        if split.get(way) != position["split"].get(way)
    }
    assert {} == differing
    shallow = [count(start, moves) for moves in range(1, depth)]
    assert position["counts"] == [*shallow, sum(split.values())]


def test_every_counted_position_has_its_file() -> None:
    assert sorted(position.name for position in perft.POSITIONS) == [file.stem for file in FILES]


@pytest.mark.parametrize("position", perft.POSITIONS[::5], ids=lambda position: position.name)
def test_file_says_what_the_reference_counts_at_small_depth(position: perft.Position) -> None:
    """The files are the reference's: start and first counts are still the same."""
    written = yaml.safe_load((perft.FOLDER / f"{position.name}.yaml").read_text())
    game, _, moves = perft.start(position)
    assert written["moves"].split() == moves
    assert written["counts"][:4] == [perft.count(game, depth) for depth in range(1, 5)]


def state_at(position: dict[str, Any]) -> State:
    """Return the engine's state at a written position."""
    tiles = [int(engine.parse_tile(text)) for text in position["deal"].split()]
    rules: RuleSet = preset(position["preset"]).override(**position["changes"])
    state = engine.deal(engine.new_game(rules, position["seats"]), tiles).state
    for text in position["moves"].split():
        state = engine.apply(state, engine.parse_move(text)).state
    return state


def ways_on(state: State) -> Iterator[tuple[str, State]]:
    """Yield each move that anyone may make, as ``seat: move``, with the state after it."""
    for seat in range(state.seats):
        for move in engine.legal_moves(state, seat):
            yield f"{seat}: {move}", engine.apply(state, move, seat).state


def count(state: State, depth: int) -> int:
    """Return how many sequences of so many moves there are; a round that ends cuts one short."""
    if depth == 0:
        return 1
    return sum(count(after, depth - 1) for _, after in ways_on(state))
