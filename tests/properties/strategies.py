"""Random rule sets that can be played, and the number of seats for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from enum import Enum
from typing import Any

from hypothesis import strategies as st

from mextrain_engine import MAX_SEATS, MIN_SEATS, RuleSet, by_players, check, set_size
from mextrain_engine.ruleset import OPTION_TYPES
from mextrain_engine.tiles import SET_SIZES

OptionValues = dict[str, Any]
"""Options by name, each with a value."""

HUBS_FROM_THE_TOP: OptionValues = {
    "hub_source": "set_aside",
    "hub_search": "none",
    "hub_search_target": "exact_double",
}
HUBS_NAMED: OptionValues = {"hub_source": "from_hands", "hub_search_target": "exact_double"}
HUBS_FROM_HANDS: OptionValues = {
    "hub_source": "from_hands",
    "hub_search_target": "any_double",
    "rounds": "fixed",
}

RARE_VALUES: Mapping[str, object] = {
    "opponents_trains": "never",
    "open_double_duty": "none",
    "double_followup": "none",
    "double_chain": "one_per_turn",
    "draw_count": "until_playable",
    "unstarted_marked_train_open": False,
    "mark_when_unstarted": False,
}
"""Values that keep much else from happening: drawn one time in five."""

_CHOSEN_ELSEWHERE = {
    "name",
    "min_players",
    "max_players",
    "max_pip_by_players",
    "hand_size_by_players",
    "first_hub_value",
    "round_count",
    "double_blank_value",
    "last_tile_penalty",
    "mexican_train_from",
}


def is_played(option: str, value: object) -> bool:
    """Tell whether this version plays a value at all, whatever the other options are."""
    problems = check(RuleSet().override(**{option: value}))
    return not any(problem.code in {"NOT_SUPPORTED", "OUT_OF_RANGE"} for problem in problems)


def played_values(option: str) -> list[Any]:
    """Return the values of an option that this version plays, as text or truth values."""
    kind = OPTION_TYPES[option]
    if issubclass(kind, Enum):
        every = [member.value for member in kind]
    else:
        every = [False, True] if kind is bool else []
    return [value for value in every if is_played(option, value)]


PLAYED: Mapping[str, list[Any]] = {
    option.name: values
    for option in fields(RuleSet)
    if option.name not in _CHOSEN_ELSEWHERE and (values := played_values(option.name))
}
"""Each option with a closed set of values, with those that this version plays."""


@st.composite
def tables(draw: st.DrawFn, fewest: int = MIN_SEATS, most: int = MAX_SEATS) -> tuple[RuleSet, int]:
    """Draw rules that can be played and a number of seats that they are for.

    Options are drawn one by one; where that makes a contradiction, the options that validation
    names take their default again.
    """
    seats = draw(st.integers(fewest, most))
    changes = {name: draw(_value(name)) for name in PLAYED}
    changes |= draw(_sizes(seats))
    changes |= draw(_hub())
    changes["mexican_train_from"] = draw(_mexican_train_from(changes["first_turn_trains"]))
    changes["double_blank_value"] = draw(st.sampled_from([0, 25, 50]))
    if changes["last_tile_call"] == "required":
        changes["last_tile_penalty"] = draw(st.integers(0, 3))
    return without_contradictions(changes), seats


def without_contradictions(changes: OptionValues) -> RuleSet:
    """Return rules with these changes, less those that validation objects to."""
    left = dict(changes)
    while problems := check(rules := RuleSet().override(**left)):
        blamed = {name for problem in problems for name in problem.options} & left.keys()
        assert blamed, problems
        del left[max(blamed)]
    return rules


def _value(option: str) -> st.SearchStrategy[Any]:
    common = [value for value in PLAYED[option] if value != RARE_VALUES.get(option)]
    if len(common) == len(PLAYED[option]):
        return st.sampled_from(common)
    return st.sampled_from([*(common * 4)[:4], RARE_VALUES[option]])


@st.composite
def _hub(draw: st.DrawFn) -> OptionValues:
    """Draw where the hub comes from, in words that fit together."""
    kind = draw(st.sampled_from([HUBS_FROM_THE_TOP, HUBS_NAMED, HUBS_FROM_HANDS]))
    takes_any = kind is HUBS_FROM_HANDS
    named = ["descending", "fixed_value"]
    rules = [rule for rule in PLAYED["hub_rule"] if (rule not in named) == takes_any]
    searches = [search for search in PLAYED["hub_search"] if search != "none"]
    starters = PLAYED["round_starter"]
    if kind is HUBS_FROM_THE_TOP:
        starters = [starter for starter in starters if "holder" not in starter]
    return {
        "hub_rule": draw(st.sampled_from(rules)),
        "hub_search": draw(st.sampled_from(searches)),
        "round_starter": draw(st.sampled_from(starters)),
        **kind,
    }


def _mexican_train_from(first_turn_trains: str) -> st.SearchStrategy[str]:
    fitting = {"own_only": ["second_turn"], "own_or_mexican": ["first_turn"]}
    return st.sampled_from(fitting.get(first_turn_trains, ["first_turn", "second_turn"]))


@st.composite
def _sizes(draw: st.DrawFn, seats: int) -> OptionValues:
    """Draw a set, hands that fit into it, how many rounds, and a first hub."""
    pips = draw(st.sampled_from([p for p in SET_SIZES if (set_size(p) - 1) // seats >= 2]))
    most = (set_size(pips) - 1) // seats
    hand = draw(st.one_of(st.integers(2, most), st.just(most), st.integers(2, min(most, 8))))
    return {
        "name": "custom",
        "min_players": seats,
        "max_players": seats,
        "max_pip_by_players": by_players({MAX_SEATS: pips}),
        "hand_size_by_players": by_players({MAX_SEATS: hand}),
        "round_count": draw(st.integers(1, 3)),
        "first_hub_value": draw(st.one_of(st.none(), st.integers(0, pips))),
    }
