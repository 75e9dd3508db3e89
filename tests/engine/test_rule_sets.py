"""Rule sets, their validation, and the presets."""

from __future__ import annotations

from dataclasses import fields

import pytest

from mextrain_engine import PRESETS, RuleSet, RuleSetError, by_players, check, check_seats, preset
from mextrain_engine import options as opt
from mextrain_engine.ruleset import coerce

BONEYARDS = {
    "thoughtco": [25, 10, 31, 31, 19, 14, 3, 37, 26, 15, 4, 47, 36],
    "pagat": [61, 46, 31, 31, 19, 21, 11, 19, 11],
    "ehow": [61, 46, 31, 31, 19, 21, 11, 19, 11],
    "masters": [61, 46, 31, 31, 19, 21, 11],
    "wikihow": [67, 55, 43, 31, 19, 21, 11, 19, 11],
    "modern": [60, 45, 30, 30, 18, 20, 10],
    "thoughtco_double_six": [14, 7, 0],
}


@pytest.mark.parametrize("name", PRESETS)
def test_preset_can_be_played_with_every_number_of_seats_that_it_names(name: str) -> None:
    assert check(PRESETS[name]) == ()
    assert name == PRESETS[name].name


@pytest.mark.parametrize("name", BONEYARDS)
def test_preset_leaves_the_published_boneyard(name: str) -> None:
    rules = PRESETS[name]
    seats = range(rules.min_players, rules.max_players + 1)
    left = [rules.tiles_to_deal(n) - n * rules.hand_size(n) for n in seats]
    assert BONEYARDS[name] == left


@pytest.mark.parametrize(
    ("name", "seats", "rounds"),
    [
        ("modern", 4, 13),
        ("thoughtco", 2, 10),
        ("thoughtco", 14, 19),
        ("ehow", 4, 1),
        ("masters", 4, 13),
    ],
)
def test_preset_has_the_published_number_of_rounds(name: str, seats: int, rounds: int) -> None:
    assert rounds == PRESETS[name].total_rounds(seats)


def test_unknown_preset_is_refused_with_those_that_exist() -> None:
    with pytest.raises(RuleSetError, match="thoughtco") as caught:
        preset("chess")
    assert [problem.code for problem in caught.value.problems] == ["UNKNOWN_PRESET"]


def test_full_descent_is_one_round_for_each_value_from_the_first_hub() -> None:
    assert RuleSet(first_hub_value=9).total_rounds(4) == 10


def test_all_problems_are_reported_at_once() -> None:
    rules = RuleSet(
        round_count=51,
        hub_search=opt.HubSearch.REDEAL,
        blanks_wild=True,
        hand_size_by_players=by_players({2: 99, 8: 10}),
    )
    codes = [problem.code for problem in check(rules)]
    assert codes == ["OUT_OF_RANGE", "NOT_SUPPORTED", "CONTRADICTION", "HANDS_EXCEED_SET"]


@pytest.mark.parametrize(
    ("changes", "options"),
    [
        (
            {"hub_rule": "highest_in_hands", "rounds": "fixed", "hub_search_target": "any_double"},
            {"hub_source", "hub_rule"},
        ),
        ({"hub_source": "from_hands"}, {"hub_source", "hub_search"}),
        ({"hub_search": "draw_in_turn"}, {"hub_source", "hub_search"}),
        ({"round_starter": "hub_holder"}, {"hub_source", "round_starter"}),
        ({"hub_search_target": "any_double"}, {"hub_rule", "hub_search_target"}),
        ({"hub_rule": "fixed_value"}, {"rounds", "hub_rule"}),
        ({"first_turn_trains": "own_or_mexican"}, {"first_turn_trains", "mexican_train_from"}),
        ({"mexican_train_from": "first_turn"}, {"first_turn_trains", "mexican_train_from"}),
        (
            {"double_followup_where": "double_only", "open_double_order": "lifo"},
            {"double_followup_where", "open_double_order"},
        ),
        ({"block_score": "lowest_shares_pot"}, {"block_score", "scoring"}),
        ({"scoring": "winner_takes_sum"}, {"tie_break", "scoring"}),
        ({"last_tile_penalty": 2}, {"last_tile_penalty", "last_tile_call"}),
        (
            {"double_followup_draw": "once_per_turn", "draw_count": "until_playable"},
            {"double_followup_draw", "draw_count"},
        ),
        (
            {"own_train_after_failed_duty": "closed_until_covered", "open_double_duty": "none"},
            {"own_train_after_failed_duty", "open_double_duty"},
        ),
    ],
)
def test_contradiction_is_refused_naming_both_options(
    changes: dict[str, object], options: set[str]
) -> None:
    problems = check(RuleSet().override(**changes))
    assert options == set(problems[0].options)
    assert {"CONTRADICTION"} == {problem.code for problem in problems}


