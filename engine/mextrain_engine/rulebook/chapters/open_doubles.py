"""Doubles that a turn left uncovered: whom they bind, and how. Data only."""

from mextrain_engine.rulebook.model import Section, sentence

SECTION = Section(
    "open-doubles",
    "Open doubles",
    (
        sentence(
            "open.none",
            "A double that is left uncovered binds nobody: it is just the end of a train.",
            open_double_duty="none",
        ),
        sentence(
            "open.duty",
            "A double that is still uncovered at the end of a turn is open: the next player must "
            "cover it before anything else.",
            open_double_duty="all_players_until_covered",
        ),
        sentence(
            "open.any-train",
            "It binds wherever it lies: on your own train, on the Mexican Train, on another "
            "player's train, marked or not.",
            given="doubles-bind",
            options="open_double_duty",
        ),
        sentence(
            "open.stays-closed",
            "Covering a double on another player's train neither opens nor closes that train.",
            given="doubles-bind",
            options="open_double_duty",
        ),
        sentence(
            "open.cover-tile",
            "Only a tile laid on that double covers it; an equal value elsewhere does not. The "
            "tile that covers is never itself a double, so a turn under a duty is one tile.",
            given="doubles-bind",
            options="open_double_duty",
        ),
        sentence(
            "open.draw",
            "If you cannot cover it, you draw one tile; if that covers it, you must lay it.",
            given="doubles-bind boneyard",
            options="open_double_duty",
        ),
        sentence(
            "open.failed",
            "If you still cannot, your own train is marked, even if you could have played on it, "
            "and the double is left to the next player, and so on, also to the one who laid it.",
            given="doubles-bind",
            options="open_double_duty",
        ),
        sentence(
            "open.failed.own-closed",
            "A player who could not cover an open double may not play on the own train until "
            "that double is covered, not even to cover it there.",
            own_train_after_failed_duty="closed_until_covered",
            given="doubles-bind",
        ),
        sentence(
            "open.failed.own-open",
            "Having failed to cover a double closes nothing to you later.",
            own_train_after_failed_duty="open",
            given="doubles-bind",
        ),
        sentence(
            "open.order.fifo",
            "Several open doubles are covered in the order in which they were laid: a player who "
            "could cover only a later one cannot play.",
            open_double_order="fifo",
            given="several-may-be-open",
        ),
        sentence(
            "open.order.lifo",
            "Several open doubles are covered in reverse order, the last one laid first: a player "
            "who could cover only an earlier one cannot play.",
            open_double_order="lifo",
            given="several-may-be-open",
        ),
        sentence(
            "open.order.any",
            "Several open doubles may be covered in any order.",
            open_double_order="any",
            given="several-may-be-open",
        ),
        sentence(
            "open.one-each",
            "Each turn covers one of them and ends; the others are left to the players who follow.",
            given="several-may-be-open",
            options="open_double_order",
        ),
        sentence(
            "open.first-turn.ignored",
            "A double at the end of a first-turn train binds nobody.",
            first_turn_doubles="ignored",
            given="opening-double-may-bind",
        ),
        sentence(
            "open.first-turn.deferred",
            "A double at the end of a first-turn train opens when all first turns are over; "
            "several open in the order of laying.",
            first_turn_doubles="deferred",
            given="opening-double-may-bind",
        ),
        sentence(
            "open.first-turn.immediate",
            "A double at the end of a first-turn train is open at once: the next player must "
            "cover it before starting a train.",
            first_turn_doubles="immediate",
            given="opening-double-may-bind",
        ),
        sentence(
            "open.first-turn.forbidden",
            "A first-turn train may not end in a double.",
            first_turn_mode="multi_tile",
            first_turn_doubles="forbidden",
        ),
        sentence(
            "open.dead.blocks",
            "An open double binds even when no tile is left that could cover it.",
            dead_double="blocks",
            given="doubles-bind",
        ),
        sentence(
            "open.dead.released",
            "An open double binds nobody any more as soon as every tile of its value lies on the "
            "table.",
            dead_double="released",
            given="doubles-bind",
        ),
        sentence(
            "open.dead.released-after-lap",
            "An open double binds nobody any more when a whole lap of players could not cover it.",
            dead_double="released_after_lap",
            given="doubles-bind",
        ),
    ),
)
