"""Which corners there are: tables, and the rare situations that some of their games must reach."""

from __future__ import annotations

from mextrain_engine import by_players
from tests.properties.corner import ANY_HUB, FIVE, FROM_HANDS, POSITIVE, Corner, small
from tests.properties.play import (
    eager,
    ends_long_openings_in_doubles,
    fond_of_doubles,
    hates_own_train,
    keeps_starters,
    keeps_the_double_blank,
    reluctant,
)

HUBS = (
    Corner(
        "thoughtco with fourteen",
        14,
        (
            "fourteen players, double-eighteen",
            "hub search: draw_in_turn",
            "opening train ends in a double: ignored",
            "drawn tile kept: ordinary",
        ),
        preset="thoughtco",
        taste=reluctant,
    ),
    Corner(
        "wikihow looks for its hub",
        4,
        (
            "hub search: draw_all_equal",
            "hub search: the lap is finished after the hub was found",
            "opening train ends in a double: immediate",
            "first turn spent on a duty",
        ),
        preset="wikihow",
        taste=fond_of_doubles,
    ),
    Corner(
        "a short boneyard to look for the hub in",
        3,
        ("hub search: the boneyard ran dry within a lap",),
        changes=small(6, 8, **FROM_HANDS, hub_search="draw_all_equal"),
    ),
    Corner(
        "the next lower double",
        4,
        ("hub search: next lower double", "hub search: next lower double, from the top again"),
        changes=small(6, 3, **FROM_HANDS, hub_search="next_lower_double", first_hub_value=1),
    ),
    Corner(
        "no double in any hand",
        2,
        ("hub search: next_lower_double",),
        changes=small(6, 2, **FROM_HANDS, hub_search="next_lower_double"),
    ),
    Corner(
        "looked for a second time",
        4,
        ("hub search: a later round",),
        changes=small(6, 3, **FROM_HANDS, hub_search="draw_in_turn"),
        rounds=2,
    ),
    Corner(
        "shown and put back",
        3,
        ("hub search: draw_reveal_return", "hub search: tile shown and put back"),
        changes={**FROM_HANDS, "hub_search": "draw_reveal_return"},
    ),
    Corner(
        "dealt again",
        4,
        ("hub search: redeal",),
        changes={**FROM_HANDS, "hub_search": "redeal"},
    ),
    Corner(
        "the lead player's double",
        3,
        ("hub: the lead player holds no double",),
        changes=small(6, 3, **ANY_HUB, hub_rule="lead_player_highest", hub_search="draw_in_turn"),
    ),
    Corner(
        "every double was a hub",
        4,
        ("hub: unused doubles only", "hub: every double has been one, all count again"),
        changes=small(
            6,
            5,
            **(ANY_HUB | {"round_count": 9}),
            hub_rule="highest_unused_in_hands",
            hub_search="draw_in_turn",
        ),
        rounds=9,
    ),
    Corner(
        "past the double-blank",
        2,
        ("hub: from the top again after the double-blank", "double-blank counts in a hand"),
        changes=small(6, 3, rounds="fixed", round_count=2, first_hub_value=0),
        rounds=2,
    ),
    Corner(
        "nobody matches the hub",
        2,
        ("starter: nobody holds a tile that matches the hub",),
        changes=small(9, 2, round_starter="highest_hub_match"),
    ),
)

