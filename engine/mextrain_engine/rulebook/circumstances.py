"""What may be true of a table beyond a single option, as named predicates of rules and seats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from mextrain_engine import options as opt
from mextrain_engine.ruleset import RuleSet

Predicate = Callable[[RuleSet, int], bool]


def boneyard_size(rules: RuleSet, seats: int) -> int:
    """Return how many tiles are left face down after the deal."""
    return rules.tiles_to_deal(seats) - seats * rules.hand_size(seats)


def _has_boneyard(rules: RuleSet, seats: int) -> bool:
    return boneyard_size(rules, seats) > 0


def _hub_may_be_missing(rules: RuleSet, seats: int) -> bool:
    return rules.hub_source is opt.HubSource.FROM_HANDS and _has_boneyard(rules, seats)


def _several_rounds(rules: RuleSet, seats: int) -> bool:
    return rules.total_rounds(seats) > 1


def _outlasts_descent(rules: RuleSet, seats: int) -> bool:
    return rules.total_rounds(seats) > rules.first_hub(seats) + 1


def _doubles_play_on(rules: RuleSet, _: int) -> bool:
    return rules.double_followup is not opt.DoubleFollowup.NONE


def _doubles_bind(rules: RuleSet, _: int) -> bool:
    return rules.open_double_duty is opt.OpenDoubleDuty.ALL_PLAYERS_UNTIL_COVERED


def _several_may_be_open(rules: RuleSet, seats: int) -> bool:
    """A turn leaves several, or several first-turn trains end in one."""
    one_a_turn = (
        rules.double_followup_where is opt.DoubleFollowupWhere.DOUBLE_ONLY
        or rules.double_chain is opt.DoubleChain.ONE_PER_TURN
    )
    opening = rules.first_turn_mode is opt.FirstTurnMode.MULTI_TILE
    deferred = rules.first_turn_doubles is opt.FirstTurnDoubles.DEFERRED
    return _doubles_bind(rules, seats) and (not one_a_turn or (opening and deferred))


def _opening_train(rules: RuleSet, _: int) -> bool:
    return rules.first_turn_mode is opt.FirstTurnMode.MULTI_TILE


def _first_turn_may_be_bound(rules: RuleSet, seats: int) -> bool:
    immediate = rules.first_turn_doubles is opt.FirstTurnDoubles.IMMEDIATE
    return _doubles_bind(rules, seats) and (immediate or not _opening_train(rules, seats))


def _opening_double_may_bind(rules: RuleSet, seats: int) -> bool:
    return _opening_train(rules, seats) and _doubles_bind(rules, seats)


def _extra_turn(rules: RuleSet, seats: int) -> bool:
    return _doubles_play_on(rules, seats) and not _doubles_bind(rules, seats)


def _blank_costs(rules: RuleSet, _: int) -> bool:
    return rules.double_blank_value > 0


def _fine_for_silence(rules: RuleSet, _: int) -> bool:
    return rules.last_tile_penalty > 0


CIRCUMSTANCES: Mapping[str, Predicate] = MappingProxyType(
    {
        "boneyard": _has_boneyard,
        "no-boneyard": lambda rules, seats: not _has_boneyard(rules, seats),
        "hub-may-be-missing": _hub_may_be_missing,
        "several-rounds": _several_rounds,
        "outlasts-descent": _outlasts_descent,
        "doubles-play-on": _doubles_play_on,
        "doubles-bind": _doubles_bind,
        "several-may-be-open": _several_may_be_open,
        "opening-train": _opening_train,
        "opening-double-may-bind": _opening_double_may_bind,
        "first-turn-may-be-bound": _first_turn_may_be_bound,
        "extra-turn": _extra_turn,
        "blank-costs": _blank_costs,
        "blank-free": lambda rules, seats: not _blank_costs(rules, seats),
        "fine-for-silence": _fine_for_silence,
        "no-fine-for-silence": lambda rules, seats: not _fine_for_silence(rules, seats),
        "two-players": lambda _, seats: seats == 2,
        "blank-ends-cost": lambda rules, _: rules.blank_end_value > 0,
        "points-multiply": lambda rules, _: rules.go_out_double_multiplier > 1,
        "markers-forgotten": lambda rules, _: rules.forgot_marker_penalty > 0,
        "doubles-branch": lambda rules, _: rules.double_branches > 1,
    }
)
"""Every circumstance that a sentence may depend on, by the name that it uses."""
