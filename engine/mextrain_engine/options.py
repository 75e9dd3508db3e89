"""The options of the rules: what the traditions disagree about, as closed sets of values.

``docs/rules.md`` says who plays which. The numbers in brackets are those of the option table.
"""

from __future__ import annotations

from mextrain_engine.choice import Choice


class HubRule(Choice):
    """Which double becomes the hub of a round [4]."""

    DESCENDING = "descending"
    HIGHEST_IN_HANDS = "highest_in_hands"
    LEAD_PLAYER_HIGHEST = "lead_player_highest"
    HIGHEST_UNUSED_IN_HANDS = "highest_unused_in_hands"
    FIXED_VALUE = "fixed_value"


class HubSource(Choice):
    """Whether the hub is dealt with the rest or taken out before the deal [5]."""

    FROM_HANDS = "from_hands"
    SET_ASIDE = "set_aside"


class HubSearch(Choice):
    """What happens when no hand holds a double that can be the hub [6]."""

    NONE = "none"
    DRAW_IN_TURN = "draw_in_turn"
    DRAW_ALL_EQUAL = "draw_all_equal"
    NEXT_LOWER_DOUBLE = "next_lower_double"
    DRAW_REVEAL_RETURN = "draw_reveal_return"
    REDEAL = "redeal"


class HubSearchTarget(Choice):
    """What the search looks for [7]."""

    EXACT_DOUBLE = "exact_double"
    ANY_DOUBLE = "any_double"


class RoundStarter(Choice):
    """Who takes the first turn of a round [8]."""

    HUB_HOLDER = "hub_holder"
    LEFT_OF_HUB_HOLDER = "left_of_hub_holder"
    ROTATE = "rotate"
    HIGHEST_TILE_DRAWN = "highest_tile_drawn"
    HIGHEST_HUB_MATCH = "highest_hub_match"


class Rounds(Choice):
    """How many rounds a match has [10]."""

    FULL_DESCENT = "full_descent"
    SINGLE = "single"
    FIXED = "fixed"


class FirstTurnMode(Choice):
    """How much may be laid on a first turn [11]."""

    MULTI_TILE = "multi_tile"
    SINGLE_TILE = "single_tile"


class FirstTurnTrains(Choice):
    """Where a first turn may be played [12]."""

    OWN_ONLY = "own_only"
    OWN_OR_MEXICAN = "own_or_mexican"
    ANY_AVAILABLE = "any_available"


class FirstTurnNoStart(Choice):
    """What a seat does that cannot start its train on its first turn [13]."""

    MARK = "mark"
    DRAW_THEN_MARK = "draw_then_mark"
    DRAW_UNTIL_START = "draw_until_start"


class LateStartMode(Choice):
    """How much may be laid when a train is started after the first turn [15]."""

    SINGLE_TILE = "single_tile"
    MULTI_TILE = "multi_tile"


class MexicanTrainFrom(Choice):
    """When a seat may first play on the Mexican Train [16]."""

    SECOND_TURN = "second_turn"
    FIRST_TURN = "first_turn"
    AFTER_ALL_TRAINS = "after_all_trains"


class MexicanTrainLimit(Choice):
    """How many Mexican Trains a table has [17]."""

    ONE = "one"
    UNLIMITED = "unlimited"


class OwnTrainFirst(Choice):
    """Whether a seat must have started its own train before it plays elsewhere [18]."""

    NONE = "none"
    BEFORE_OPPONENTS = "before_opponents"
    BEFORE_ANY = "before_any"


class DrawCount(Choice):
    """How many tiles are drawn for one inability to play [22]."""

    ONE = "one"
    UNTIL_PLAYABLE = "until_playable"


class DrawnTile(Choice):
    """Whether a drawn tile that fits must be played [23]."""

    MAY_KEEP = "may_keep"
    MUST_PLAY = "must_play"


class MarkerClear(Choice):
    """Which play of its owner takes the marker off a train [24]."""

    OWN_TRAIN_PLAY = "own_train_play"
    ANY_PLAY = "any_play"
    MANUAL = "manual"


