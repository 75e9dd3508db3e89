"""Blocked rounds. Data only."""

from mextrain_engine.rulebook.model import Section, sentence

SECTION = Section(
    "blocked",
    "Blocked rounds",
    (
        sentence(
            "blocked.no-play",
            "The round also ends when the boneyard is empty and no player could play any more, "
            "even if every train were marked.",
            blocked_end="no_legal_play",
        ),
        sentence(
            "blocked.not-yet",
            "It goes on while somebody could play after others have passed and so have opened "
            "their trains; a kept tile that fits somewhere counts as a play.",
            blocked_end="no_legal_play",
        ),
        sentence(
            "blocked.duty-counts",
            "While a double has to be covered, only a tile that covers it counts as a play.",
            blocked_end="no_legal_play",
            given="doubles-bind",
        ),
        sentence(
            "blocked.all-passed",
            "The round also ends when the boneyard is empty and every player has passed in a row.",
            blocked_end="all_passed_lap",
        ),
        sentence(
            "blocked.nobody-out",
            "Nobody is out in a blocked round.",
        ),
    ),
)
