"""``mextrain rules`` and ``mextrain solve``: what they print, for people and for machines."""

from __future__ import annotations

import json

import pytest

from mextrain_engine import PRESETS, preset
from mextrain_engine.rulebook import describe
from tests.cli.conftest import Mextrain


def test_rules_lists_every_preset_when_none_is_named(here: Mextrain) -> None:
    done = here("rules")

    assert 0 == done.returncode
    for name in PRESETS:
        assert f" {name} " in done.stdout


def test_rules_lists_presets_as_json_when_asked(here: Mextrain) -> None:
    listed = json.loads(here("rules", "--json").stdout)["presets"]

    assert list(PRESETS) == [entry["preset"] for entry in listed]
    assert {"preset", "min_players", "max_players", "summary"} == set(listed[0])


def test_rules_says_every_sentence_of_the_rulebook_in_order(here: Mextrain) -> None:
    done = here("rules", "thoughtco", "-p", "14")

    said = " ".join(done.stdout.split())
    place = 0
    for chapter in describe(preset("thoughtco"), 14):
        for words in (chapter.title, *(sentence.text for sentence in chapter.sentences)):
            place = said.index(" ".join(words.split()), place)
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


def test_rules_gives_ids_and_sentences_as_json_when_asked(here: Mextrain) -> None:
    explained = json.loads(here("rules", "ehow", "--players", "4", "--json").stdout)

    assert "ehow" == explained["preset"]
    assert [
        {
            "id": chapter.id,
            "title": chapter.title,
            "sentences": [{"id": item.id, "text": item.text} for item in chapter.sentences],
        }
        for chapter in describe(preset("ehow"), 4)
    ] == explained["chapters"]


@pytest.mark.parametrize(
    "hand",
    [
        ["12: 12-5 5-5 5-0 12-11"],
        ["12:", "12-5", "5-5", "0-5", "11-12"],
        ["12-12:12-5,5-5,5-0,12-11"],
    ],
)
def test_solve_finds_the_longest_and_the_heaviest_train(here: Mextrain, hand: list[str]) -> None:
    done = here("solve", *hand)

    assert [
        "longest: 3 of 4 tiles, 32 points",
        "  12-5 5-5 5-0",
        "heaviest: 3 of 4 tiles, 32 points",
        "  12-5 5-5 5-0",
    ] == done.stdout.splitlines()


def test_solve_prints_one_object_when_asked(here: Mextrain) -> None:
    done = here("solve", "12: 12-2 2-1 1-0 0-0 12-11", "--double-blank", "50", "--json")

    facts = json.loads(done.stdout)
    assert {"start": 12, "tiles": 5}.items() <= facts.items()
    assert ["12-2", "2-1", "1-0", "0-0"] == facts["longest"]["tiles"]
    assert [12, 2, 1, 0, 0] == facts["longest"]["pips"]
    assert 68 == facts["heaviest"]["points"]
    assert facts["heaviest"]["exact"]
    assert facts["seconds"] < 1


def test_solve_says_so_when_no_tile_fits(here: Mextrain) -> None:
    done = here("solve", "12: 5-4 4-3")

    assert "longest: 0 of 2 tiles, 0 points\n  no tile fits\n" in done.stdout


def test_solve_takes_a_hand_of_any_size(here: Mextrain) -> None:
    tiles = [f"{high}-{low}" for high in range(13) for low in range(high + 1)]

    done = here("solve", "12: " + " ".join(tiles), "--json")

    assert 91 == json.loads(done.stdout)["longest"]["length"]
