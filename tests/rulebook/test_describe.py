"""What a table is told of its rules: complete, filled in, and different where rules differ."""

import re
from collections.abc import Iterator
from enum import Enum

import pytest

from mextrain_engine import PRESETS, RuleSet, check
from mextrain_engine.rulebook import RULES, describe
from mextrain_engine.ruleset import OPTION_TYPES, by_players
from tools.rules_page import OPTIONS


def sentences(rules: RuleSet, seats: int | None = None) -> dict[str, str]:
    """Return the sentences of a table by rule id."""
    return {one.id: one.text for chapter in describe(rules, seats) for one in chapter.sentences}


def tables() -> Iterator[tuple[str, int | None]]:
    """Yield every preset with every number of seats that it allows, and with any."""
    for name, rules in PRESETS.items():
        yield name, None
        for seats in range(rules.min_players, rules.max_players + 1):
            yield name, seats


def enum_values() -> Iterator[tuple[str, object]]:
    """Yield every option that is a closed set with each of its values."""
    for option, kind in OPTION_TYPES.items():
        if issubclass(kind, Enum):
            yield from ((option, member) for member in kind)
        elif kind is bool:
            yield from ((option, value) for value in (True, False))


NUMBERS = [
    ("min_players", 3),
    ("max_players", 5),
    ("max_pip_by_players", by_players({14: 15})),
    ("hand_size_by_players", by_players({8: 9})),
    ("first_hub_value", 9),
    ("round_count", 7),
    ("double_blank_value", 25),
    ("blank_end_value", 25),
    ("last_tile_penalty", 2),
    ("double_branches", 3),
    ("go_out_double_multiplier", 2),
    ("forgot_marker_penalty", 1),
]

NEEDS: dict[str, dict[str, object]] = {
    "hub_search": {"hub_source": "from_hands"},
    "hub_search_target": {"hub_source": "from_hands", "hub_search": "draw_in_turn"},
    "hub_lay_ends_turn": {"hub_source": "from_hands"},
    "round_count": {"rounds": "fixed"},
    "last_tile_penalty": {"last_tile_call": "required"},
}
"""What else must hold before an option matters at all."""


@pytest.mark.parametrize(("name", "seats"), list(tables()))
def test_description_is_filled_in_for_every_preset_and_number_of_seats(
    name: str, seats: int | None
) -> None:
    told = sentences(PRESETS[name], seats)

    assert not [text for text in told.values() if "{" in text or "}" in text]
    assert not [text for text in told.values() if "None" in text or "_" in text]


@pytest.mark.parametrize(("name", "seats"), list(tables()))
def test_description_has_no_empty_chapter_and_no_sentence_twice(
    name: str, seats: int | None
) -> None:
    chapters = describe(PRESETS[name], seats)
    ids = [one.id for chapter in chapters for one in chapter.sentences]

    assert all(chapter.sentences for chapter in chapters)
    assert len(set(ids)) == len(ids)
    assert set() == set(ids) - set(RULES)


@pytest.mark.parametrize(("option", "value"), list(enum_values()))
def test_every_value_of_an_option_is_governed_by_a_sentence_that_is_told(
    option: str, value: object
) -> None:
    rules = RuleSet().override(**{**NEEDS.get(option, {}), option: value})
    told = sentences(rules)

    assert [rule_id for rule_id in told if option in RULES[rule_id].options]


@pytest.mark.parametrize(("option", "value"), list(enum_values()))
def test_description_changes_when_the_value_of_an_option_does(option: str, value: object) -> None:
    base = RuleSet().override(**NEEDS.get(option, {}))
    same = getattr(base, option) == value
    told = describe(base.override(**{option: value}))

    assert same == (describe(base) == told)


@pytest.mark.parametrize(("option", "value"), NUMBERS)
def test_description_changes_when_a_number_does(option: str, value: object) -> None:
    base = RuleSet().override(**NEEDS.get(option, {}))

    assert describe(base) != describe(base.override(**{option: value}))


def test_every_option_is_a_closed_set_or_a_number_that_is_tried() -> None:
    tried = {option for option, _ in enum_values()} | {option for option, _ in NUMBERS}

    assert set(OPTIONS) == tried


def test_every_sentence_is_told_at_some_table() -> None:
    told: set[str] = set()
    for name in PRESETS:
        told |= set(sentences(PRESETS[name]))
    for option, value in (*enum_values(), *NUMBERS):
        for base in PRESETS.values():
            told |= set(sentences(base.override(**{option: value})))
    told |= set(sentences(RuleSet().override(rounds="fixed", round_count=50)))

    assert set() == set(RULES) - told - REACHED_BY_PAIRS


REACHED_BY_PAIRS: set[str] = set()
"""Sentences that need two options away from every preset."""


@pytest.mark.parametrize("name", list(PRESETS))
def test_presets_are_described_without_a_value_that_is_not_played(name: str) -> None:
    assert not check(PRESETS[name])


@pytest.mark.parametrize(
    ("name", "seats", "rule_id", "expected"),
    [
        ("modern", 4, "setup.hand", "Tiles dealt to each player: 15."),
        (
            "modern",
            None,
            "setup.hand",
            "Tiles dealt to each player: 15 with 2 to 4 players, 12 with 5 or 6, 10 with 7 or 8.",
        ),
        ("thoughtco", 13, "hub.first", "The hub of the first round: 18-18."),
        (
            "thoughtco",
            14,
            "setup.set",
            (
                "The set holds every pair of values from blank up, once. Highest value: 18. Tiles "
                "in it: 190."
            ),
        ),
        (
            "thoughtco",
            3,
            "match.full-descent",
            "The match has one round for each double, down to the double-blank. Rounds: 10.",
        ),
        (
            "modern",
            8,
            "setup.boneyard",
            "The other tiles stay face down: the boneyard. Its size after the deal: 10.",
        ),
    ],
)
def test_numbers_are_those_of_the_table(
    name: str, seats: int | None, rule_id: str, expected: str
) -> None:
    assert expected == sentences(PRESETS[name], seats)[rule_id]


BONEYARDS = {
    "thoughtco": (25, 10, 31, 31, 19, 14, 3, 37, 26, 15, 4, 47, 36),
    "masters": (61, 46, 31, 31, 19, 21, 11),
    "wikihow": (67, 55, 43, 31, 19, 21, 11, 19, 11),
    "ehow": (61, 46, 31, 31, 19, 21, 11, 19, 11),
    "pagat": (61, 46, 31, 31, 19, 21, 11, 19, 11),
    "modern": (60, 45, 30, 30, 18, 20, 10),
}
"""Tiles left after the deal with 2 players and more, before anything is drawn for the hub."""


@pytest.mark.parametrize(
    ("name", "seats", "expected"),
    [
        (name, seats, size)
        for name, sizes in BONEYARDS.items()
        for seats, size in enumerate(sizes, start=2)
    ],
)
def test_boneyard_has_the_size_that_the_traditions_give(
    name: str, seats: int, expected: int
) -> None:
    assert sentences(PRESETS[name], seats)["setup.boneyard"].endswith(f": {expected}.")


def test_double_six_with_four_players_is_told_that_there_is_no_boneyard() -> None:
    told = sentences(PRESETS["thoughtco_double_six"], 4)

    assert "setup.no-boneyard" in told
    assert not re.search("draw one tile", " ".join(told.values()))


def test_masters_are_told_nothing_of_duties() -> None:
    told = sentences(PRESETS["masters"])

    assert "open.none" in told
    assert not [rule_id for rule_id in told if rule_id.startswith(("open.duty", "open.order"))]
