"""``mextrain play``: a person's lines go in through a pipe, the table comes out."""

from __future__ import annotations

import re

from tests.cli.conftest import Mextrain

MATCH = ("play", "-p", "2", "--seed", "3", "--rounds", "1")


def test_play_ends_with_the_standings_when_the_first_move_is_always_taken(
    on_service: Mextrain,
) -> None:
    done = on_service(*MATCH, typed="1\n" * 400)

    assert 0 == done.returncode, done.stderr
    assert "The hub is 12-12" in done.stdout
    assert "Round 1 over" in done.stdout or "Round 1 blocked" in done.stdout
    assert "Final standings" in done.stdout
    assert "\x1b" not in done.stdout


def test_play_deals_the_next_round_when_the_person_is_ready(on_service: Mextrain) -> None:
    done = on_service("play", "-p", "2", "--seed", "3", "--rounds", "2", typed="1\n" * 600)

    assert "Enter deals round 2 of 2" in done.stdout
    assert "The hub is 11-11" in done.stdout
    assert "Final standings" in done.stdout


def test_play_explains_refusals_and_goes_on(on_service: Mextrain) -> None:
    typed = "draw\n12-12\n12-5@Ada\n19-4\nhello\n99\n12-5@bob\n\n1\nquit\n"

    done = on_service(*MATCH, typed=typed)

    assert 0 == done.returncode
    assert "so you may not draw" in done.stdout
    assert "12-12 is not in your hand." in done.stdout
    assert "On your first turn" in done.stdout
    assert "'19-4' is no move." in done.stdout
    assert "'hello' is no move." in done.stdout
    assert "There is no move 99" in done.stdout
    assert "Whose train is 'bob'?" in done.stdout
    assert "You: 12-" in done.stdout
    assert "You leave the table." in done.stdout


def test_play_helps_when_asked(on_service: Mextrain) -> None:
    done = on_service(*MATCH, typed="hint\nwhy\nscore\nrules\nhelp\nquit\n")

    assert re.search(r"A planning bot would choose 12-\d+ on your train\.", done.stdout)
    assert "Your longest train from here: 12-" in done.stdout
    assert "does not fit" in done.stdout
    assert "No round is over yet." in done.stdout
    assert "Setting up" in done.stdout
    assert "leave the table" in done.stdout


def test_play_leaves_the_table_when_the_input_ends(on_service: Mextrain) -> None:
    done = on_service(*MATCH, typed="")

    assert 0 == done.returncode
    assert done.stdout.endswith("You leave the table.\n")
    assert "Traceback" not in done.stderr


def test_play_takes_several_moves_in_one_line(on_service: Mextrain) -> None:
    hint = on_service(*MATCH, typed="hint\nquit\n").stdout
    train = re.search(r"Your longest train from here: (.*)", hint)
    assert train is not None

    done = on_service(*MATCH, typed=f"{train[1]}\npass\nquit\n")

    length = len(train[1].split())
    assert length == len(re.findall(r"\d-\d", re.search(r"You: (.*) on own", done.stdout)[1]))  # type: ignore[index]
    assert "You: pass, opening train done" in done.stdout
