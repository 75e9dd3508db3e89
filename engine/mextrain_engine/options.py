"""The options of the rules: what the traditions disagree about, as closed sets of values.

``docs/rules.md`` says who plays which. The numbers in brackets are those of the option table.
"""

from __future__ import annotations

from mextrain_engine.choice import Choice


class HubRule(Choice):
    """Which double becomes the hub of a round [4]."""

    DESCENDING = "descending"
    """The highest double of the set in round 1 and one lower in each later round."""
    HIGHEST_IN_HANDS = "highest_in_hands"
    """The highest double that anyone was dealt."""
    LEAD_PLAYER_HIGHEST = "lead_player_highest"
    """The highest double of the first seat, or of the next seat that holds one."""
    HIGHEST_UNUSED_IN_HANDS = "highest_unused_in_hands"
    """The highest double that anyone was dealt and that has not been a hub in this match."""
    FIXED_VALUE = "fixed_value"
    """The same double in every round."""


class HubSource(Choice):
    """Whether the hub is dealt with the rest or taken out before the deal [5]."""

    FROM_HANDS = "from_hands"
    """It is dealt, and the seat that holds it lays it."""
    SET_ASIDE = "set_aside"
    """It is taken out and laid before the deal."""


class HubSearch(Choice):
    """What happens when no hand holds a double that can be the hub [6]."""

    NONE = "none"
    """Nothing: the rules ensure that a hand holds one."""
    DRAW_IN_TURN = "draw_in_turn"
    """Seats draw one tile each in turn until one draws it; all keep what they drew."""
    DRAW_ALL_EQUAL = "draw_all_equal"
    """As in turn, but the lap is finished, so that hands stay equal."""
    NEXT_LOWER_DOUBLE = "next_lower_double"
    """The next lower double that is in a hand takes its place."""
    DRAW_REVEAL_RETURN = "draw_reveal_return"
    """Seats draw in turn, show the tile and put it back under the boneyard, until it is found."""
    REDEAL = "redeal"
    """All tiles go back, and the round is dealt anew."""


class HubSearchTarget(Choice):
    """The target of the search for the hub [7]."""

    EXACT_DOUBLE = "exact_double"
    """The double that the round requires."""
    ANY_DOUBLE = "any_double"
    """Any double at all."""


class RoundStarter(Choice):
    """Who takes the first turn of a round [8]."""

    HUB_HOLDER = "hub_holder"
    """The seat that laid the hub."""
    LEFT_OF_HUB_HOLDER = "left_of_hub_holder"
    """The seat after the one that laid the hub."""
    ROTATE = "rotate"
    """Seat 0 in round 1, and one seat further in each later round."""
    HIGHEST_TILE_DRAWN = "highest_tile_drawn"
    """The seat that draws the highest tile before the deal."""
    HIGHEST_HUB_MATCH = "highest_hub_match"
    """The seat that holds the heaviest tile that matches the hub."""


class Rounds(Choice):
    """How many rounds a match has [10]."""

    FULL_DESCENT = "full_descent"
    """One for each double from the first hub down to the double-blank."""
    SINGLE = "single"
    """One."""
    FIXED = "fixed"
    """As many as `round_count` says."""


class FirstTurnMode(Choice):
    """How much may be laid on a first turn [11]."""

    MULTI_TILE = "multi_tile"
    """As many tiles as fit one after the other on the seat's own train."""
    SINGLE_TILE = "single_tile"
    """One tile, as on any other turn."""


class FirstTurnTrains(Choice):
    """Where a first turn may be played [12]."""

    OWN_ONLY = "own_only"
    """On the seat's own train."""
    OWN_OR_MEXICAN = "own_or_mexican"
    """On the seat's own train or on the Mexican Train."""
    ANY_AVAILABLE = "any_available"
    """On any train that is available, as on any other turn."""


class FirstTurnNoStart(Choice):
    """What a seat does if it cannot start its train on its first turn [13]."""

    MARK = "mark"
    """It marks its train without drawing."""
    DRAW_THEN_MARK = "draw_then_mark"
    """It draws one tile, and marks its train if that does not fit either."""
    DRAW_UNTIL_START = "draw_until_start"
    """It draws until a tile fits or the boneyard is empty."""


