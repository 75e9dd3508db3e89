"""Options of the table, the set, the hub and the match: 1 to 10. Data only."""

from mextrain_engine.rulebook.options.model import OptionEntry, flag, number, option

OPTIONS: tuple[OptionEntry, ...] = (
    number("1", "min_players", "2 to 14", "2 everywhere; 4 in the MT app"),
    number(
        "1",
        "max_players",
        "2 to 14",
        "14 TC; 10 WH, EH, PG; 8 MG, CD, WP, modern; 4 MT app and double-six TC",
    ),
    number(
        "2",
        "max_pip_by_players",
        "6, 9, 12, 15, 18",
        "6 TC up to 4, WP 2; 9 TC 2-3, GT 2-4, WP 2-7; 12 most; 15 TC 9-12; 18 TC 13-14",
    ),
    number(
        "3",
        "hand_size_by_players",
        "2 and more",
        "15/15/12/11 TC; 8/12/12/10/11/11 SC; 15/12/10/8 MG, PG, EH; 12/10/8 WH; 15/12/11 CD, BH; "
        "16/15/14/12/10/9 PU; 15/11/8 C8, JI; 16 to 10 GI; 5 OD",
    ),
    flag("3", "clamp_hand_size", true="on request (C6)", false="every preset"),
    option(
        "4",
        "hub_rule",
        descending="TC, WH, PG, MT, modern, the variation L23 of MG; from 9-9 GF",
        highest_in_hands="MG, EH, C8",
        lead_player_highest="CD, DG",
        highest_unused_in_hands="RP",
        fixed_value="NW (5-5), GI",
    ),
    number(
        "4", "first_hub_value", "none, or 0 to the set's highest", "none everywhere; 9 GF; 5 NW"
    ),
    option(
        "5",
        "hub_source",
        from_hands="TC, MG, WH, EH, PG, CD",
        set_aside="WP, PU, OD, WARP, GT, modern",
    ),
    option(
        "6",
        "hub_search",
        draw_in_turn="TC, MG, EH, CD, NW, HC",
        draw_all_equal="WH, PG, GI, KB, JI",
        next_lower_double="BH, RP",
        draw_reveal_return="DM",
        redeal="house",
        none="modern (nothing to search for)",
    ),
    option("7", "hub_search_target", exact_double="TC, WH, PG", any_double="MG, EH, CD"),
    option(
        "8",
        "round_starter",
        hub_holder="TC, WH, EH, PG, CD",
        left_of_hub_holder="MG",
        rotate="WARP, PG with the hub set aside, modern",
        highest_tile_drawn="NW, GF",
        highest_hub_match="snitker",
    ),
    flag("9", "hub_lay_ends_turn", true="JI", false="all texts"),
    option(
        "10",
        "rounds",
        full_descent="TC, WH, PG, MT, modern, the variation L23 of MG",
        single="EH",
        fixed="MG",
    ),
    number("10", "round_count", "1 to 50", "13 MG"),
)
