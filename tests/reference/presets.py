"""The presets, copied by hand from the table of presets in the rules."""

from __future__ import annotations

from typing import Any

Options = dict[str, Any]

PLAYERS = range(2, 15)


def for_players(*steps: tuple[int, int]) -> tuple[int, ...]:
    """Return 13 numbers, for 2 to 14 players, from (up to so many players, number); else 0."""
    return tuple(
        next((number for most, number in steps if players <= most), 0) for players in PLAYERS
    )


EVERYWHERE: Options = {
    # The same in each column, or not in the table and so the default of section 2.
    "clamp_hand_size": False,
    "first_hub_value": None,
    "hub_lay_ends_turn": False,
    "first_turn_mode": "multi_tile",
    "first_turn_trains": "own_only",
    "first_turn_draw_multi": True,
    "late_start_mode": "single_tile",
    "mexican_train_from": "second_turn",
    "mexican_train_limit": "one",
    "own_train_first": "none",
    "opponents_trains": "when_marked",
    "unstarted_marked_train_open": True,
    "mark_when_unstarted": True,
    "must_play_if_able": True,
    "draw_count": "one",
    "drawn_tile": "must_play",
    "marker_clear": "own_train_play",
    "marker_clear_on_double": "immediate",
    "double_followup": "required",
    "double_followup_where": "any_available",
    "double_chain": "unlimited",
    "chain_close": "anywhere",
    "double_followup_draw": "per_obligation",
    "double_fail_marks": True,
    "open_double_duty": "all_players_until_covered",
    "own_train_after_failed_duty": "open",
    "go_out_on_double": "allowed",
    "go_out_first_turn": "finish_first_turns",
    "blocked_end": "no_legal_play",
    "scoring": "pips_low_wins",
    "block_score": "all_count",
    "blank_end_value": 0,
    "tie_break": "shared",
    "last_tile_call": "off",
    "last_tile_penalty": 0,
    "blanks_wild": False,
    "double_branches": 1,
    "all_trains_public": False,
    "mexican_bonus_play": False,
    "go_out_double_multiplier": 1,
    "forgot_marker_penalty": 0,
}

THOUGHTCO: Options = {
    **EVERYWHERE,
    "min_players": 2,
    "max_players": 14,
    "max_pip_by_players": for_players((3, 9), (8, 12), (12, 15), (14, 18)),
    "hand_size_by_players": for_players((4, 15), (6, 12), (14, 11)),
    "hub_rule": "descending",
    "hub_source": "from_hands",
    "hub_search": "draw_in_turn",
    "hub_search_target": "exact_double",
    "round_starter": "hub_holder",
    "rounds": "full_descent",
    "first_turn_no_start": "mark",
    "drawn_tile": "may_keep",
    "open_double_order": "fifo",
    "first_turn_doubles": "ignored",
    "dead_double": "blocks",
    "double_blank_value": 50,
    "tie_break": "zero_rounds_then_low_round",
}

MASTERS: Options = {
    **EVERYWHERE,
    "min_players": 2,
    "max_players": 8,
    "max_pip_by_players": for_players((14, 12)),
    "hand_size_by_players": for_players((4, 15), (6, 12), (8, 10)),
    "hub_rule": "highest_in_hands",
    "hub_source": "from_hands",
    "hub_search": "draw_in_turn",
    "hub_search_target": "any_double",
    "round_starter": "left_of_hub_holder",
    "rounds": "fixed",  # an open series: D10
    "round_count": 13,
    "first_turn_no_start": "mark",
    "open_double_duty": "none",
    "first_turn_doubles": "ignored",
    "double_blank_value": 0,
}

WIKIHOW: Options = {
    **EVERYWHERE,
    "min_players": 2,
    "max_players": 10,
    "max_pip_by_players": for_players((14, 12)),
    "hand_size_by_players": for_players((6, 12), (8, 10), (10, 8)),
    "hub_rule": "descending",
    "hub_source": "from_hands",
    "hub_search": "draw_all_equal",
    "hub_search_target": "exact_double",
    "round_starter": "hub_holder",
    "rounds": "full_descent",
    "first_turn_no_start": "draw_then_mark",
    "open_double_order": "fifo",
    "first_turn_doubles": "immediate",
    "dead_double": "blocks",
    "double_blank_value": 0,
}

