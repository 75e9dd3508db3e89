"""The hub: which double it is, who lays it, what if nobody has it, who starts. Data only."""

from mextrain_engine.rulebook.model import Section, sentence

SECTION = Section(
    "hub",
    "The hub",
    (
        sentence(
            "hub.centre",
            "One double lies in the centre: the hub. Every train of the round starts from it.",
        ),
        sentence(
            "hub.first",
            "The hub of the first round: {first_hub}.",
            hub_rule="descending",
            options="first_hub_value max_pip_by_players",
        ),
        sentence(
            "hub.descending",
            "Each later round has the next lower double as its hub.",
            hub_rule="descending",
            given="several-rounds",
        ),
        sentence(
            "hub.descending.again",
            "After the double-blank it starts again from the highest double of the set.",
            hub_rule="descending",
            given="outlasts-descent",
        ),
        sentence(
            "hub.fixed-value",
            "The hub of every round: {first_hub}.",
            hub_rule="fixed_value",
            options="first_hub_value",
        ),
        sentence(
            "hub.highest-in-hands",
            "The hub is the highest double in any hand.",
            hub_rule="highest_in_hands",
        ),
        sentence(
            "hub.lead-player-highest",
            "The hub is the highest double of the player who leads; a leader without a double "
            "leaves it to the next player.",
            hub_rule="lead_player_highest",
        ),
        sentence(
            "hub.highest-unused",
            "The hub is the highest double in any hand that has not been the hub of an earlier "
            "round.",
            hub_rule="highest_unused_in_hands",
        ),
        sentence(
            "hub.set-aside",
            "The hub is taken out of the set before the deal, so nobody has to hold it.",
            hub_source="set_aside",
        ),
        sentence(
            "hub.from-hand",
            "Whoever holds the hub lays it in the centre.",
            hub_source="from_hands",
        ),
        sentence(
            "hub.no-turn",
            "Laying the hub is not a turn: its holder still has a whole first turn.",
            hub_source="from_hands",
            hub_lay_ends_turn=False,
        ),
        sentence(
            "hub.is-turn",
            "Laying the hub is the first turn of its holder.",
            hub_source="from_hands",
            hub_lay_ends_turn=True,
        ),
        sentence(
            "hub.search.in-turn",
            "If nobody holds it, the players take one tile each from the boneyard, in turn, until "
            "it appears.",
            hub_search="draw_in_turn",
            given="hub-may-be-missing",
        ),
        sentence(
            "hub.search.all-equal",
            "If nobody holds it, every player takes a tile from the boneyard, lap by lap, until "
            "it appears. The lap is finished, so that hands stay equal, unless the boneyard runs "
            "out in it.",
            hub_search="draw_all_equal",
            given="hub-may-be-missing",
        ),
        sentence(
            "hub.search.next-lower",
            "If nobody holds it, the next lower double that somebody holds takes its place; if "
            "nobody holds a double, players draw in turn until one appears.",
            hub_search="next_lower_double",
            given="hub-may-be-missing",
        ),
        sentence(
            "hub.search.reveal-return",
            "If nobody holds it, the players in turn draw a tile, show it to all and put it back "
            "under the boneyard, until it appears.",
            hub_search="draw_reveal_return",
            given="hub-may-be-missing",
        ),
        sentence(
            "hub.search.redeal",
            "If nobody holds it, all tiles are mixed and dealt again.",
            hub_search="redeal",
            given="hub-may-be-missing",
        ),
        sentence(
            "hub.search.none",
            "There is no search for the hub: it is always there.",
            hub_search="none",
        ),
        sentence(
            "hub.search.exact",
            "Only the round's own double ends the search.",
            hub_search=("draw_in_turn", "draw_all_equal", "draw_reveal_return"),
            hub_search_target="exact_double",
            given="hub-may-be-missing",
        ),
        sentence(
            "hub.search.any",
            "The first double that anybody finds ends the search and is the hub.",
            hub_search=("draw_in_turn", "draw_all_equal", "draw_reveal_return"),
            hub_search_target="any_double",
            given="hub-may-be-missing",
        ),
        sentence(
            "hub.search.first-drawer",
            "The search starts with the player to the left of the last round's starter; in the "
            "first round with the first seat.",
            hub_search=("draw_in_turn", "draw_all_equal", "draw_reveal_return"),
            given="hub-may-be-missing",
        ),
        sentence(
            "hub.search.keep",
            "Whoever finds the hub lays it and counts as its holder. All other tiles drawn in the "
            "search stay in the hands.",
            hub_search=("draw_in_turn", "draw_all_equal"),
            given="hub-may-be-missing",
        ),
        sentence(
            "hub.starter.holder",
            "The player who laid the hub takes the first turn.",
            round_starter="hub_holder",
        ),
        sentence(
            "hub.starter.left",
            "The player to the left of the one who laid the hub takes the first turn.",
            round_starter="left_of_hub_holder",
        ),
        sentence(
            "hub.starter.rotate",
            "The first seat starts the first round; each later round is started by the next seat "
            "clockwise.",
            round_starter="rotate",
        ),
        sentence(
            "hub.starter.highest-tile",
            "Everybody draws a tile for the start; the highest takes the first turn.",
            round_starter="highest_tile_drawn",
        ),
        sentence(
            "hub.starter.highest-match",
            "The player who holds the highest tile that matches the hub takes the first turn.",
            round_starter="highest_hub_match",
        ),
        sentence(
            "hub.never-open",
            "The hub is never a double to be covered.",
        ),
    ),
)
