"""The traditions as data: each preset is one rule set, none is code.

Sources and confidence of every value are in ``docs/rules.md``.
"""

from __future__ import annotations

from mextrain_engine import options as opt
from mextrain_engine.errors import RuleSetError, RuleSetProblem
from mextrain_engine.ruleset import RuleSet, by_players

_MODERN = RuleSet()

_THOUGHTCO = RuleSet(
    name="thoughtco",
    max_players=14,
    max_pip_by_players=by_players({3: 9, 8: 12, 12: 15, 14: 18}),
    hand_size_by_players=by_players({4: 15, 6: 12, 14: 11}),
    hub_source=opt.HubSource.FROM_HANDS,
    hub_search=opt.HubSearch.DRAW_IN_TURN,
    round_starter=opt.RoundStarter.HUB_HOLDER,
    first_turn_no_start=opt.FirstTurnNoStart.MARK,
    drawn_tile=opt.DrawnTile.MAY_KEEP,
    first_turn_doubles=opt.FirstTurnDoubles.IGNORED,
    dead_double=opt.DeadDouble.BLOCKS,
)

_MASTERS = RuleSet(
    name="masters",
    hub_rule=opt.HubRule.HIGHEST_IN_HANDS,
    hub_source=opt.HubSource.FROM_HANDS,
    hub_search=opt.HubSearch.DRAW_IN_TURN,
    hub_search_target=opt.HubSearchTarget.ANY_DOUBLE,
    round_starter=opt.RoundStarter.LEFT_OF_HUB_HOLDER,
    rounds=opt.Rounds.FIXED,
    first_turn_no_start=opt.FirstTurnNoStart.MARK,
    open_double_duty=opt.OpenDoubleDuty.NONE,
    first_turn_doubles=opt.FirstTurnDoubles.IGNORED,
    double_blank_value=0,
    tie_break=opt.TieBreak.SHARED,
)

_WIKIHOW = RuleSet(
    name="wikihow",
    max_players=10,
    hand_size_by_players=by_players({6: 12, 8: 10, 10: 8}),
    hub_source=opt.HubSource.FROM_HANDS,
    hub_search=opt.HubSearch.DRAW_ALL_EQUAL,
    round_starter=opt.RoundStarter.HUB_HOLDER,
    first_turn_doubles=opt.FirstTurnDoubles.IMMEDIATE,
    dead_double=opt.DeadDouble.BLOCKS,
    double_blank_value=0,
    tie_break=opt.TieBreak.SHARED,
)

_EHOW = RuleSet(
    name="ehow",
    max_players=10,
    hand_size_by_players=by_players({4: 15, 6: 12, 8: 10, 10: 8}),
    hub_rule=opt.HubRule.HIGHEST_IN_HANDS,
    hub_source=opt.HubSource.FROM_HANDS,
    hub_search=opt.HubSearch.DRAW_IN_TURN,
    hub_search_target=opt.HubSearchTarget.ANY_DOUBLE,
    round_starter=opt.RoundStarter.HUB_HOLDER,
    rounds=opt.Rounds.SINGLE,
    first_turn_draw_multi=False,
    double_followup_where=opt.DoubleFollowupWhere.DOUBLE_ONLY,
    double_chain=opt.DoubleChain.ONE_PER_TURN,
    first_turn_doubles=opt.FirstTurnDoubles.IMMEDIATE,
    dead_double=opt.DeadDouble.BLOCKS,
    go_out_first_turn=opt.GoOutFirstTurn.IMMEDIATE,
    double_blank_value=0,
    tie_break=opt.TieBreak.SHARED,
    last_tile_call=opt.LastTileCall.REQUIRED,
)

_PAGAT = RuleSet(
    name="pagat",
    max_players=10,
    hand_size_by_players=by_players({4: 15, 6: 12, 8: 10, 10: 8}),
    hub_source=opt.HubSource.FROM_HANDS,
    hub_search=opt.HubSearch.DRAW_ALL_EQUAL,
    round_starter=opt.RoundStarter.HUB_HOLDER,
    first_turn_no_start=opt.FirstTurnNoStart.MARK,
    drawn_tile=opt.DrawnTile.MAY_KEEP,
    dead_double=opt.DeadDouble.BLOCKS,
    double_blank_value=0,
    tie_break=opt.TieBreak.SHARED,
)

_SATISFY = {
    "open_double_duty": opt.OpenDoubleDuty.ALL_PLAYERS_UNTIL_COVERED,
    "first_turn_doubles": opt.FirstTurnDoubles.DEFERRED,
    "dead_double": opt.DeadDouble.BLOCKS,
}

PRESETS: dict[str, RuleSet] = {
    rules.name: rules
    for rules in (
        _MODERN,
        _THOUGHTCO,
        _MASTERS,
        _WIKIHOW,
        _EHOW,
        _PAGAT,
        _THOUGHTCO.override(
            name="thoughtco_double_six",
            max_players=4,
            max_pip_by_players=by_players({4: 6}),
            hand_size_by_players=by_players({4: 7}),
        ),
        _THOUGHTCO.override(
            name="spruce",
            hand_size_by_players=by_players({3: 8, 6: 12, 8: 10, 14: 11}),
            first_turn_no_start=opt.FirstTurnNoStart.DRAW_THEN_MARK,
        ),
        _MASTERS.override(
            name="masters_satisfy",
            double_followup_where=opt.DoubleFollowupWhere.DOUBLE_ONLY,
            **_SATISFY,
        ),
        _MASTERS.override(
            name="masters_relaxed", open_double_order=opt.OpenDoubleOrder.LIFO, **_SATISFY
        ),
        _MASTERS.override(
            name="masters_match13",
            hub_rule=opt.HubRule.DESCENDING,
            hub_search_target=opt.HubSearchTarget.EXACT_DOUBLE,
            rounds=opt.Rounds.FULL_DESCENT,
        ),
        _MASTERS.override(
            name="masters_single",
            first_turn_mode=opt.FirstTurnMode.SINGLE_TILE,
            first_turn_trains=opt.FirstTurnTrains.ANY_AVAILABLE,
            mexican_train_from=opt.MexicanTrainFrom.FIRST_TURN,
            first_turn_no_start=opt.FirstTurnNoStart.DRAW_THEN_MARK,
        ),
        _WIKIHOW.override(name="wikihow_one_double", double_chain=opt.DoubleChain.ONE_PER_TURN),
        _WIKIHOW.override(
            name="wikihow_positive",
            scoring=opt.Scoring.WINNER_TAKES_SUM,
            block_score=opt.BlockScore.LOWEST_SHARES_POT,
        ),
        _WIKIHOW.override(name="wikihow_private", opponents_trains=opt.OpponentsTrains.NEVER),
        _WIKIHOW.override(
            name="wikihow_closed",
            own_train_after_failed_duty=opt.OwnTrainAfterFailedDuty.CLOSED_UNTIL_COVERED,
        ),
    )
}
"""Every preset and sub-preset by name, ``modern`` first."""


def preset(name: str) -> RuleSet:
    """Return the preset of this name.

    >>> preset("thoughtco").hand_size(14)
    11

    Raises:
        RuleSetError: there is no such preset; the message lists those that exist.
    """
    rules = PRESETS.get(name)
    if rules is None:
        message = f"there is no preset {name[:40]!r}; there are {', '.join(PRESETS)}"
        raise RuleSetError((RuleSetProblem("UNKNOWN_PRESET", ("name",), message),))
    return rules