OPENINGS = (
    Corner(
        "deferred doubles, first in first out",
        6,
        (
            "opening train ends in a double: deferred",
            "several deferred doubles open",
            "one of several open doubles covered",
            "only a double not due can be covered: fifo",
        ),
        taste=fond_of_doubles,
    ),
    Corner(
        "deferred doubles, last in first out",
        6,
        ("several deferred doubles open", "only a double not due can be covered: lifo"),
        changes={"open_double_order": "lifo"},
        taste=fond_of_doubles,
    ),
    Corner(
        "deferred doubles in any order",
        6,
        ("choice between two open doubles", "out while a double stays open"),
        changes={
            "open_double_order": "any",
            "hand_size_by_players": by_players({14: 6}),
        },
        taste=fond_of_doubles,
    ),
    Corner(
        "out on the first turn",
        4,
        (
            "out on the first turn, others finish theirs",
            "out on the first turn: finish_first_turns",
            "several seats out in one first lap",
            "a double left by a seat that is out binds the others",
        ),
        changes=small(6, 2, first_turn_doubles="immediate"),
        taste=eager,
    ),
    Corner(
        "out on the first turn, all tiles dealt",
        14,
        ("nobody can play, but first turns are finished",),
        changes=small(6, 2, **FROM_HANDS, hub_search="draw_in_turn", opponents_trains="never"),
        taste=eager,
    ),
    Corner(
        "out on the first turn ends it",
        3,
        ("out on the first turn: immediate", "drawn starter, more tiles may follow: True"),
        changes=small(6, 2, go_out_first_turn="immediate"),
        taste=eager,
    ),
    Corner(
        "one double for each opening",
        2,
        ("second double of an opening refused",),
        changes={"double_chain": "one_per_turn"},
        taste=eager,
    ),
    Corner(
        "draw until you can start",
        4,
        ("draw until start", "drawn tile kept: first_turn"),
        changes={"first_turn_no_start": "draw_until_start", "drawn_tile": "may_keep"},
        taste=reluctant,
    ),
    Corner(
        "first turns anywhere",
        4,
        (
            "first turn on the Mexican Train",
            "first turn on a marked train",
            "first turn begins with a double",
            "drawn starter, more tiles may follow: False",
        ),
        changes={
            "first_turn_trains": "any_available",
            "mexican_train_from": "first_turn",
            "first_turn_draw_multi": False,
            "hand_size_by_players": by_players({14: 6}),
        },
    ),
    Corner(
        "first turns on marked trains",
        4,
        ("first turn on a marked train", "first turn anywhere but on the Mexican Train"),
        changes={"first_turn_trains": "any_available", "hand_size_by_players": FIVE},
    ),
    Corner(
        "a deferred double that nobody can cover",
        2,
        ("deferred double is dead when it opens",),
        changes=small(6, 13),
        taste=ends_long_openings_in_doubles,
    ),
)

DOUBLES = (
    Corner(
        "doubles in one turn",
        4,
        (
            "three doubles in one turn",
            "one of two own doubles covered",
            "own double left open by a play elsewhere",
            "followup_failed, marked: True",
            "double takes the own marker off",
            "second draw of a turn for its double",
            "out on a double",
        ),
        taste=fond_of_doubles,
    ),
    Corner(
        "duties",
        5,
        (
            "duty on the Mexican Train",
            "duty on an unmarked train of another seat",
            "cover by another seat leaves the marker",
            "duty done with a drawn tile",
            "another seat starts a marked train",
        ),
        taste=hates_own_train,
    ),
    Corner(
        "what may not be kept",
        3,
        ("drawn tile that covers cannot be kept", "drawn tile that follows up cannot be kept"),
        preset="pagat",
    ),
    Corner(
        "one double a turn",
        3,
        ("second double of a turn refused",),
        preset="wikihow_one_double",
        taste=fond_of_doubles,
    ),
    Corner(
        "dead doubles are released",
        3,
        ("dead double released", "double dead as it is laid"),
        changes=small(6, 6),
        taste=fond_of_doubles,
    ),
    Corner(
        "a release lifts the follow-up",
        3,
        ("follow-up lifted by the release", "no draw for the double"),
        changes=small(6, 6, double_followup_where="double_only", double_followup_draw="none"),
    ),
    Corner(
        "dead doubles block",
        2,
        ("dead double blocks", "blocked by a dead double", "blocked by a duty"),
        preset="thoughtco",
        changes=small(6, 7),
    ),
    Corner(
        "closed until covered",
        3,
        (
            "a seat is barred from its own train",
            "a barred seat may not cover on its own train",
        ),
        preset="wikihow_closed",
        changes={"hand_size_by_players": by_players({14: 8})},
    ),
    Corner(
        "follow-up as one likes",
        3,
        ("followup_declined, marked: False",),
        changes={"double_followup": "optional"},
        taste=reluctant,
    ),
    Corner(
        "no draw for a second time",
        4,
        ("no second draw for the double", "followup_failed, marked: False"),
        changes={"double_followup_draw": "once_per_turn", "double_fail_marks": False},
        taste=fond_of_doubles,
    ),
)