class MarkerClearOnDouble(Choice):
    """When a double on one's own marked train takes the marker off [25]."""

    IMMEDIATE = "immediate"
    WHEN_COVERED = "when_covered"


class DoubleFollowup(Choice):
    """Whether the layer of a double plays again in the same turn [26]."""

    REQUIRED = "required"
    OPTIONAL = "optional"
    NONE = "none"


class DoubleFollowupWhere(Choice):
    """Where that second tile may go [27]."""

    ANY_AVAILABLE = "any_available"
    DOUBLE_ONLY = "double_only"


class DoubleChain(Choice):
    """How many doubles one turn may hold [28]."""

    UNLIMITED = "unlimited"
    ONE_PER_TURN = "one_per_turn"


class ChainClose(Choice):
    """Where the plain tile that closes a turn with doubles may go [29]."""

    ANYWHERE = "anywhere"
    MUST_COVER_AN_OPEN_DOUBLE = "must_cover_an_open_double"
    NOT_ON_LATER_DOUBLES = "not_on_later_doubles"


class DoubleFollowupDraw(Choice):
    """How often one turn with doubles may draw [30]."""

    PER_OBLIGATION = "per_obligation"
    ONCE_PER_TURN = "once_per_turn"
    NONE = "none"


class OpenDoubleDuty(Choice):
    """Whom a double binds that was left uncovered [32]."""

    NONE = "none"
    ALL_PLAYERS_UNTIL_COVERED = "all_players_until_covered"


class OpenDoubleOrder(Choice):
    """In which order several open doubles are covered [33]."""

    FIFO = "fifo"
    LIFO = "lifo"
    ANY = "any"


class FirstTurnDoubles(Choice):
    """What a double means that ends a first-turn train [34]."""

    IGNORED = "ignored"
    DEFERRED = "deferred"
    IMMEDIATE = "immediate"
    FORBIDDEN = "forbidden"


class DeadDouble(Choice):
    """What becomes of an open double whose value is used up [35]."""

    BLOCKS = "blocks"
    RELEASED = "released"
    RELEASED_AFTER_LAP = "released_after_lap"


class GoOutOnDouble(Choice):
    """Whether a double may be the last tile [36]."""

    ALLOWED = "allowed"
    MUST_FOLLOW_UP = "must_follow_up"


class GoOutFirstTurn(Choice):
    """What happens when a seat goes out on its first turn [37]."""

    FINISH_FIRST_TURNS = "finish_first_turns"
    IMMEDIATE = "immediate"


class BlockedEnd(Choice):
    """When a round counts as blocked [38]."""

    NO_LEGAL_PLAY = "no_legal_play"
    ALL_PASSED_LAP = "all_passed_lap"


class Scoring(Choice):
    """How a round is scored [39]."""

    PIPS_LOW_WINS = "pips_low_wins"
    WINNER_TAKES_SUM = "winner_takes_sum"
    ZERO_SUM = "zero_sum"


class BlockScore(Choice):
    """How a blocked round is scored [40]."""

    ALL_COUNT = "all_count"
    LOWEST_SHARES_POT = "lowest_shares_pot"


class TieBreak(Choice):
    """How equal totals are told apart [43]."""

    ZERO_ROUNDS_THEN_LOW_ROUND = "zero_rounds_then_low_round"
    SHARED = "shared"
    EXTRA_ROUND = "extra_round"


class LastTileCall(Choice):
    """Whether a seat announces that it holds one tile [44]."""

    OFF = "off"
    COURTESY = "courtesy"
    REQUIRED = "required"


class OpponentsTrains(Choice):
    """Whether other seats' trains can be played at all [D9, wikiHow L46]."""

    WHEN_MARKED = "when_marked"
    NEVER = "never"


class OwnTrainAfterFailedDuty(Choice):
    """Whether a seat that could not cover may play on its own train meanwhile [D9, wikiHow L47]."""

    OPEN = "open"
    CLOSED_UNTIL_COVERED = "closed_until_covered"
