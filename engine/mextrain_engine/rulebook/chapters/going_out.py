"""Going out: how a hand becomes empty and what that ends. Data only."""

from mextrain_engine.rulebook.model import Section, sentence

SECTION = Section(
    "going-out",
    "Going out",
    (
        sentence(
            "out.last-tile",
            "The round ends when a player lays the last tile of a hand.",
        ),
        sentence(
            "out.on-double",
            "That tile may be a double: the round ends at once, with no second tile and no draw.",
            go_out_on_double="allowed",
        ),
        sentence(
            "out.on-double.must-follow",
            "A player whose last tile is a double draws a tile to cover it and is out only when "
            "it is covered.",
            go_out_on_double="must_follow_up",
        ),
        sentence(
            "out.with-open-doubles",
            "Doubles that are still open do not keep a player from being out; but while one is "
            "left to you, your last tile has to cover it.",
            given="doubles-bind",
        ),
        sentence(
            "out.first-turn.finish",
            "A player who lays the whole hand on the first turn is out, but the players who have "
            "not had their first turn still take it; only then does the round end.",
            go_out_first_turn="finish_first_turns",
        ),
        sentence(
            "out.first-turn.several",
            "So several players may be out in one round. Doubles that wait for the end of the "
            "first turns never open then.",
            go_out_first_turn="finish_first_turns",
        ),
        sentence(
            "out.first-turn.bound",
            "A double that the player who is out has left open binds those who still take their "
            "first turn.",
            go_out_first_turn="finish_first_turns",
            given="first-turn-may-be-bound",
        ),
        sentence(
            "out.first-turn.at-once",
            "A player who lays the whole hand on the first turn ends the round at once.",
            go_out_first_turn="immediate",
        ),
    ),
)
