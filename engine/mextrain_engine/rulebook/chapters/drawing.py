"""Drawing and passing. Data only."""

from mextrain_engine.rulebook.model import Section, sentence

SECTION = Section(
    "drawing",
    "Drawing and passing",
    (
        sentence(
            "draw.one",
            "If you cannot play, you must draw one tile.",
            draw_count="one",
            given="boneyard",
        ),
        sentence(
            "draw.until-playable",
            "If you cannot play, you draw until a tile fits or the boneyard is empty.",
            draw_count="until_playable",
            given="boneyard",
        ),
        sentence(
            "draw.must-play",
            "A drawn tile that fits must be played at once.",
            drawn_tile="must_play",
            given="boneyard",
        ),
        sentence(
            "draw.may-keep",
            "A drawn tile that fits may be played at once, or kept: keeping it counts as not "
            "playing, so the own train is marked. One that covers a double you owe may not be "
            "kept.",
            drawn_tile="may_keep",
            given="boneyard",
        ),
        sentence(
            "draw.any-train",
            "A drawn tile may go on any train that is open to you now; while a double has to be "
            "covered, only on that double.",
            given="boneyard",
        ),
        sentence(
            "draw.pass",
            "If the drawn tile does not fit, the turn passes to the next player.",
            given="boneyard",
        ),
        sentence(
            "draw.boneyard-empty",
            "Once the boneyard is empty, a player who cannot play passes without drawing.",
        ),
    ),
)
