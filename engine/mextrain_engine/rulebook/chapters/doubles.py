"""The turn of a player who lays a double. Data only."""

from mextrain_engine.rulebook.model import Section, sentence

_PLAYS_ON = ("required", "optional")

SECTION = Section(
    "doubles",
    "Laying a double",
    (
        sentence(
            "double.sideways",
            "A double is often laid across; that is for the eye only.",
        ),
        sentence(
            "double.tile-after.anywhere",
            "Whoever lays a double must lay another tile at once, on the double or on any other "
            "train open to that player.",
            double_followup="required",
            double_followup_where="any_available",
        ),
        sentence(
            "double.tile-after.cover",
            "Whoever lays a double must cover it at once: the next tile goes on that double and "
            "nowhere else.",
            double_followup="required",
            double_followup_where="double_only",
        ),
        sentence(
            "double.tile-after.optional",
            "Whoever lays a double may lay another tile at once, on the double or on any other "
            "train open to that player, or say pass. There is no draw for it.",
            double_followup="optional",
            double_followup_where="any_available",
        ),
        sentence(
            "double.tile-after.optional-cover",
            "Whoever lays a double may cover it at once, or say pass. There is no draw for it.",
            double_followup="optional",
            double_followup_where="double_only",
        ),
        sentence(
            "double.tile-after.none",
            "A double is one tile like any other: the turn ends with it.",
            double_followup="none",
        ),
        sentence(
            "double.not-on-first-turn",
            "The doubles of an opening train, the one laid on a first turn, ask for none of this.",
            first_turn_mode="multi_tile",
            given="doubles-play-on",
        ),
        sentence(
            "double.extra-turn",
            "That second tile is like a turn of its own: if you cannot play it, you draw, and if "
            "that does not help, your train is marked.",
            double_followup="required",
            open_double_duty="none",
        ),
        sentence(
            "double.chain.unlimited",
            "If the second tile is a double too, a third has to follow, and so on.",
            double_followup=_PLAYS_ON,
            double_followup_where="any_available",
            double_chain="unlimited",
        ),
        sentence(
            "double.chain.one",
            "There may be only one double in a turn.",
            double_chain="one_per_turn",
        ),
        sentence(
            "double.chain.close.anywhere",
            "The first plain tile ends the turn. It may go on any of the doubles laid in this "
            "turn or anywhere else that is open.",
            double_followup=_PLAYS_ON,
            double_followup_where="any_available",
            chain_close="anywhere",
        ),
        sentence(
            "double.chain.close.must-cover",
            "The first plain tile ends the turn. It must cover one of the open doubles.",
            double_followup=_PLAYS_ON,
            double_followup_where="any_available",
            chain_close="must_cover_an_open_double",
        ),
        sentence(
            "double.chain.close.not-later",
            "The first plain tile ends the turn. It may go on the first double, on the Mexican "
            "Train, or on an end that is no double.",
            double_followup=_PLAYS_ON,
            double_followup_where="any_available",
            chain_close="not_on_later_doubles",
        ),
        sentence(
            "double.draw.per-double",
            "If you cannot lay the tile that a double asks for, you draw one tile. Every double "
            "of the turn gives a draw of its own, even after a draw earlier in the turn.",
            double_followup="required",
            double_followup_draw="per_obligation",
            given="boneyard",
        ),
        sentence(
            "double.draw.once",
            "If you cannot lay the tile that a double asks for, you draw one tile, but never more "
            "than one in a turn.",
            double_followup="required",
            double_followup_draw="once_per_turn",
            given="boneyard",
        ),
        sentence(
            "double.draw.none",
            "If you cannot lay the tile that a double asks for, you do not draw.",
            double_followup="required",
            double_followup_draw="none",
        ),
        sentence(
            "double.failed.mark",
            "If you still cannot lay it, your own train is marked, although you did play, and "
            "the turn passes.",
            double_followup="required",
            double_fail_marks=True,
        ),
        sentence(
            "double.failed.no-mark",
            "If you still cannot lay it, the turn passes; your train is not marked for it.",
            double_followup="required",
            double_fail_marks=False,
        ),
        sentence(
            "double.branches",
            "{branches} tiles leave every double.",
            given="doubles-branch",
            options="double_branches",
        ),
        sentence(
            "double.no-branches",
            "A double goes on in one line, like any tile.",
            double_branches=1,
        ),
        sentence(
            "double.beginners",
            "The rules for covering doubles make the game longer; beginners may want a table "
            "without them.",
        ),
    ),
)
