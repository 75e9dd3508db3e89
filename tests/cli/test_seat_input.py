"""What a typed line means at a seat."""

from __future__ import annotations

import pytest

from mextrain_service.cli.complaints import CliError
from mextrain_service.cli.seat_input import Wish, read_line

NAMES = ("You", "Bea", "Ben", "Cy")
LEGAL = ("12-5@M", "12-5@0", "9-4@0", "draw")


def moves(line: str) -> list[str]:
    asked = read_line(line, LEGAL, 0, NAMES)
    assert not isinstance(asked, Wish)
    return list(asked)


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("3", ["9-4@0"]),
        ("  4 ", ["draw"]),
        ("draw", ["draw"]),
        ("PASS", ["pass"]),
        ("call", ["call"]),
        ("9-4", ["9-4@0"]),
        ("4-9", ["9-4@0"]),
        ("12-5@m", ["12-5@M"]),
        ("12-5@Mexican", ["12-5@M"]),
        ("5-12@me", ["12-5@0"]),
        ("5-12@2", ["12-5@2"]),
        ("5-12@cy", ["12-5@3"]),
        ("5-12@bea", ["12-5@1"]),
        ("1-0", ["1-0@0"]),
        ("9-4 4-4 4-0@M pass", ["9-4@0", "4-4@0", "4-0@M", "pass"]),
    ],
)
def test_line_means_moves(line: str, meant: list[str]) -> None:
    assert meant == moves(line)


@pytest.mark.parametrize(
    ("line", "wish"),
    [
        ("hint", Wish.HINT),
        ("H", Wish.HINT),
        ("why 7-3", Wish.WHY),
        ("score", Wish.SCORE),
        ("rules", Wish.RULES),
        ("help", Wish.HELP),
        ("?", Wish.HELP),
        ("quit", Wish.QUIT),
        ("q", Wish.QUIT),
        ("exit", Wish.QUIT),
    ],
)
def test_line_means_a_wish(line: str, wish: Wish) -> None:
    assert wish is read_line(line, LEGAL, 0, NAMES)


def test_empty_line_means_the_only_move_there_is() -> None:
    assert (LEGAL[3],) == read_line(" ", LEGAL[3:], 0, NAMES)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "Which move?"),
        ("0", "There is no move 0"),
        ("5", "they go from 1 to 4"),
        ("12-5", "fits several trains"),
        ("12-5@be", "Whose train is 'be'?"),
        ("12-5@", "Whose train is ''?"),
        ("12-5@zoe", "Whose train is 'zoe'?"),
        ("19-1", "'19-1' is no move."),
        ("12-5-3", "'12-5-3' is no move."),
        ("hello there", "'hello' is no move."),
        ("9-4 nonsense", "'nonsense' is no move."),
        ("٣", "'٣' is no move."),
    ],
)
def test_line_that_means_nothing_is_answered_in_words(line: str, said: str) -> None:
    with pytest.raises(CliError) as complaint:
        read_line(line, LEGAL, 0, NAMES)

    assert said in complaint.value.message
