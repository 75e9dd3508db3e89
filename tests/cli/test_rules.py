"""``mextrain rules``: what it prints, for people and for machines."""

from __future__ import annotations

import json

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