TRAINS = (
    Corner(
        "double-six with all tiles dealt",
        4,
        (
            "double-six, four players, empty boneyard",
            "blocked round",
            "blocked only until the markers are up",
        ),
        preset="thoughtco_double_six",
    ),
    Corner(
        "private trains",
        3,
        ("a marked train that never can be played", "blocked round"),
        preset="wikihow_private",
    ),
    Corner(
        "unstarted trains stay closed",
        4,
        ("a marked train that nobody else may start",),
        changes=small(6, 6, unstarted_marked_train_open=False),
    ),
    Corner(
        "unstarted trains stay closed to the end",
        4,
        ("blocked, though a tile fits an unstarted train: closed to others",),
        changes=small(6, 6, unstarted_marked_train_open=False, first_turn_no_start="mark"),
        taste=keeps_starters,
    ),
    Corner(
        "unstarted trains stay unmarked to the end",
        4,
        ("blocked, though a tile fits an unstarted train: never marked",),
        changes=small(6, 6, mark_when_unstarted=False, first_turn_no_start="mark"),
        taste=keeps_starters,
    ),
    Corner(
        "unstarted trains stay unmarked",
        3,
        ("unstarted train stays unmarked", "marker removed by a play elsewhere"),
        changes={"mark_when_unstarted": False, "marker_clear": "any_play"},
    ),
    Corner(
        "draw until you can play",
        2,
        ("draw until playable",),
        changes={"draw_count": "until_playable"},
    ),
)

ENDS = (
    Corner(
        "winners take the sum",
        4,
        ("positive scores: went_out, out", "positive scores: went_out, pot shared"),
        changes=small(6, 2, **POSITIVE),
        taste=eager,
    ),
    Corner(
        "the lowest hands share the pot",
        3,
        ("positive scores: blocked, lowest_shares_pot", "positive scores: blocked, pot shared"),
        changes=small(6, 9, **POSITIVE, block_score="lowest_shares_pot"),
    ),
    Corner(
        "a block that nobody wins",
        3,
        ("positive scores: blocked, all_count",),
        changes=small(6, 9, **POSITIVE),
    ),
    Corner(
        "a hand worth nothing",
        3,
        ("a hand worth nothing in a blocked round",),
        changes=small(6, 9, double_blank_value=0),
        taste=keeps_the_double_blank,
    ),
    Corner(
        "ties that stay",
        8,
        ("tie shared by the rules",),
        changes=small(6, 2, rounds="single", tie_break="shared"),
        taste=eager,
    ),
    Corner(
        "ties after three rounds",
        8,
        (
            "tie broken by zero rounds",
            "tie broken by the low round",
            "tie that cannot be broken",
        ),
        changes=small(6, 2, rounds="fixed", round_count=3, double_blank_value=0),
        taste=eager,
        rounds=3,
    ),
    Corner(
        "the last tile is called",
        4,
        (
            "last tile called",
            "call missed, penalty drawn",
            "call missed, too few tiles for the penalty",
            "a draw undoes the call",
            "the call lapses with the round",
        ),
        changes=small(6, 6, last_tile_call="required", last_tile_penalty=2),
    ),
    Corner(
        "the last tile is called for nothing",
        4,
        ("call missed", "last tile called"),
        preset="ehow",
        changes=small(6, 6),
    ),
)

CORNERS = (*HUBS, *OPENINGS, *DOUBLES, *TRAINS, *ENDS)
"""Every table, by theme."""
