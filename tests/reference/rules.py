"""The options that the reference models, as plain words and numbers for one count of seats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Rules:
    """One table's rules. Values are those of section 2 of the rules, as their text."""

    seats: int
    max_pip: int
    hand_size: int
    first_hub: int
    total_rounds: int
    hub_rule: str
    hub_source: str
    hub_search: str
    hub_search_target: str
    round_starter: str
    first_turn_mode: str
    first_turn_trains: str
    first_turn_no_start: str
    first_turn_draw_multi: bool
    mexican_train_from: str
    opponents_trains: str
    unstarted_marked_train_open: bool
    mark_when_unstarted: bool
    draw_count: str
    drawn_tile: str
    marker_clear: str
    double_followup: str
    double_followup_where: str
    double_chain: str
    double_followup_draw: str
    double_fail_marks: bool
    open_double_duty: str
    open_double_order: str
    own_train_after_failed_duty: str
    first_turn_doubles: str
    dead_double: str
    go_out_first_turn: str
    scoring: str
    block_score: str
    double_blank_value: int
    tie_break: str
    last_tile_call: str
    last_tile_penalty: int


def rules_for(options: Mapping[str, Any], seats: int) -> Rules:
    """Return the rules for a number of seats from a full table of options.

    Args:
        options: every option of section 2 by name: words, numbers, truth values; the two
            ``…_by_players`` tables have 13 entries, for 2 to 14 players.
        seats: 2 to 14.
    """
    max_pip = options["max_pip_by_players"][seats - 2]
    first_hub = options["first_hub_value"]
    if first_hub is None:
        first_hub = max_pip
    computed = {
        "seats": seats,
        "max_pip": max_pip,
        "hand_size": _hand_size(options, seats, max_pip),
        "first_hub": first_hub,
        "total_rounds": _total_rounds(options, first_hub),
    }
    as_given = {name: options[name] for name in Rules.__annotations__ if name not in computed}
    return Rules(**computed, **as_given)


def _hand_size(options: Mapping[str, Any], seats: int, max_pip: int) -> int:
    size: int = options["hand_size_by_players"][seats - 2]
    if options["clamp_hand_size"]:  # C6: floor(available / players), only on request
        tiles = (max_pip + 1) * (max_pip + 2) // 2
        available = tiles - 1 if options["hub_source"] == "set_aside" else tiles
        size = min(size, available // seats)
    return size


def _total_rounds(options: Mapping[str, Any], first_hub: int) -> int:
    if options["rounds"] == "full_descent":  # TC L24: down to the double-blank
        return first_hub + 1
    if options["rounds"] == "single":  # EH L6, D10
        return 1
    count: int = options["round_count"]  # MG L15, L23, D10
    return count
