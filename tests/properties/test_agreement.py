"""The engine and the reference agree at every state of random games under random rules."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.properties.lockstep import Lockstep
from tests.properties.play import TASTES, Taste, play_round
from tests.properties.strategies import tables


@pytest.mark.parametrize(("fewest", "most"), [(2, 3), (4, 7), (8, 14)])
@given(data=st.data(), taste=st.sampled_from(TASTES), seed=st.integers(0, 2**32 - 1))
def test_engine_agrees_with_the_reference_when_rules_and_moves_are_random(
    fewest: int, most: int, data: st.DataObject, taste: Taste, seed: int
) -> None:
    """Legal moves, refusals, states, events and scores are the same in both, move by move."""
    rules, seats = data.draw(tables(fewest, most))
    match = Lockstep(rules, seats)
    chance = random.Random(seed)
    for _ in range(min(2, match.game.rules.total_rounds)):
        play_round(match, chance, taste)
