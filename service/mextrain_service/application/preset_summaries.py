"""What each preset is, in a sentence or two for someone who has to choose one."""

from __future__ import annotations

SUMMARIES: dict[str, str] = {
    "modern": "What most tables play today: the hub set aside and descending, opening trains of"
    " several tiles, doubles covered by whoever can, thirteen rounds, fewest pips win.",
    "thoughtco": "The rules published by ThoughtCo, for 2 to 14 players with sets that grow with"
    " the table: the hub is dealt, whoever holds it lays it, and a drawn tile may be kept.",
    "masters": "The rules of Masters Traditional Games: the highest double dealt is the hub, and an"
    " uncovered double binds nobody but the one who laid it.",
    "wikihow": "The rules published by wikiHow, with the answers to its readers: 2 to 10 players,"
    " and an open double is covered before anything else is played.",
    "ehow": "The rules published by eHow: a single round, one double a turn, and the second tile"
    " goes on that double.",
    "pagat": "The rules as pagat.com gives them, for 2 to 10 players: whoever was dealt the hub"
    " starts with it, a drawn tile may be kept, and the double-blank counts nothing.",
    "thoughtco_double_six": "ThoughtCo's rules for 2 to 4 players with a double-six set.",
    "spruce": "The later edition of ThoughtCo's rules by The Spruce Crafts: other hands, and a seat"
    " that cannot start its train draws first.",
    "masters_satisfy": "Masters' rules with doubles that must be satisfied: covered on the spot, or"
    " by the next who can, in the order of laying.",
    "masters_relaxed": "Masters' rules with doubles that must be satisfied, though the one who laid"
    " one may play anywhere, and the latest is covered first.",
    "masters_match13": "Masters' rules over thirteen rounds with a hub that descends.",
    "masters_single": "Masters' rules without an opening train: the first turn is like any other.",
    "wikihow_one_double": "wikiHow's rules with one double a turn.",
    "wikihow_positive": "wikiHow's rules scored the other way round: whoever goes out wins the pips"
    " of the others, and most points win.",
    "wikihow_private": "wikiHow's rules with trains that others never play on, marked or not.",
    "wikihow_closed": "wikiHow's rules; a seat that cannot cover an open double may not play on its"
    " own train until that is covered.",
}
"""One entry for each preset of the engine."""
