"""Rare situations are reached, and the engine agrees with the reference in them."""

from __future__ import annotations

import random

import pytest

from tests.properties.corner import Corner
from tests.properties.corners import CORNERS
from tests.properties.lockstep import Lockstep
from tests.properties.play import round_in_steps

MATCHES = 250
"""How many matches a corner may take to reach all that is expected of it."""


@pytest.mark.parametrize("corner", CORNERS, ids=lambda corner: corner.name.replace(" ", "-"))
def test_rare_situations_are_reached_and_agreed_upon(corner: Corner) -> None:
    """Matches at a chosen table reach each situation expected there; all of them is compared."""
    missing = set(corner.expected)
    for number in range(MATCHES):
        reached = missing & played(corner, number, thoroughly=False).seen.keys()
        if reached:
            played(corner, number, thoroughly=True)
        missing -= reached
        if not missing:
            return
    pytest.fail(f"never reached in {MATCHES} matches: {sorted(missing)}")


def played(corner: Corner, number: int, *, thoroughly: bool) -> Lockstep:
    """Play a match of a corner; states and events are compared, thoroughly also every move."""
    match = Lockstep(corner.rules, corner.seats)
    chance = random.Random(number)
    for _ in range(corner.rounds):
        for _ in round_in_steps(match, chance, corner.taste):
            if thoroughly:
                match.check_state()
    return match
