"""``mextrain replay`` and ``mextrain verify``: records shown, and held to their word."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.conftest import Mextrain
from tests.project.tree import ROOT

RECORDS = ROOT / "tests" / "data" / "records"
SHORT = RECORDS / "thoughtco_double_six.mextrain"


def test_replay_tells_each_action_under_its_number_when_in_a_pipe(here: Mextrain) -> None:
    done = here("replay", str(SHORT))

    lines = done.stdout.splitlines()
    assert 0 == done.returncode
    assert "   1  deal 1          Round 1: 7 tiles each, 7 in the boneyard" == lines[0]
    assert "   2  1 6-5@1         Bea: 6-5 on own train" == lines[2]
    assert len(SHORT.read_text().splitlines()) - 1 == sum(bool(line[:4].strip()) for line in lines)


def test_replay_shows_the_table_after_one_action_when_asked(here: Mextrain) -> None:
    done = here("replay", str(SHORT), "--step", "4")

    assert "6-5 5-5 5-4" in done.stdout
    assert "Round 1 of 7 · thoughtco_double_six" in done.stdout


def test_replay_shows_a_seat_its_hand_and_not_what_others_drew(here: Mextrain) -> None:
    assert "Bea: draw 3-3" in here("replay", str(SHORT), "--seat", "1").stdout
    assert "Bea: draw 3-3" not in here("replay", str(SHORT), "--seat", "0").stdout
    assert "╭──┬──╮" in here("replay", str(SHORT), "--seat", "1", "--step", "9").stdout


def test_replay_prints_one_object_for_each_action_when_asked(here: Mextrain) -> None:
    done = here("replay", str(SHORT), "--json", "--seat", "2")

    facts = [json.loads(line) for line in done.stdout.splitlines()]
    assert list(range(1, len(facts) + 1)) == [each["step"] for each in facts]
    assert "1 6-5@1" == facts[1]["action"]
    assert {"0": [6], "1": [6, 5], "2": [6], "M": [6]} == facts[1]["round"]["trains"]
    assert all(["2"] == list(each["hands"]) for each in facts)
    assert "awaiting_deal" == facts[-1]["phase"]


def test_replay_reads_standard_input_when_the_file_is_a_dash(here: Mextrain) -> None:
    assert here("replay", str(SHORT)).stdout == here("replay", "-", typed=SHORT.read_text()).stdout


@pytest.mark.parametrize("record", sorted(RECORDS.glob("*.mextrain")), ids=lambda path: path.stem)
def test_verify_finds_every_kept_record_sound(record: Path, here: Mextrain) -> None:
    done = here("verify", str(record), "--json")

    facts = json.loads(done.stdout)
    assert 0 == done.returncode
    assert facts["sound"]
    assert {"proven"} == {deal["deal"] for deal in facts["deals"]}


def test_verify_says_in_words_what_it_checked(here: Mextrain) -> None:
    said = here("verify", str(SHORT)).stdout

    assert "✓ deal 1: the seed is the one that was committed to" in said
    assert "✓ 22 moves keep to the rules" in said


def test_verify_finds_a_seed_that_was_not_committed_to(here: Mextrain) -> None:
    changed = re.sub("commitment=..", "commitment=00", SHORT.read_text())

    done = here("verify", "-", typed=changed)

    assert 1 == done.returncode
    assert "✗ deal 1: the seed is NOT the one that was committed to" in done.stdout
    assert "The record does NOT hold." in done.stdout


def test_verify_finds_another_deal_even_if_its_commitment_fits(here: Mextrain) -> None:
    """Whoever changes seed and commitment together deals other tiles, and the moves betray it."""
    other = (RECORDS / "modern.mextrain").read_text().splitlines()[1]
    changed = re.sub("deal 1 .*", other, SHORT.read_text())

    done = here("verify", "-", "--json", typed=changed)

    facts = json.loads(done.stdout)
    assert 1 == done.returncode
    assert ["proven"] == [deal["deal"] for deal in facts["deals"]]
    assert not facts["sound"]
    assert facts["problem"].startswith("line 3: ")


def test_verify_finds_a_move_that_the_rules_refuse(here: Mextrain) -> None:
    changed = SHORT.read_text().replace("1 5-4@1", "1 6-3@1")

    done = here("verify", "-", typed=changed)

    assert 1 == done.returncode
    assert "✗ line 5: TILE_NOT_IN_HAND" in done.stdout


def test_verify_finds_a_deal_with_the_number_of_another_round(here: Mextrain) -> None:
    changed = SHORT.read_text().replace("deal 1", "deal 2")

    done = here("verify", "-", "--json", typed=changed)

    assert (1, [2]) == (done.returncode, json.loads(done.stdout)["misnumbered"])


def test_verify_holds_its_peace_about_a_round_that_is_still_live(here: Mextrain) -> None:
    hidden = re.sub(" seed=[0-9a-f]*", "", SHORT.read_text())

    done = here("verify", "-", typed=hidden)

    assert 0 == done.returncode
    assert "the seed is not revealed yet" in done.stdout


def test_verify_does_not_call_a_deal_proven_that_nothing_was_committed_to(here: Mextrain) -> None:
    uncommitted = re.sub(" commitment=[0-9a-f]*", "", SHORT.read_text())

    done = here("verify", "-", "--json", typed=uncommitted)

    assert (0, "uncommitted") == (done.returncode, json.loads(done.stdout)["deals"][0]["deal"])


@pytest.mark.parametrize("command", ["replay", "verify"])
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "a record begins with"),
        ("hello", "a record begins with: mextrain 1"),
        ("mextrain 1 rules=1 preset=nothing seats=2", "nothing"),
        ("mextrain 1 rules=1 preset=modern seats=2\n0 12-13@0x", "line 2"),
        ("mextrain 1 rules=1 preset=modern seats=2 no_such_option=1", "no_such_option"),
    ],
)
def test_what_is_no_record_is_said_in_words(
    command: str, text: str, complaint: str, here: Mextrain
) -> None:
    done = here(command, "-", typed=text)

    assert 1 == done.returncode
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["replay", "verify"])
def test_what_cannot_be_read_is_said_in_words(command: str, here: Mextrain, tmp_path: Path) -> None:
    (tmp_path / "noise").write_bytes(b"\xff\xfe\x00")

    assert "no such file" in here(command, str(tmp_path / "absent")).stderr
    assert "is a directory" in here(command, str(tmp_path)).stderr
    assert "is not a text record" in here(command, str(tmp_path / "noise")).stderr


@pytest.mark.parametrize(
    ("option", "number", "complaint"),
    [("--seat", "3", "There is no seat 3"), ("--step", "99", "The record has 23 actions")],
)
def test_replay_refuses_what_the_record_does_not_have(
    option: str, number: str, complaint: str, here: Mextrain
) -> None:
    done = here("replay", str(SHORT), option, number)

    assert (1, "") == (done.returncode, done.stdout)
    assert complaint in done.stderr


def test_replay_shows_what_it_can_before_it_says_what_is_wrong(here: Mextrain) -> None:
    done = here("replay", "-", typed=SHORT.read_text().replace("1 5-4@1", "1 6-3@1"))

    assert 1 == done.returncode
    assert "Bea: 5-5 on own train" in done.stdout
    assert "line 5: TILE_NOT_IN_HAND" in done.stderr
