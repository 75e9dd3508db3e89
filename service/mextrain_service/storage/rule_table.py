"""The stored number and the baseline value of every option of the rules, and of each of its values.

Never imports the engine's defaults or presets: what is pinned here must not move when those do.

A number, once given, keeps its meaning for ever. A new option gets the next free number, and as
its baseline the value that describes how games were played before it existed. A new value of an
option goes to the end of its list.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

NumberKind = Literal["switch", "number", "optional_number"]
"""How a value that is no name is stored: 0 or 1, as it is, or one more with 0 for None."""


@dataclass(frozen=True, slots=True)
class StoredOption:
    """How one option is stored.

    Attributes:
        number: the option's own number.
        baseline: the value that need not be stored.
        values: the names of its values in the order of their numbers, from 0; or how it is
            stored if it is no enumeration.
    """

    number: int
    baseline: str | int | None
    values: tuple[str, ...] | NumberKind


def _enum(number: int, baseline: str, *values: str) -> StoredOption:
    return StoredOption(number, baseline, values)


def _switch(number: int, *, baseline: bool) -> StoredOption:
    return StoredOption(number, baseline, "switch")


def _number(number: int, baseline: int) -> StoredOption:
    return StoredOption(number, baseline, "number")


BASELINE_NAME = "modern"
"""The name that need not be stored."""

BASELINE_MAX_PIP = bytes((12,) * 13)
"""The baseline of `max_pip_by_players`."""

BASELINE_HAND_SIZE = bytes((15, 15, 15, 12, 12, 10, 10, 0, 0, 0, 0, 0, 0))
"""The baseline of `hand_size_by_players`."""

STORED_OPTIONS: dict[str, StoredOption] = {
    "min_players": _number(1, 2),
    "max_players": _number(2, 8),
    "clamp_hand_size": _switch(3, baseline=False),
    "hub_rule": _enum(
        4,
        "descending",
        "descending",
        "highest_in_hands",
        "lead_player_highest",
        "highest_unused_in_hands",
        "fixed_value",
    ),
    "first_hub_value": StoredOption(5, None, "optional_number"),
    "hub_source": _enum(6, "set_aside", "from_hands", "set_aside"),
    "hub_search": _enum(
        7,
        "none",
        "none",
        "draw_in_turn",
        "draw_all_equal",
        "next_lower_double",
        "draw_reveal_return",
        "redeal",
    ),
    "hub_search_target": _enum(8, "exact_double", "exact_double", "any_double"),
    "round_starter": _enum(
        9,
        "rotate",
        "hub_holder",
        "left_of_hub_holder",
        "rotate",
        "highest_tile_drawn",
        "highest_hub_match",
    ),
    "hub_lay_ends_turn": _switch(10, baseline=False),
    "rounds": _enum(11, "full_descent", "full_descent", "single", "fixed"),
    "round_count": _number(12, 13),
    "first_turn_mode": _enum(13, "multi_tile", "multi_tile", "single_tile"),
    "first_turn_trains": _enum(14, "own_only", "own_only", "own_or_mexican", "any_available"),
    "first_turn_no_start": _enum(
        15, "draw_then_mark", "mark", "draw_then_mark", "draw_until_start"
    ),
    "first_turn_draw_multi": _switch(16, baseline=True),
    "late_start_mode": _enum(17, "single_tile", "single_tile", "multi_tile"),
    "mexican_train_from": _enum(18, "second_turn", "second_turn", "first_turn", "after_all_trains"),
    "mexican_train_limit": _enum(19, "one", "one", "unlimited"),
    "own_train_first": _enum(20, "none", "none", "before_opponents", "before_any"),
    "opponents_trains": _enum(21, "when_marked", "when_marked", "never"),
    "unstarted_marked_train_open": _switch(22, baseline=True),
    "mark_when_unstarted": _switch(23, baseline=True),
    "must_play_if_able": _switch(24, baseline=True),
    "draw_count": _enum(25, "one", "one", "until_playable"),
    "drawn_tile": _enum(26, "must_play", "may_keep", "must_play"),
    "marker_clear": _enum(27, "own_train_play", "own_train_play", "any_play", "manual"),
    "marker_clear_on_double": _enum(28, "immediate", "immediate", "when_covered"),
    "double_followup": _enum(29, "required", "required", "optional", "none"),
    "double_followup_where": _enum(30, "any_available", "any_available", "double_only"),
    "double_chain": _enum(31, "unlimited", "unlimited", "one_per_turn"),
    "chain_close": _enum(
        32, "anywhere", "anywhere", "must_cover_an_open_double", "not_on_later_doubles"
    ),
    "double_followup_draw": _enum(33, "per_obligation", "per_obligation", "once_per_turn", "none"),
    "double_fail_marks": _switch(34, baseline=True),
    "open_double_duty": _enum(35, "all_players_until_covered", "none", "all_players_until_covered"),
    "open_double_order": _enum(36, "fifo", "fifo", "lifo", "any"),
    "own_train_after_failed_duty": _enum(37, "open", "open", "closed_until_covered"),
    "first_turn_doubles": _enum(38, "deferred", "ignored", "deferred", "immediate", "forbidden"),
    "dead_double": _enum(39, "released", "blocks", "released", "released_after_lap"),
    "go_out_on_double": _enum(40, "allowed", "allowed", "must_follow_up"),
    "go_out_first_turn": _enum(41, "finish_first_turns", "finish_first_turns", "immediate"),
    "blocked_end": _enum(42, "no_legal_play", "no_legal_play", "all_passed_lap"),
    "scoring": _enum(43, "pips_low_wins", "pips_low_wins", "winner_takes_sum", "zero_sum"),
    "block_score": _enum(44, "all_count", "all_count", "lowest_shares_pot"),
    "double_blank_value": _number(45, 50),
    "blank_end_value": _number(46, 0),
    "tie_break": _enum(
        47,
        "zero_rounds_then_low_round",
        "zero_rounds_then_low_round",
        "shared",
        "extra_round",
    ),
    "last_tile_call": _enum(48, "off", "off", "courtesy", "required"),
    "last_tile_penalty": _number(49, 0),
    "blanks_wild": _switch(50, baseline=False),
    "double_branches": _number(51, 1),
    "all_trains_public": _switch(52, baseline=False),
    "mexican_bonus_play": _switch(53, baseline=False),
    "go_out_double_multiplier": _number(54, 1),
    "forgot_marker_penalty": _number(55, 0),
}
"""Every option by name, but for the name of the rule set and the two tables by players."""
