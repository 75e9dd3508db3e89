"""Options of turns, draws, markers and doubles: 11 to 35, and the readings of D9. Data only."""

from mextrain_engine.rulebook.options.model import OptionEntry, flag, option

OPTIONS: tuple[OptionEntry, ...] = (
    option(
        "11",
        "first_turn_mode",
        multi_tile="TC, MG, WH, EH, PG, CD, BH, OD, modern",
        single_tile="the variation L24 of MG, WH tip L44, C8, WARP, DM, JI, MT",
    ),
    option(
        "12",
        "first_turn_trains",
        own_only="TC, WH, PG, MG, EH, modern",
        own_or_mexican="GI, GF, CD tournament, WARP",
        any_available="the variation L24 of MG",
    ),
    option(
        "13",
        "first_turn_no_start",
        mark="TC, MG, PG",
        draw_then_mark="SC, WH, EH, C8, CD, modern",
        draw_until_start="WH read literally",
    ),
    flag("14", "first_turn_draw_multi", true="WH, modern", false="EH"),
    option(
        "15", "late_start_mode", single_tile="MG and all others", multi_tile="a variation of MT"
    ),
    option(
        "16",
        "mexican_train_from",
        second_turn="TC, PG, WH, CD tournament, modern",
        first_turn="the variation L24 of MG, GI, GF, WARP",
        after_all_trains="WARP house rule",
    ),
    option(
        "17", "mexican_train_limit", one="EH, CD, NW, DC, all presets", unlimited="thegamesupply"
    ),
    option(
        "18",
        "own_train_first",
        none="WQ, MG, all presets",
        before_opponents="WARP house rule",
        before_any="WH L26 read for the whole round",
    ),
    option(
        "D9",
        "opponents_trains",
        when_marked="all presets but one",
        never="a reading of WH tip L46",
    ),
    flag("19", "unstarted_marked_train_open", true="TC, PG, C8, all presets", false="house"),
    flag("20", "mark_when_unstarted", true="TC, MG, PG, MT, all presets", false="house"),
    flag("21", "must_play_if_able", true="PG, EH, C8, FR, MT, WARP, all presets", false="DC"),
    option("22", "draw_count", one="all four sources, PG, modern", until_playable="ourpastimes"),
    option(
        "23",
        "drawn_tile",
        may_keep="TC, PG",
        must_play="WH, MG, EH, OD, WARP, modern",
    ),
    option(
        "24",
        "marker_clear",
        own_train_play="MG, EH, PG, OD, GI, all presets",
        any_play="WARP house rule",
        manual="JI, RP",
    ),
    option("25", "marker_clear_on_double", immediate="all presets", when_covered="DC"),
    option(
        "26",
        "double_followup",
        required="TC, WH, PG, EH, CD, MG, modern",
        optional="MG L28 read literally, an edition of HC",
        none="house",
    ),
    option(
        "27",
        "double_followup_where",
        any_available="TC, WH, PG, OD, GF, MG, modern",
        double_only="EH, the variation L27 of MG, GI, CD, DM, AK, WARP",
    ),
    option(
        "28",
        "double_chain",
        unlimited="TC, WH, PG, MT, snitker, modern",
        one_per_turn="EH, WH tip L45, a variation of PG, WARP",
    ),
    option(
        "29",
        "chain_close",
        anywhere="TC, PG, OD, WH, all presets",
        must_cover_an_open_double="MT",
        not_on_later_doubles="snitker",
    ),
    option(
        "30",
        "double_followup_draw",
        per_obligation="TC, EH, DM, all presets",
        once_per_turn="WARP",
        none="house",
    ),
    flag(
        "31", "double_fail_marks", true="TC, EH, GI, OD, all presets", false="DM, WARP house rule"
    ),
    option(
        "32",
        "open_double_duty",
        none="MG",
        all_players_until_covered="TC, WH, EH, PG, CD, MT, OD, GI, modern",
    ),
    option(
        "33",
        "open_double_order",
        fifo="PG, snitker, modern",
        lifo="the variation L28 of MG",
        any="OD",
    ),
    option(
        "D9",
        "own_train_after_failed_duty",
        open="all presets but one",
        closed_until_covered="a reading of WH tip L47",
    ),
    option(
        "34",
        "first_turn_doubles",
        ignored="TC, MG, HC",
        deferred="PG, OD, modern",
        immediate="WQ, EH, MT",
        forbidden="DC",
    ),
    option(
        "35",
        "dead_double",
        blocks="TC read literally, WH, EH, PG",
        released="WARP, modern",
        released_after_lap="AK",
    ),
)
