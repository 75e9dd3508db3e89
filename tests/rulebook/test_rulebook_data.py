"""The rulebook as data: ids, references, conditions."""

import re
from collections import Counter

import pytest

from mextrain_engine import RuleSet
from mextrain_engine.rulebook import RULES, SECTIONS, Rule
from mextrain_engine.rulebook.circumstances import CIRCUMSTANCES
from mextrain_engine.rulebook.options import OPTIONS
from mextrain_engine.rulebook.phrases import PHRASES
from mextrain_engine.rulebook.sources import (
    CORNER_CASES,
    DECISIONS,
    DOCUMENTS,
    KNOWN_REFERENCES,
    SENTENCES,
    TRADITIONS,
)
from mextrain_engine.ruleset import OPTION_TYPES

ALL_RULES = [pytest.param(rule, id=rule.id) for section in SECTIONS for rule in section.rules]


def test_rule_ids_are_unique() -> None:
    counts = Counter(rule.id for section in SECTIONS for rule in section.rules)

    assert not [rule_id for rule_id, count in counts.items() if count > 1]


def test_chapter_ids_are_unique() -> None:
    assert len(SECTIONS) == len({section.id for section in SECTIONS})


@pytest.mark.parametrize("rule", ALL_RULES)
def test_rule_id_is_dotted_kebab_case(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*(\.[a-z]+(-[a-z]+)*)+", rule.id)


@pytest.mark.parametrize("rule", ALL_RULES)
def test_rule_text_is_one_complete_paragraph(rule: Rule) -> None:
    assert rule.text == " ".join(rule.text.split())
    assert rule.text.endswith(".")
    assert rule.text[0].isupper() or rule.text[0] == "{"


@pytest.mark.parametrize("rule", ALL_RULES)
def test_rule_text_uses_known_names_only(rule: Rule) -> None:
    assert set() == set(re.findall(r"\{(\w*)\}", rule.text)) - set(PHRASES)


@pytest.mark.parametrize("rule", ALL_RULES)
def test_rule_names_known_sources(rule: Rule) -> None:
    assert rule.sources
    assert set() == set(rule.sources) - KNOWN_REFERENCES


@pytest.mark.parametrize("rule", ALL_RULES)
def test_rule_names_real_options_and_circumstances(rule: Rule) -> None:
    assert set() == set(rule.options) - set(OPTION_TYPES)
    assert set() == set(rule.given) - set(CIRCUMSTANCES)


@pytest.mark.parametrize("rule", ALL_RULES)
def test_rule_condition_names_values_that_its_options_have(rule: Rule) -> None:
    for option, values in rule.when.items():
        for value in values:
            held = getattr(RuleSet().override(**{option: value}), option)
            assert value == getattr(held, "value", held)


@pytest.mark.parametrize(
    "reference",
    [*SENTENCES, *(case.id for case in CORNER_CASES), *(decision.id for decision in DECISIONS)],
)
def test_source_sentence_is_named_by_a_rule(reference: str) -> None:
    assert any(reference in rule.sources for rule in RULES.values())


def test_source_documents_are_complete() -> None:
    expected = {"1A": 39, "1B": 20, "1C": 24, "1D": 11}

    assert expected == {document.id: len(document.sentences) for document in DOCUMENTS}
    for document in DOCUMENTS:
        numbers = [f"{document.id}.{number}" for number in range(1, expected[document.id] + 1)]
        assert numbers == [sentence.id for sentence in document.sentences]


def test_corner_cases_and_decisions_are_complete() -> None:
    assert [f"C{number}" for number in range(1, 49)] == [case.id for case in CORNER_CASES]
    assert [f"D{number}" for number in range(1, 11)] == [decision.id for decision in DECISIONS]


def test_document_names_a_known_tradition() -> None:
    assert set() == {document.tradition for document in DOCUMENTS} - set(TRADITIONS)


def test_option_table_has_every_option_once() -> None:
    assert sorted(set(OPTION_TYPES) - {"name"}) == sorted(entry.option for entry in OPTIONS)


def test_option_table_is_in_the_order_of_its_numbers() -> None:
    numbers = [int(entry.number) for entry in OPTIONS if entry.number.isdigit()]

    assert sorted(numbers) == numbers
