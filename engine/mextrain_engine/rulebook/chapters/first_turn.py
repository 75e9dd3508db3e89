"""The first turn of each player in a round. Data only."""

from mextrain_engine.rulebook.model import Section, sentence

SECTION = Section(
    "first-turn",
    "The first turn",
    (
        sentence(
            "first-turn.order",
            "From the starter on, clockwise, every player has one first turn.",
        ),
        sentence(
            "first-turn.starter-tile",
            "Your train starts with a tile that matches the hub; that end of it faces the hub.",
        ),
        sentence(
            "first-turn.multi",
            "On your first turn you may lay several tiles in a row on your own train, as many as "
            "fit and as you like.",
            first_turn_mode="multi_tile",
        ),
        sentence(
            "first-turn.multi.end",
            "You end it by saying pass, after at least one tile; so the others never learn "
            "whether you could have gone on.",
            first_turn_mode="multi_tile",
        ),
        sentence(
            "first-turn.multi.doubles",
            "Doubles may lie in that train. They ask for no second tile, and one that another "
            "tile follows is covered by it.",
            first_turn_mode="multi_tile",
            double_chain="unlimited",
        ),
        sentence(
            "first-turn.multi.one-double",
            "One double may lie in that train. It asks for no second tile, and one that another "
            "tile follows is covered by it.",
            first_turn_mode="multi_tile",
            double_chain="one_per_turn",
        ),
        sentence(
            "first-turn.single",
            "The first turn is like any other: one tile, and a double plays by the ordinary rules.",
            first_turn_mode="single_tile",
        ),
        sentence(
            "first-turn.own-only",
            "On your first turn you may play on your own train only.",
            first_turn_trains="own_only",
        ),
        sentence(
            "first-turn.own-or-mexican",
            "On your first turn you may play on your own train, or lay one tile on the Mexican "
            "Train.",
            first_turn_trains="own_or_mexican",
        ),
        sentence(
            "first-turn.any-available",
            "On your first turn you may play on any train that is open to you.",
            first_turn_trains="any_available",
        ),
        sentence(
            "first-turn.cannot-start.mark",
            "A player who cannot play on the first turn draws nothing: the own train is marked "
            "and the turn passes.",
            first_turn_no_start="mark",
        ),
        sentence(
            "first-turn.cannot-start.draw",
            "A player who cannot play on the first turn draws one tile; if that does not fit "
            "either, the own train is marked and the turn passes.",
            first_turn_no_start="draw_then_mark",
        ),
        sentence(
            "first-turn.cannot-start.draw-on",
            "A player who cannot play on the first turn draws until a tile fits or the boneyard "
            "is empty; then the own train is marked and the turn passes.",
            first_turn_no_start="draw_until_start",
        ),
        sentence(
            "first-turn.drawn.go-on",
            "A drawn tile that starts your train may be followed by more tiles at once.",
            first_turn_mode="multi_tile",
            first_turn_draw_multi=True,
            first_turn_no_start=("draw_then_mark", "draw_until_start"),
            given="boneyard",
        ),
        sentence(
            "first-turn.drawn.one",
            "A drawn tile that starts your train is the only tile of that turn.",
            first_turn_mode="multi_tile",
            first_turn_draw_multi=False,
            first_turn_no_start=("draw_then_mark", "draw_until_start"),
            given="boneyard",
        ),
        sentence(
            "first-turn.only-once",
            "The chance of several tiles is there on the first turn only: a train that starts "
            "later starts with one tile.",
            first_turn_mode="multi_tile",
            late_start_mode="single_tile",
        ),
        sentence(
            "first-turn.late-multi",
            "A train that starts later may start with several tiles.",
            late_start_mode="multi_tile",
        ),
        sentence(
            "first-turn.spent-on-duty",
            "If an open double has to be covered on your first turn, that is your first turn: no "
            "train of several tiles follows it.",
            first_turn_mode="multi_tile",
            first_turn_doubles="immediate",
            given="opening-double-may-bind",
        ),
    ),
)
