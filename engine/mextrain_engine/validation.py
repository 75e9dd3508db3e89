"""Whether a rule set can be played: every reason at once, none of them fatal to the check."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from functools import lru_cache
from typing import Any

from mextrain_engine import options as opt
from mextrain_engine.errors import RuleSetProblem
from mextrain_engine.ruleset import MAX_SEATS, MIN_SEATS, RuleSet
from mextrain_engine.tiles import SET_SIZES, set_size

_NOT_YET: Mapping[str, tuple[Any, ...]] = {
    "round_starter": (opt.RoundStarter.HIGHEST_TILE_DRAWN,),  # Rule hub.starter.highest-tile
    "hub_lay_ends_turn": (True,),  # Rule hub.is-turn
    "late_start_mode": (opt.LateStartMode.MULTI_TILE,),  # Rule first-turn.late-multi
    # Rule mexican.from.after-all-trains
    "mexican_train_from": (opt.MexicanTrainFrom.AFTER_ALL_TRAINS,),
    "mexican_train_limit": (opt.MexicanTrainLimit.UNLIMITED,),  # Rule mexican.unlimited
    # Rules turn.own-first.before-opponents, turn.own-first.before-any
    "own_train_first": (opt.OwnTrainFirst.BEFORE_OPPONENTS, opt.OwnTrainFirst.BEFORE_ANY),
    "must_play_if_able": (False,),  # Rule turn.may-decline
    "marker_clear": (opt.MarkerClear.MANUAL,),  # Rule marker.cleared.manual
    # Rule marker.cleared.double-when-covered
    "marker_clear_on_double": (opt.MarkerClearOnDouble.WHEN_COVERED,),
    # Rules double.chain.close.must-cover, double.chain.close.not-later
    "chain_close": (opt.ChainClose.MUST_COVER_AN_OPEN_DOUBLE, opt.ChainClose.NOT_ON_LATER_DOUBLES),
    "first_turn_doubles": (opt.FirstTurnDoubles.FORBIDDEN,),  # Rule open.first-turn.forbidden
    "dead_double": (opt.DeadDouble.RELEASED_AFTER_LAP,),  # Rule open.dead.released-after-lap
    "go_out_on_double": (opt.GoOutOnDouble.MUST_FOLLOW_UP,),  # Rule out.on-double.must-follow
    "blocked_end": (opt.BlockedEnd.ALL_PASSED_LAP,),  # Rule blocked.all-passed
    "scoring": (opt.Scoring.ZERO_SUM,),  # Rule score.zero-sum
    "tie_break": (opt.TieBreak.EXTRA_ROUND,),  # Rule match.tie.extra-round
    "blanks_wild": (True,),  # Rule turn.blanks-wild
    "all_trains_public": (True,),  # Rule turn.others-always
    "mexican_bonus_play": (True,),  # Rule turn.bonus-mexican
}
"""Values that have a place in the type and that the engine does not play yet."""

_RANGES: Mapping[str, tuple[int, int]] = {
    "min_players": (MIN_SEATS, MAX_SEATS),
    "max_players": (MIN_SEATS, MAX_SEATS),
    "round_count": (1, 50),
    "double_blank_value": (0, 100),
    "blank_end_value": (0, 0),  # Rule score.blank-end
    "last_tile_penalty": (0, 5),
    "double_branches": (1, 1),  # Rule double.branches
    "go_out_double_multiplier": (1, 1),  # Rule score.multiplier
    "forgot_marker_penalty": (0, 0),  # Rule marker.forgotten
}
"""The least and the greatest value of each number."""

_TABLE_LENGTH = MAX_SEATS - MIN_SEATS + 1
_MIN_HAND = 2


@lru_cache(maxsize=128)
def check(rules: RuleSet) -> tuple[RuleSetProblem, ...]:
    """Return all that is wrong with a rule set, for every number of seats that it allows.

    >>> check(RuleSet())
    ()
    >>> [p.code for p in check(RuleSet(round_count=0, double_blank_value=-1))]
    ['OUT_OF_RANGE', 'OUT_OF_RANGE']

    Returns:
        The problems in a stable order; empty when the rules can be played.
    """
    shape = [*_out_of_range(rules), *_not_yet(rules), *_contradictions(rules)]
    seats = range(rules.min_players, rules.max_players + 1)
    tables = [*_bad_tables(rules)]
    if tables or not MIN_SEATS <= rules.min_players <= rules.max_players <= MAX_SEATS:
        return (*shape, *tables)
    return (*shape, *(problem for count in seats for problem in _seat_problems(rules, count)))


def check_seats(rules: RuleSet, seats: int) -> tuple[RuleSetProblem, ...]:
    """Return all that is wrong with playing these rules with so many seats.

    >>> [p.code for p in check_seats(RuleSet(), seats=9)]
    ['SEATS_NOT_ALLOWED']
    """
    problems = check(rules)
    # Rule setup.players
    if problems or rules.min_players <= seats <= rules.max_players:
        return problems
    message = f"these rules are for {rules.min_players} to {rules.max_players} players, not {seats}"
    return (RuleSetProblem("SEATS_NOT_ALLOWED", ("min_players", "max_players"), message),)


def _out_of_range(rules: RuleSet) -> Iterator[RuleSetProblem]:
    for name, (least, greatest) in _RANGES.items():
        value = getattr(rules, name)
        if not least <= value <= greatest:
            message = f"{name} is {least} to {greatest}, not {value}"
            yield RuleSetProblem("OUT_OF_RANGE", (name,), message)
    if rules.min_players > rules.max_players:
        message = f"min_players {rules.min_players} is more than max_players {rules.max_players}"
        yield RuleSetProblem("PLAYERS_REVERSED", ("min_players", "max_players"), message)


def _not_yet(rules: RuleSet) -> Iterator[RuleSetProblem]:
    for name, values in _NOT_YET.items():
        value = getattr(rules, name)
        if value in values:
            text = value.value if isinstance(value, Enum) else str(value).lower()
            message = f"{name} = {text} is not played by this version"
            yield RuleSetProblem("NOT_SUPPORTED", (name,), message)


def _bad_tables(rules: RuleSet) -> Iterator[RuleSetProblem]:
    for name in ("max_pip_by_players", "hand_size_by_players"):
        table = getattr(rules, name)
        if len(table) != _TABLE_LENGTH or any(type(value) is not int for value in table):
            message = f"{name} is {_TABLE_LENGTH} numbers, for {MIN_SEATS} to {MAX_SEATS} players"
            yield RuleSetProblem("BAD_TABLE", (name,), message)


def _contradictions(rules: RuleSet) -> Iterator[RuleSetProblem]:
    for holds, options, message in _CONTRADICTIONS:
        if holds(rules):
            yield RuleSetProblem("CONTRADICTION", options, message)


def _takes_any_double(rules: RuleSet) -> bool:
    return rules.hub_rule in {
        opt.HubRule.HIGHEST_IN_HANDS,
        opt.HubRule.LEAD_PLAYER_HIGHEST,
        opt.HubRule.HIGHEST_UNUSED_IN_HANDS,
    }


def _set_aside(rules: RuleSet) -> bool:
    return rules.hub_source is opt.HubSource.SET_ASIDE


_CONTRADICTIONS: tuple[tuple[Callable[[RuleSet], bool], tuple[str, ...], str], ...] = (
    (
        lambda r: _set_aside(r) and _takes_any_double(r),
        ("hub_source", "hub_rule"),
        "a hub set aside before the deal cannot be a double out of a hand",
    ),
    (
        lambda r: _set_aside(r) and r.hub_search is not opt.HubSearch.NONE,
        ("hub_source", "hub_search"),
        "a hub set aside before the deal is never searched for: hub_search must be none",
    ),
    (
        lambda r: not _set_aside(r) and r.hub_search is opt.HubSearch.NONE,
        ("hub_source", "hub_search"),
        "a hub out of the hands can be missing from them: hub_search must not be none",
    ),
    (
        lambda r: (
            _set_aside(r)
            and r.round_starter
            in {opt.RoundStarter.HUB_HOLDER, opt.RoundStarter.LEFT_OF_HUB_HOLDER}
        ),
        ("hub_source", "round_starter"),
        "a hub set aside before the deal has no holder who could start or sit beside the starter",
    ),
    (
        lambda r: (
            _takes_any_double(r) and r.hub_search_target is not opt.HubSearchTarget.ANY_DOUBLE
        ),
        ("hub_rule", "hub_search_target"),
        "this hub rule names no exact double: hub_search_target must be any_double",
    ),
    (
        lambda r: (
            not _takes_any_double(r) and r.hub_search_target is opt.HubSearchTarget.ANY_DOUBLE
        ),
        ("hub_rule", "hub_search_target"),
        "this hub rule names the double: hub_search_target must be exact_double",
    ),
    (
        lambda r: (
            r.hub_search is opt.HubSearch.NEXT_LOWER_DOUBLE
            and r.hub_rule not in {opt.HubRule.DESCENDING, opt.HubRule.FIXED_VALUE}
        ),
        ("hub_search", "hub_rule"),
        "next_lower_double needs a hub rule that names a value to go down from",
    ),
    (
        lambda r: _takes_any_double(r) and r.rounds is opt.Rounds.FULL_DESCENT,
        ("rounds", "hub_rule"),
        "full_descent needs a hub rule that descends; use fixed with a round_count",
    ),
    (
        lambda r: r.hub_rule is opt.HubRule.FIXED_VALUE and r.rounds is opt.Rounds.FULL_DESCENT,
        ("rounds", "hub_rule"),
        "full_descent needs a hub that descends, not a fixed value; use fixed with a round_count",
    ),
    (
        lambda r: (
            r.first_turn_trains is opt.FirstTurnTrains.OWN_OR_MEXICAN
            and r.mexican_train_from is not opt.MexicanTrainFrom.FIRST_TURN
        ),
        ("first_turn_trains", "mexican_train_from"),
        "own_or_mexican lets a first turn use the Mexican Train: it must be open from first_turn",
    ),
    (
        lambda r: (
            r.first_turn_trains is opt.FirstTurnTrains.OWN_ONLY
            and r.mexican_train_from is opt.MexicanTrainFrom.FIRST_TURN
        ),
        ("first_turn_trains", "mexican_train_from"),
        "own_only keeps first turns off the Mexican Train: it cannot be open from first_turn",
    ),
    (
        lambda r: (
            r.double_followup_where is opt.DoubleFollowupWhere.DOUBLE_ONLY
            and r.open_double_order is not opt.OpenDoubleOrder.FIFO
        ),
        ("double_followup_where", "open_double_order"),
        "double_only leaves one open double a turn: open_double_order must be fifo",
    ),
    (
        lambda r: (
            r.block_score is opt.BlockScore.LOWEST_SHARES_POT
            and r.scoring is opt.Scoring.PIPS_LOW_WINS
        ),
        ("block_score", "scoring"),
        "lowest_shares_pot shares out points won: it needs winner_takes_sum",
    ),
    (
        lambda r: (
            r.tie_break is opt.TieBreak.ZERO_ROUNDS_THEN_LOW_ROUND
            and r.scoring is opt.Scoring.WINNER_TAKES_SUM
        ),
        ("tie_break", "scoring"),
        "zero_rounds_then_low_round compares pips kept: with winner_takes_sum use shared",
    ),
    (
        lambda r: (
            r.double_followup_draw is opt.DoubleFollowupDraw.ONCE_PER_TURN
            and r.draw_count is opt.DrawCount.UNTIL_PLAYABLE
        ),
        ("double_followup_draw", "draw_count"),
        "once_per_turn draws one tile a turn: draw_count must be one",
    ),
    (
        lambda r: r.last_tile_penalty > 0 and r.last_tile_call is not opt.LastTileCall.REQUIRED,
        ("last_tile_penalty", "last_tile_call"),
        "a penalty needs last_tile_call = required",
    ),
    (
        lambda r: (
            r.own_train_after_failed_duty is opt.OwnTrainAfterFailedDuty.CLOSED_UNTIL_COVERED
            and r.open_double_duty is opt.OpenDoubleDuty.NONE
        ),
        ("own_train_after_failed_duty", "open_double_duty"),
        "without a duty to cover open doubles none can be failed",
    ),
)
"""Combinations that cannot be: a test, the options concerned, and what to say."""


def _seat_problems(rules: RuleSet, seats: int) -> Iterator[RuleSetProblem]:
    max_pip = rules.max_pip_by_players[seats - MIN_SEATS]
    if max_pip not in SET_SIZES:
        message = f"for {seats} players the set is double-{max_pip}; there are 6, 9, 12, 15 and 18"
        yield RuleSetProblem("NO_SUCH_SET", ("max_pip_by_players",), message)
        return
    hub = rules.first_hub(seats)
    if not 0 <= hub <= max_pip:
        message = f"first_hub_value is 0 to {max_pip} with {seats} players, not {hub}"
        yield RuleSetProblem("OUT_OF_RANGE", ("first_hub_value",), message)
    hand = rules.hand_size(seats)
    if hand < _MIN_HAND:
        message = f"for {seats} players the hand is {hand}; it is at least {_MIN_HAND}"
        yield RuleSetProblem("HAND_TOO_SMALL", ("hand_size_by_players",), message)
    # Rule setup.hand.must-fit
    elif hand * seats > rules.tiles_to_deal(seats):
        message = (
            f"{seats} hands of {hand} are {hand * seats} tiles; of the {set_size(max_pip)} of "
            f"double-{max_pip} there are {rules.tiles_to_deal(seats)} to deal"
        )
        options = ("hand_size_by_players", "max_pip_by_players")
        yield RuleSetProblem("HANDS_EXCEED_SET", options, message)
