"""The engine's presets hold what the table of presets in the rules says."""

from __future__ import annotations

import pytest

from mextrain_engine import PRESETS, check, preset
from tests.properties.pictures import options_of
from tests.reference import presets
from tests.reference.rules import rules_for


def test_presets_are_those_of_the_rules() -> None:
    assert set(presets.PRESETS) == set(PRESETS)


@pytest.mark.parametrize("name", presets.PRESETS)
def test_preset_has_each_value_of_the_table(name: str) -> None:
    found = options_of(preset(name))
    expected = presets.PRESETS[name]
    players = range(expected["min_players"], expected["max_players"] + 1)
    differing = {
        option: (value, found[option])
        for option, value in expected.items()
        if found[option] != value
        and not (option.endswith("_by_players") and _same_for(players, value, found[option]))
    }
    assert {} == differing
    assert () == check(preset(name))


@pytest.mark.parametrize("name", presets.BONEYARDS)
def test_preset_leaves_the_boneyard_of_the_text(name: str) -> None:
    rules = preset(name)
    found = []
    for seats in range(rules.min_players, rules.max_players + 1):
        plain = rules_for(options_of(rules), seats)
        found.append(rules.tiles_to_deal(seats) - seats * plain.hand_size)
    assert presets.BONEYARDS[name] == tuple(found)


def _same_for(players: range, one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(one[count - 2] == other[count - 2] for count in players)