EHOW: Options = {
    **EVERYWHERE,
    "min_players": 2,
    "max_players": 10,
    "max_pip_by_players": for_players((14, 12)),
    "hand_size_by_players": for_players((4, 15), (6, 12), (8, 10), (10, 8)),
    "hub_rule": "highest_in_hands",
    "hub_source": "from_hands",
    "hub_search": "draw_in_turn",
    "hub_search_target": "any_double",
    "round_starter": "hub_holder",
    "rounds": "single",
    "first_turn_no_start": "draw_then_mark",
    "first_turn_draw_multi": False,
    "double_followup_where": "double_only",
    "double_chain": "one_per_turn",
    "open_double_order": "fifo",
    "first_turn_doubles": "immediate",
    "dead_double": "blocks",
    "go_out_first_turn": "immediate",
    "double_blank_value": 0,
    "last_tile_call": "required",
}

PAGAT: Options = {
    **EVERYWHERE,
    "min_players": 2,
    "max_players": 10,
    "max_pip_by_players": for_players((14, 12)),
    "hand_size_by_players": for_players((4, 15), (6, 12), (8, 10), (10, 8)),
    "hub_rule": "descending",
    "hub_source": "from_hands",
    "hub_search": "draw_all_equal",
    "hub_search_target": "exact_double",
    "round_starter": "hub_holder",
    "rounds": "full_descent",
    "first_turn_no_start": "mark",
    "drawn_tile": "may_keep",
    "open_double_order": "fifo",
    "first_turn_doubles": "deferred",
    "dead_double": "blocks",
    "double_blank_value": 0,
}

MODERN: Options = {
    **EVERYWHERE,
    "min_players": 2,
    "max_players": 8,
    "max_pip_by_players": for_players((14, 12)),
    "hand_size_by_players": for_players((4, 15), (6, 12), (8, 10)),
    "hub_rule": "descending",
    "hub_source": "set_aside",
    "hub_search": "none",
    "round_starter": "rotate",
    "rounds": "full_descent",
    "first_turn_no_start": "draw_then_mark",
    "open_double_order": "fifo",
    "first_turn_doubles": "deferred",
    "dead_double": "released",
    "double_blank_value": 50,
    "tie_break": "zero_rounds_then_low_round",
}

MASTERS_DUTY: Options = {
    **MASTERS,
    "open_double_duty": "all_players_until_covered",
    "first_turn_doubles": "deferred",
    "dead_double": "blocks",
}

PRESETS: dict[str, Options] = {
    "modern": MODERN,
    "thoughtco": THOUGHTCO,
    "masters": MASTERS,
    "wikihow": WIKIHOW,
    "ehow": EHOW,
    "pagat": PAGAT,
    "thoughtco_double_six": {  # TC L6, L13
        **THOUGHTCO,
        "max_players": 4,
        "max_pip_by_players": for_players((14, 6)),
        "hand_size_by_players": for_players((4, 7)),
    },
    "spruce": {
        **THOUGHTCO,
        "hand_size_by_players": for_players((3, 8), (6, 12), (8, 10), (14, 11)),
        "first_turn_no_start": "draw_then_mark",
    },
    "masters_satisfy": {  # MG L27
        **MASTERS_DUTY,
        "double_followup_where": "double_only",
        "open_double_order": "fifo",
    },
    "masters_relaxed": {**MASTERS_DUTY, "open_double_order": "lifo"},  # MG L28
    "masters_match13": {  # MG L23
        **MASTERS,
        "hub_rule": "descending",
        "rounds": "full_descent",
        "hub_search_target": "exact_double",
    },
    "masters_single": {  # MG L24
        **MASTERS,
        "first_turn_mode": "single_tile",
        "first_turn_trains": "any_available",
        "mexican_train_from": "first_turn",
        "first_turn_no_start": "draw_then_mark",
    },
    "wikihow_one_double": {**WIKIHOW, "double_chain": "one_per_turn"},  # WH L45
    "wikihow_positive": {  # WH L48
        **WIKIHOW,
        "scoring": "winner_takes_sum",
        "block_score": "lowest_shares_pot",
    },
    "wikihow_private": {**WIKIHOW, "opponents_trains": "never"},  # WH L46, D9
    "wikihow_closed": {  # WH L47, D9
        **WIKIHOW,
        "own_train_after_failed_duty": "closed_until_covered",
    },
}

BONEYARDS: dict[str, tuple[int, ...]] = {
    # "Numbers to test against": tiles left after dealing, from two players on.
    "thoughtco": (25, 10, 31, 31, 19, 14, 3, 37, 26, 15, 4, 47, 36),
    "pagat": (61, 46, 31, 31, 19, 21, 11, 19, 11),
    "ehow": (61, 46, 31, 31, 19, 21, 11, 19, 11),
    "masters": (61, 46, 31, 31, 19, 21, 11),
    "wikihow": (67, 55, 43, 31, 19, 21, 11, 19, 11),
    "modern": (60, 45, 30, 30, 18, 20, 10),
}
