"""The last tile: announcing that one is left. Data only."""

from mextrain_engine.rulebook.model import Section, sentence

_ANNOUNCED = ("courtesy", "required")

SECTION = Section(
    "last-tile",
    "One tile left",
    (
        sentence(
            "last.off",
            "Nobody has to announce a last tile; everybody sees how many tiles you hold.",
            last_tile_call="off",
        ),
        sentence(
            "last.courtesy",
            "It is polite to call when one tile is left in your hand.",
            last_tile_call="courtesy",
        ),
        sentence(
            "last.call",
            "A player whose turn ends with exactly one tile in hand must call it before the next "
            "player moves.",
            last_tile_call="required",
        ),
        sentence(
            "last.no-call-between",
            "One tile in hand in the middle of a turn need not be called, and the duty is gone "
            "when you draw again.",
            last_tile_call=_ANNOUNCED,
        ),
        sentence(
            "last.no-penalty",
            "Not calling costs nothing.",
            last_tile_call=_ANNOUNCED,
            given="no-fine-for-silence",
            options="last_tile_penalty",
        ),
        sentence(
            "last.penalty",
            "A player who does not call draws {penalty}, or what the boneyard still has.",
            last_tile_call="required",
            given="fine-for-silence",
            options="last_tile_penalty",
        ),
    ),
)