class LateStartMode(Choice):
    """How much may be laid when a train is started after the first turn [15]."""

    SINGLE_TILE = "single_tile"
    """One tile."""
    MULTI_TILE = "multi_tile"
    """As many tiles as fit, as on a first turn."""


class MexicanTrainFrom(Choice):
    """When a seat may first play on the Mexican Train [16]."""

    SECOND_TURN = "second_turn"
    """From its second turn of the round on."""
    FIRST_TURN = "first_turn"
    """From its first turn on."""
    AFTER_ALL_TRAINS = "after_all_trains"
    """When every seat has started its train."""


class MexicanTrainLimit(Choice):
    """How many Mexican Trains a table has [17]."""

    ONE = "one"
    """One."""
    UNLIMITED = "unlimited"
    """Any number. Not supported."""


class OwnTrainFirst(Choice):
    """Whether a seat must have started its own train before it plays elsewhere [18]."""

    NONE = "none"
    """It need not."""
    BEFORE_OPPONENTS = "before_opponents"
    """Before it plays on the trains of other seats."""
    BEFORE_ANY = "before_any"
    """Before it plays on any other train."""


class DrawCount(Choice):
    """How many tiles are drawn when a seat cannot play [22]."""

    ONE = "one"
    """One."""
    UNTIL_PLAYABLE = "until_playable"
    """As many as it takes until one fits or the boneyard is empty."""


class DrawnTile(Choice):
    """Whether a drawn tile that fits must be played [23]."""

    MAY_KEEP = "may_keep"
    """On an ordinary turn it may be kept, which counts as not having played."""
    MUST_PLAY = "must_play"
    """It must be played."""


class MarkerClear(Choice):
    """Which play of its owner takes the marker off a train [24]."""

    OWN_TRAIN_PLAY = "own_train_play"
    """A play on that train."""
    ANY_PLAY = "any_play"
    """A play on any train."""
    MANUAL = "manual"
    """None: the owner takes it off. Not supported."""


class MarkerClearOnDouble(Choice):
    """When a double on one's own marked train takes the marker off [25]."""

    IMMEDIATE = "immediate"
    """As it is laid."""
    WHEN_COVERED = "when_covered"
    """When it is covered."""


class DoubleFollowup(Choice):
    """Whether the seat that laid a double plays again in the same turn [26]."""

    REQUIRED = "required"
    """It must, and draws if it cannot."""
    OPTIONAL = "optional"
    """It may."""
    NONE = "none"
    """It may not: a double ends the turn as any tile does."""


class DoubleFollowupWhere(Choice):
    """Where the tile after a double may go [27]."""

    ANY_AVAILABLE = "any_available"
    """On any train that is available to the seat."""
    DOUBLE_ONLY = "double_only"
    """On that double."""


class DoubleChain(Choice):
    """How many doubles one turn may hold [28]."""

    UNLIMITED = "unlimited"
    """Any number."""
    ONE_PER_TURN = "one_per_turn"
    """One."""


class ChainClose(Choice):
    """Where the plain tile that closes a turn with doubles may go [29]."""

    ANYWHERE = "anywhere"
    """On any train that is available."""
    MUST_COVER_AN_OPEN_DOUBLE = "must_cover_an_open_double"
    """On a double that was laid in this turn."""
    NOT_ON_LATER_DOUBLES = "not_on_later_doubles"
    """Anywhere but on a double that was laid in this turn after the first."""


class DoubleFollowupDraw(Choice):
    """How often a seat may draw in one turn with doubles [30]."""

    PER_OBLIGATION = "per_obligation"
    """Each time that the seat cannot play."""
    ONCE_PER_TURN = "once_per_turn"
    """Once in all."""
    NONE = "none"
    """Never after a double."""


