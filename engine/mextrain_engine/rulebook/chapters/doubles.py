"""The turn of a player who lays a double. Data only."""

from mextrain_engine.rulebook.model import Section, sentence, where

_PLAYS_ON = ("required", "optional")

SECTION = Section(
    "doubles",
    "Laying a double",
    (
        sentence(
            "double.sideways",
            "A double is often laid across; that is for the eye only.",
            "1D.8 C12",
            informational=True,
        ),
        sentence(
            "double.tile-after.anywhere",
            "Whoever lays a double must lay another tile at once, on the double or on any other "
            "train open to that player.",
            "1A.30 1B.5 1C.12 C21 PG",
            when=where(double_followup="required", double_followup_where="any_available"),
        ),
        sentence(
            "double.tile-after.cover",
            "Whoever lays a double must cover it at once: the next tile goes on that double and "
            "nowhere else.",
            "1B.18 1D.8 1D.9 D8 C21",
            when=where(double_followup="required", double_followup_where="double_only"),
        ),
        sentence(
            "double.tile-after.optional",
            "Whoever lays a double may lay another tile at once, on the double or on any other "
            "train open to that player, or say pass. There is no draw for it.",
            "1B.19",
            when=where(double_followup="optional", double_followup_where="any_available"),
        ),
        sentence(
            "double.tile-after.optional-cover",
            "Whoever lays a double may cover it at once, or say pass. There is no draw for it.",
            "1B.19",
            when=where(double_followup="optional", double_followup_where="double_only"),
        ),
        sentence(
            "double.tile-after.none",
            "A double is one tile like any other: the turn ends with it.",
            "HC",
            when=where(double_followup="none"),
        ),
        sentence(
            "double.not-on-first-turn",
            "The doubles of an opening train, the one laid on a first turn, ask for none of this.",
            "1A.30 C14",
            when=where(first_turn_mode="multi_tile"),
            given="doubles-play-on",
        ),
        sentence(
            "double.extra-turn",
            "That second tile is like a turn of its own: if you cannot play it, you draw, and if "
            "that does not help, your train is marked.",
            "1B.5 C34",
            when=where(double_followup="required", open_double_duty="none"),
        ),
        sentence(
            "double.chain.unlimited",
            "If the second tile is a double too, a third has to follow, and so on.",
            "1A.31 1C.12 PG",
            when=where(
                double_followup=_PLAYS_ON,
                double_followup_where="any_available",
                double_chain="unlimited",
            ),
        ),
        sentence(
            "double.chain.one",
            "There may be only one double in a turn.",
            "1C.20 D4",
            when=where(double_chain="one_per_turn"),
        ),
        sentence(
            "double.chain.close.anywhere",
            "The first plain tile ends the turn. It may go on any of the doubles laid in this "
            "turn or anywhere else that is open.",
            "1A.30 1C.12 C22",
            when=where(
                double_followup=_PLAYS_ON,
                double_followup_where="any_available",
                chain_close="anywhere",
            ),
        ),
        sentence(
            "double.chain.close.must-cover",
            "The first plain tile ends the turn. It must cover one of the open doubles.",
            "MT",
            when=where(
                double_followup=_PLAYS_ON,
                double_followup_where="any_available",
                chain_close="must_cover_an_open_double",
            ),
        ),
        sentence(
            "double.chain.close.not-later",
            "The first plain tile ends the turn. It may go on the first double, on the Mexican "
            "Train, or on an end that is no double.",
            "snitker",
            when=where(
                double_followup=_PLAYS_ON,
                double_followup_where="any_available",
                chain_close="not_on_later_doubles",
            ),
        ),
        sentence(
            "double.draw.per-double",
            "If you cannot lay the tile that a double asks for, you draw one tile. Every double "
            "of the turn gives a draw of its own, even after a draw earlier in the turn.",
            "1A.32 1D.9 C7",
            when=where(double_followup="required", double_followup_draw="per_obligation"),
            given="boneyard",
        ),
        sentence(
            "double.draw.once",
            "If you cannot lay the tile that a double asks for, you draw one tile, but never more "
            "than one in a turn.",
            "WARP C7",
            when=where(double_followup="required", double_followup_draw="once_per_turn"),
            given="boneyard",
        ),
        sentence(
            "double.draw.none",
            "If you cannot lay the tile that a double asks for, you do not draw.",
            "C7",
            when=where(double_followup="required", double_followup_draw="none"),
        ),
        sentence(
            "double.failed.mark",
            "If you still cannot lay it, your own train is marked, although you did play, and "
            "the turn passes.",
            "1A.32 1D.9 C27 PG",
            when=where(double_followup="required", double_fail_marks=True),
        ),
        sentence(
            "double.failed.no-mark",
            "If you still cannot lay it, the turn passes; your train is not marked for it.",
            "DM C27",
            when=where(double_followup="required", double_fail_marks=False),
        ),
        sentence(
            "double.branches",
            "{branches} tiles leave every double.",
            "WP",
            given="doubles-branch",
            options="double_branches",
        ),
        sentence(
            "double.no-branches",
            "A double goes on in one line, like any tile.",
            "1A.14 1C.6",
            when=where(double_branches=1),
        ),
        sentence(
            "double.beginners",
            "The rules for covering doubles make the game longer; beginners may want a table "
            "without them.",
            "1B.17",
            informational=True,
        ),
    ),
)
