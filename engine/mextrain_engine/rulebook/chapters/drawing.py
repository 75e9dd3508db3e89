"""Drawing and passing. Data only."""

from mextrain_engine.rulebook.model import Section, sentence, where

SECTION = Section(
    "drawing",
    "Drawing and passing",
    (
        sentence(
            "draw.one",
            "If you cannot play, you must draw one tile.",
            "1A.27 1C.10 1D.7 PG",
            when=where(draw_count="one"),
            given="boneyard",
        ),
        sentence(
            "draw.until-playable",
            "If you cannot play, you draw until a tile fits or the boneyard is empty.",
            "ourpastimes",
            when=where(draw_count="until_playable"),
            given="boneyard",
        ),
        sentence(
            "draw.must-play",
            "A drawn tile that fits must be played at once.",
            "1C.10 OD WARP modern",
            when=where(drawn_tile="must_play"),
            given="boneyard",
        ),
        sentence(
            "draw.may-keep",
            "A drawn tile that fits may be played at once, or kept: keeping it counts as not "
            "playing, so the own train is marked. One that covers a double you owe may not be "
            "kept.",
            "1A.27 PG C8 D1",
            when=where(drawn_tile="may_keep"),
            given="boneyard",
        ),
        sentence(
            "draw.any-train",
            "A drawn tile may go on any train that is open to you now; while a double has to be "
            "covered, only on that double.",
            "C10 C24",
            given="boneyard",
        ),
        sentence(
            "draw.pass",
            "If the drawn tile does not fit, the turn passes to the next player.",
            "1A.28 1C.10 1C.12 1B.3 1D.7",
            given="boneyard",
        ),
        sentence(
            "draw.boneyard-empty",
            "Once the boneyard is empty, a player who cannot play passes without drawing.",
            "1A.29 1B.13 C4 C11",
        ),
    ),
)