class OpenDoubleDuty(Choice):
    """Who must cover a double that was left uncovered [32]."""

    NONE = "none"
    """Nobody."""
    ALL_PLAYERS_UNTIL_COVERED = "all_players_until_covered"
    """Each seat in turn, until one covers it."""


class OpenDoubleOrder(Choice):
    """In which order several open doubles are covered [33]."""

    FIFO = "fifo"
    """The one that was laid first comes first."""
    LIFO = "lifo"
    """The one that was laid last comes first."""
    ANY = "any"
    """In any order."""


class FirstTurnDoubles(Choice):
    """What a double at the end of a first-turn train means [34]."""

    IGNORED = "ignored"
    """Nothing."""
    DEFERRED = "deferred"
    """It opens when every seat has had its first turn."""
    IMMEDIATE = "immediate"
    """It opens at once."""
    FORBIDDEN = "forbidden"
    """A first turn may not end on a double."""


class DeadDouble(Choice):
    """What happens to an open double when its value is used up [35]."""

    BLOCKS = "blocks"
    """It must still be covered, until the round ends."""
    RELEASED = "released"
    """It need not be covered any more once the last tile of its value is laid."""
    RELEASED_AFTER_LAP = "released_after_lap"
    """It need not be covered any more once every seat has failed to cover it."""


class GoOutOnDouble(Choice):
    """Whether a double may be the last tile [36]."""

    ALLOWED = "allowed"
    """It ends the round as any tile does."""
    MUST_FOLLOW_UP = "must_follow_up"
    """The seat must draw and follow it up."""


class GoOutFirstTurn(Choice):
    """What happens when a seat goes out on its first turn [37]."""

    FINISH_FIRST_TURNS = "finish_first_turns"
    """The seats after it still have their first turns; several may go out."""
    IMMEDIATE = "immediate"
    """The round ends."""


class BlockedEnd(Choice):
    """When a round counts as blocked [38]."""

    NO_LEGAL_PLAY = "no_legal_play"
    """When the boneyard is empty and nobody could play even with every train open."""
    ALL_PASSED_LAP = "all_passed_lap"
    """When every seat has passed once in a row with an empty boneyard."""


class Scoring(Choice):
    """How a round is scored [39]."""

    PIPS_LOW_WINS = "pips_low_wins"
    """Each seat gets the pips left in its hand; the fewest points win the match."""
    WINNER_TAKES_SUM = "winner_takes_sum"
    """The seat that went out gets the pips of all others; the most points win."""
    ZERO_SUM = "zero_sum"
    """As `Scoring.WINNER_TAKES_SUM`, and the others lose their own pips; the most points win."""


class BlockScore(Choice):
    """How a blocked round is scored [40]."""

    ALL_COUNT = "all_count"
    """Every hand counts as it is."""
    LOWEST_SHARES_POT = "lowest_shares_pot"
    """The seats with the lightest hands share the pips of the others, rounded down."""


class TieBreak(Choice):
    """How ties are broken [43]."""

    ZERO_ROUNDS_THEN_LOW_ROUND = "zero_rounds_then_low_round"
    """By the most rounds in which the seat went out, then by its lowest other round; then the seats
    share the place.
    """
    SHARED = "shared"
    """They are not: the seats share the place."""
    EXTRA_ROUND = "extra_round"
    """By another round. Not supported."""


class LastTileCall(Choice):
    """Whether a seat announces its last tile [44]."""

    OFF = "off"
    """It does not."""
    COURTESY = "courtesy"
    """It may; nothing happens if it does not."""
    REQUIRED = "required"
    """It must, or draws `last_tile_penalty` tiles."""


class OpponentsTrains(Choice):
    """Whether the trains of other seats can be played on at all [D9]."""

    WHEN_MARKED = "when_marked"
    """While they are marked."""
    NEVER = "never"
    """Never, except to cover a double that was left uncovered."""


class OwnTrainAfterFailedDuty(Choice):
    """Whether a seat that could not cover a double may play on its own train meanwhile [D9]."""

    OPEN = "open"
    """It may."""
    CLOSED_UNTIL_COVERED = "closed_until_covered"
    """It may not until that double is covered."""