@pytest.mark.parametrize(
    "changes",
    [
        {"hub_rule": "highest_in_hands", "hub_search_target": "exact_double"},
        {
            "hub_rule": "lead_player_highest",
            "hub_search_target": "any_double",
            "rounds": "full_descent",
        },
        {
            "hub_rule": "highest_in_hands",
            "hub_search_target": "any_double",
            "hub_search": "next_lower_double",
        },
    ],
)
def test_contradiction_is_refused_among_hubs_out_of_hands(changes: dict[str, object]) -> None:
    rules = preset("masters").override(**changes)
    assert [problem.code for problem in check(rules)] == ["CONTRADICTION"]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"max_pip_by_players": by_players({14: 11})}, "NO_SUCH_SET"),
        ({"max_pip_by_players": (12, 12)}, "BAD_TABLE"),
        ({"hand_size_by_players": by_players({3: 5})}, "HAND_TOO_SMALL"),
        ({"first_hub_value": 13}, "OUT_OF_RANGE"),
        ({"min_players": 1}, "OUT_OF_RANGE"),
        ({"min_players": 5, "max_players": 3}, "PLAYERS_REVERSED"),
        ({"max_players": 9}, "HAND_TOO_SMALL"),
        ({"late_start_mode": "multi_tile"}, "NOT_SUPPORTED"),
        ({"must_play_if_able": False}, "NOT_SUPPORTED"),
    ],
)
def test_value_that_cannot_be_is_refused(changes: dict[str, object], code: str) -> None:
    assert code in [problem.code for problem in check(RuleSet().override(**changes))]


def test_hands_are_clamped_when_the_rules_ask_for_it() -> None:
    rules = RuleSet().override(hand_size_by_players=by_players({8: 40}), clamp_hand_size=True)
    assert check(rules) == ()
    assert [rules.hand_size(seats) for seats in (2, 3, 4)] == [40, 30, 22]


def test_seats_are_refused_when_the_rules_are_for_fewer() -> None:
    assert check_seats(RuleSet(), 8) == ()
    assert [problem.code for problem in check_seats(RuleSet(), 9)] == ["SEATS_NOT_ALLOWED"]
    assert [p.code for p in check_seats(RuleSet(round_count=0), 99)] == ["OUT_OF_RANGE"]


def test_overrides_are_refused_all_at_once_when_they_are_not_of_their_kind() -> None:
    with pytest.raises(RuleSetError) as caught:
        RuleSet().override(
            hub_rule="up", round_count="3", colour=1, blanks_wild=0, double_chain=None
        )
    codes = [problem.code for problem in caught.value.problems]
    assert codes == ["UNKNOWN_VALUE", "WRONG_TYPE", "UNKNOWN_OPTION", "WRONG_TYPE", "UNKNOWN_VALUE"]


def test_overrides_take_texts_lists_and_no_first_hub() -> None:
    values = coerce(
        {"hub_rule": "descending", "max_pip_by_players": [6] * 13, "first_hub_value": None}
    )
    assert values == {
        "hub_rule": opt.HubRule.DESCENDING,
        "max_pip_by_players": (6,) * 13,
        "first_hub_value": None,
    }


def test_every_option_has_a_kind() -> None:
    every = {option.name: getattr(RuleSet(), option.name) for option in fields(RuleSet)}
    assert every == coerce(every)
