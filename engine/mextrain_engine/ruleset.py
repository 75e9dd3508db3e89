"""The rule set: one frozen value that holds every option of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import Any

from mextrain_engine import options as opt
from mextrain_engine.errors import RuleSetError, RuleSetProblem
from mextrain_engine.tiles import set_size

MIN_SEATS = 2
MAX_SEATS = 14
"""The fewest and the most players of any tradition."""

RULES_REVISION = 1
"""Counts changes of this package that alter a legal-move set or a score. Every record names it."""

PlayerTable = tuple[int, ...]
"""A number for each count of players: 13 entries, ``n - 2`` is for ``n`` players, 0 = none."""


def by_players(steps: Mapping[int, int]) -> PlayerTable:
    """Return a table from steps that say "up to so many players: this number".

    >>> by_players({4: 15, 6: 12, 8: 10})
    (15, 15, 15, 12, 12, 10, 10, 0, 0, 0, 0, 0, 0)
    """
    bounds = sorted(steps)
    return tuple(
        next((steps[bound] for bound in bounds if players <= bound), 0)
        for players in range(MIN_SEATS, MAX_SEATS + 1)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """Every rule of a table. The defaults are the preset ``modern``.

    A value is only a description; ``validation.check`` tells whether it can be played.
    The options are described in ``options`` and, with their sources, in ``docs/rules.md``.
    """

    name: str = "modern"
    """The preset that it started from, or `custom` when an option differs."""

    min_players: int = 2
    """The fewest players, 2 to 14."""
    max_players: int = 8
    """The most players, 2 to 14."""
    max_pip_by_players: PlayerTable = by_players({14: 12})
    """Which double-n set is used for each number of players: 6, 9, 12, 15 or 18."""
    hand_size_by_players: PlayerTable = by_players({4: 15, 6: 12, 8: 10})
    """How many tiles each seat is dealt for each number of players, 1 to 94."""
    clamp_hand_size: bool = False
    """Whether fewer tiles are dealt if the set is too small, instead of rejecting the rules."""

    hub_rule: opt.HubRule = opt.HubRule.DESCENDING
    first_hub_value: int | None = None
    """The pip value of the hub of round 1, or of every round with `HubRule.FIXED_VALUE`: 0 to the
    highest of the set; None is the highest of the set."""
    hub_source: opt.HubSource = opt.HubSource.SET_ASIDE
    hub_search: opt.HubSearch = opt.HubSearch.NONE
    hub_search_target: opt.HubSearchTarget = opt.HubSearchTarget.EXACT_DOUBLE
    """The target of that search."""
    round_starter: opt.RoundStarter = opt.RoundStarter.ROTATE
    hub_lay_ends_turn: bool = False
    """Whether laying the hub from the hand is the first turn of its holder."""

    rounds: opt.Rounds = opt.Rounds.FULL_DESCENT
    round_count: int = 13
    """The rounds of a match with `Rounds.FIXED`, 1 to 50."""

    first_turn_mode: opt.FirstTurnMode = opt.FirstTurnMode.MULTI_TILE
    first_turn_trains: opt.FirstTurnTrains = opt.FirstTurnTrains.OWN_ONLY
    first_turn_no_start: opt.FirstTurnNoStart = opt.FirstTurnNoStart.DRAW_THEN_MARK
    first_turn_draw_multi: bool = True
    """Whether a drawn tile that starts the train may be followed by more tiles at once."""
    late_start_mode: opt.LateStartMode = opt.LateStartMode.SINGLE_TILE

    mexican_train_from: opt.MexicanTrainFrom = opt.MexicanTrainFrom.SECOND_TURN
    mexican_train_limit: opt.MexicanTrainLimit = opt.MexicanTrainLimit.ONE
    own_train_first: opt.OwnTrainFirst = opt.OwnTrainFirst.NONE
    opponents_trains: opt.OpponentsTrains = opt.OpponentsTrains.WHEN_MARKED
    unstarted_marked_train_open: bool = True
    """Whether others may start a marked train that has no tile yet."""
    mark_when_unstarted: bool = True
    """Whether a seat without a train is marked when it cannot play."""

    must_play_if_able: bool = True
    """Whether a seat that can play may neither draw nor pass."""
    draw_count: opt.DrawCount = opt.DrawCount.ONE
    drawn_tile: opt.DrawnTile = opt.DrawnTile.MUST_PLAY
    marker_clear: opt.MarkerClear = opt.MarkerClear.OWN_TRAIN_PLAY
    marker_clear_on_double: opt.MarkerClearOnDouble = opt.MarkerClearOnDouble.IMMEDIATE

    double_followup: opt.DoubleFollowup = opt.DoubleFollowup.REQUIRED
    double_followup_where: opt.DoubleFollowupWhere = opt.DoubleFollowupWhere.ANY_AVAILABLE
    """Where that second tile may go."""
    double_chain: opt.DoubleChain = opt.DoubleChain.UNLIMITED
    chain_close: opt.ChainClose = opt.ChainClose.ANYWHERE
    double_followup_draw: opt.DoubleFollowupDraw = opt.DoubleFollowupDraw.PER_OBLIGATION
    double_fail_marks: bool = True
    """Whether a seat that cannot follow its own double is marked."""
    open_double_duty: opt.OpenDoubleDuty = opt.OpenDoubleDuty.ALL_PLAYERS_UNTIL_COVERED
    open_double_order: opt.OpenDoubleOrder = opt.OpenDoubleOrder.FIFO
    own_train_after_failed_duty: opt.OwnTrainAfterFailedDuty = opt.OwnTrainAfterFailedDuty.OPEN
    """Whether a seat that could not cover may play on its own train meanwhile."""
    first_turn_doubles: opt.FirstTurnDoubles = opt.FirstTurnDoubles.DEFERRED
    dead_double: opt.DeadDouble = opt.DeadDouble.RELEASED

    go_out_on_double: opt.GoOutOnDouble = opt.GoOutOnDouble.ALLOWED
    go_out_first_turn: opt.GoOutFirstTurn = opt.GoOutFirstTurn.FINISH_FIRST_TURNS
    blocked_end: opt.BlockedEnd = opt.BlockedEnd.NO_LEGAL_PLAY

    scoring: opt.Scoring = opt.Scoring.PIPS_LOW_WINS
    block_score: opt.BlockScore = opt.BlockScore.ALL_COUNT
    double_blank_value: int = 50
    """The points of the double-blank in a hand, 0 to 100."""
    blank_end_value: int = 0
    """The points of each blank end in a hand. Only 0 is supported."""
    tie_break: opt.TieBreak = opt.TieBreak.ZERO_ROUNDS_THEN_LOW_ROUND

    last_tile_call: opt.LastTileCall = opt.LastTileCall.OFF
    last_tile_penalty: int = 0
    """How many tiles a seat draws if it did not announce its last one, 0 to 5."""

    blanks_wild: bool = False
    """Whether blanks match everything. Only false is supported."""
    double_branches: int = 1
    """How many tiles leave a double. Only 1 is supported."""
    all_trains_public: bool = False
    """Whether every train is open to all, marked or not. Only false is supported."""
    mexican_bonus_play: bool = False
    """Whether each turn allows one more tile on the Mexican Train. Only false is supported."""
    go_out_double_multiplier: int = 1
    """The factor on the others' points when a round ends on a double. Only 1 is supported."""
    forgot_marker_penalty: int = 0
    """How many tiles are drawn for a marker that was not placed. Only 0 is supported: the service
    places the markers.
    """

    def max_pip(self, seats: int) -> int:
        """Return the highest pip value of the set that this many seats play with.

        >>> RuleSet().max_pip(4)
        12
        """
        # Rule setup.set
        return self.max_pip_by_players[seats - MIN_SEATS]

    def hand_size(self, seats: int) -> int:
        """Return how many tiles each of this many seats is dealt, clamped if the rules ask for it.

        >>> RuleSet().hand_size(5)
        12
        """
        # Rule setup.hand
        size = self.hand_size_by_players[seats - MIN_SEATS]
        # Rule setup.hand.clamped
        if self.clamp_hand_size:
            size = min(size, self.tiles_to_deal(seats) // seats)
        return size

    def tiles_to_deal(self, seats: int) -> int:
        """Return how many tiles the hands and the boneyard share: the set, less a hub set aside."""
        return set_size(self.max_pip(seats)) - (self.hub_source is opt.HubSource.SET_ASIDE)

    def first_hub(self, seats: int) -> int:
        """Return the value of the hub of the first round, where the rule fixes it."""
        if self.first_hub_value is not None:
            return self.first_hub_value
        return self.max_pip_by_players[seats - MIN_SEATS]

    def total_rounds(self, seats: int) -> int:
        """Return how many rounds the match has.

        >>> RuleSet().total_rounds(4)
        13
        """
        match self.rounds:
            case opt.Rounds.FULL_DESCENT:  # Rule match.full-descent
                first = self.first_hub_value
                return 1 + (self.max_pip_by_players[seats - MIN_SEATS] if first is None else first)
            case opt.Rounds.SINGLE:  # Rule match.single
                return 1
            case opt.Rounds.FIXED:  # Rule match.fixed
                return self.round_count

    def override(self, **changes: Any) -> RuleSet:
        """Return these rules with some options changed; enum values may be given as their text.

        >>> RuleSet().override(drawn_tile="may_keep", double_blank_value=25).drawn_tile.value
        'may_keep'

        Raises:
            RuleSetError: an option does not exist, or its value is not of its kind.
        """
        return replace(self, **coerce(changes))


OPTION_TYPES: dict[str, type] = {
    option.name: (
        type(option.default)
        if isinstance(option.default, (Enum, bool, int, str))
        else (tuple if isinstance(option.default, tuple) else int)
    )
    for option in fields(RuleSet)
}
"""The kind of value that each option takes, by name (``first_hub_value`` may also be None)."""


def coerce(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return changes of options with enum texts turned into values.

    Raises:
        RuleSetError: an option does not exist or a value is not of its kind; all of them at once.
    """
    problems: list[RuleSetProblem] = []
    values: dict[str, Any] = {}
    for name, value in changes.items():
        problem, values[name] = _coerce_one(name, value)
        if problem is not None:
            problems.append(problem)
    if problems:
        raise RuleSetError(tuple(problems))
    return values


def _coerce_one(name: str, value: Any) -> tuple[RuleSetProblem | None, Any]:
    kind = OPTION_TYPES.get(name)
    if kind is None:
        return RuleSetProblem("UNKNOWN_OPTION", (name,), f"there is no option {name!r}"), value
    if value is None and name == "first_hub_value":
        return None, None
    if issubclass(kind, Enum) and not isinstance(value, kind):
        texts = [member.value for member in kind]
        if value in texts:
            return None, kind(value)
        message = f"{name} is one of {', '.join(texts)}, not {value!r}"
        return RuleSetProblem("UNKNOWN_VALUE", (name,), message), value
    if kind is tuple and isinstance(value, list):
        value = tuple(value)
    if type(value) is not kind:
        message = f"{name} is a {kind.__name__}, not {value!r}"
        return RuleSetProblem("WRONG_TYPE", (name,), message), value
    return None, value
