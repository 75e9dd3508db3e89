"""Options of the end of a round, of scoring and of the rest: 36 to 51. Data only."""

from mextrain_engine.rulebook.options.model import OptionEntry, flag, number, option

OPTIONS: tuple[OptionEntry, ...] = (
    option(
        "36",
        "go_out_on_double",
        allowed="MG, WH, WP, TC, EH, all presets",
        must_follow_up="RP, WARP, DC",
    ),
    option(
        "37",
        "go_out_first_turn",
        finish_first_turns="TC, MG, PG, OD, WH, modern",
        immediate="EH read literally",
    ),
    option(
        "38",
        "blocked_end",
        no_legal_play="TC, WH, all presets",
        all_passed_lap="JI, DM",
    ),
    option(
        "39",
        "scoring",
        pips_low_wins="all presets but one",
        winner_takes_sum="WH tip L48",
        zero_sum="KB",
    ),
    option("40", "block_score", all_count="WARP, TC, all presets but one", lowest_shares_pot="WH"),
    number("41", "double_blank_value", "0 to 100", "0 MG, PG, EH, WH; 25 some (WQ); 50 TC, modern"),
    number("42", "blank_end_value", "0 or more", "0 all; 25 JI"),
    option(
        "43",
        "tie_break",
        zero_rounds_then_low_round="TC, modern",
        shared="WARP, DM; where none is stated: MG, WH, EH, PG",
        extra_round="house",
    ),
    option("44", "last_tile_call", required="EH", courtesy="GF", off="all others"),
    number("45", "last_tile_penalty", "0 to 5", "0 EH, GF; 1 RP, WARP; 2 MT, JP"),
    flag("46", "blanks_wild", true="an older text of WP", false="WQ, all presets"),
    number("47", "double_branches", "1, 2, 3", "1 all presets; 2 or 3 WP variation, JI, WARP"),
    flag("48", "all_trains_public", true="DM", false="all presets"),
    flag("49", "mexican_bonus_play", true="HC", false="all presets"),
    number("50", "go_out_double_multiplier", "1, 2", "1 all presets; 2 rondeetbelle"),
    number("51", "forgot_marker_penalty", "0, 1", "0 all presets; 1 RP"),
)
