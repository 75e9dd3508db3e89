"""Rule sets survive the store, whatever becomes of the presets."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mextrain.store.v1 import game_pb2 as pb

from mextrain_engine import PRESETS, RuleSet
from mextrain_engine.ruleset import OPTION_TYPES
from mextrain_service.storage import CorruptGameError, NewerSchemaError
from mextrain_service.storage.rules_codec import (
    BASELINE_NAME,
    STORED_OPTIONS,
    StoredOption,
    decode_rules,
    encode_rules,
)

PINNED = Path(__file__).parents[1] / "data" / "stored_options.txt"

APART = {"name", "max_pip_by_players", "hand_size_by_players"}

# What stored games rely on: the bytes of rule sets as schema 1 wrote them first, and the options in
# which they differ from the baseline. A row is never changed: a changed row means that games stored
# before are read as games of other rules.
STORED: dict[str, dict[str, Any]] = {
    "": {},
    "12076d6173746572731a16040106000701080109010b020f00230026002d002f01": {
        "name": "masters",
        "hub_rule": "highest_in_hands",
        "hub_source": "from_hands",
        "hub_search": "draw_in_turn",
        "hub_search_target": "any_double",
        "round_starter": "left_of_hub_holder",
        "rounds": "fixed",
        "first_turn_no_start": "mark",
        "open_double_duty": "none",
        "first_turn_doubles": "ignored",
        "double_blank_value": 0,
        "tie_break": "shared",
    },
    "120465686f771a20020a040106000701080109000b0110001e011f012602270029012d002f0130022a0d0f0f0f0c0c"
    "0a0a080800000000": {
        "name": "ehow",
        "max_players": 10,
        "hand_size_by_players": (15, 15, 15, 12, 12, 10, 10, 8, 8, 0, 0, 0, 0),
        "hub_rule": "highest_in_hands",
        "hub_source": "from_hands",
        "hub_search": "draw_in_turn",
        "hub_search_target": "any_double",
        "round_starter": "hub_holder",
        "rounds": "single",
        "first_turn_draw_multi": False,
        "double_followup_where": "double_only",
        "double_chain": "one_per_turn",
        "first_turn_doubles": "immediate",
        "dead_double": "blocks",
        "go_out_first_turn": "immediate",
        "double_blank_value": 0,
        "tie_break": "shared",
        "last_tile_call": "required",
    },
}

# The baseline of schema 1, whatever the engine's defaults become.
BASELINE: dict[str, Any] = {
    "name": BASELINE_NAME,
    "max_pip_by_players": (12,) * 13,
    "hand_size_by_players": (15, 15, 15, 12, 12, 10, 10, 0, 0, 0, 0, 0, 0),
} | {name: option.baseline for name, option in STORED_OPTIONS.items()}


def _values(name: str) -> st.SearchStrategy[object]:
    kind = OPTION_TYPES[name]
    if name == "name":
        return st.text(max_size=32)
    if kind is tuple:
        return st.lists(st.integers(0, 18), min_size=13, max_size=13).map(tuple)
    if name == "first_hub_value":
        return st.one_of(st.none(), st.integers(0, 18))
    if kind is int:
        return st.integers(0, 100)
    return st.sampled_from(kind) if issubclass(kind, Enum) else st.booleans()


ANY_RULES = st.fixed_dictionaries(
    {}, optional={option.name: _values(option.name) for option in fields(RuleSet)}
).map(lambda changes: RuleSet().override(**changes))


@given(ANY_RULES)
def test_rules_come_back_as_they_were_stored(rules: RuleSet) -> None:
    assert rules == decode_rules(encode_rules(rules))


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_comes_back_as_it_was_stored(name: str) -> None:
    assert PRESETS[name] == decode_rules(encode_rules(PRESETS[name]))


@pytest.mark.parametrize("stored", STORED)
def test_the_bytes_of_a_rule_set_never_change_their_meaning(stored: str) -> None:
    rules = RuleSet().override(**(BASELINE | STORED[stored]))
    assert rules == decode_rules(bytes.fromhex(stored))
    assert stored == encode_rules(rules).hex()


def test_every_option_has_a_number() -> None:
    assert {option.name for option in fields(RuleSet)} == APART | set(STORED_OPTIONS)


def test_no_number_and_no_baseline_of_an_option_or_a_value_ever_changes() -> None:
    """What is in the file stays; a new option adds a line, a new value a word at a line's end."""
    rows = [_row(name, option) for name, option in STORED_OPTIONS.items()]
    assert PINNED.read_text("utf-8").splitlines() == rows


def _row(name: str, option: StoredOption) -> str:
    values = option.values if isinstance(option.values, str) else " ".join(option.values)
    return f"{option.number} {name}: {option.baseline} | {values}"


def test_rules_of_a_later_revision_are_refused() -> None:
    with pytest.raises(NewerSchemaError, match="revision 2"):
        decode_rules(pb.Rules(revisions_later=1).SerializeToString())


@pytest.mark.parametrize("options", [[250, 1], [4, 99]])
def test_an_unknown_option_or_value_is_refused(options: list[int]) -> None:
    with pytest.raises(NewerSchemaError):
        decode_rules(pb.Rules(options=options).SerializeToString())


@pytest.mark.parametrize("stored", [b"\xff", pb.Rules(options=[4]).SerializeToString()])
def test_a_damaged_rule_set_is_refused(stored: bytes) -> None:
    with pytest.raises(CorruptGameError):
        decode_rules(stored)
