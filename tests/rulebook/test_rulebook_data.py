"""The engine's sentences and the data of ``docs/rulebook``: ids, references, conditions."""

import re
from collections import Counter
from enum import Enum

import pytest

from mextrain_engine import PRESETS, RuleSet
from mextrain_engine.rulebook import RULES, SECTIONS, Rule
from mextrain_engine.rulebook.circumstances import CIRCUMSTANCES
from mextrain_engine.rulebook.phrases import PHRASES
from mextrain_engine.ruleset import OPTION_TYPES
from tools.rules_page import (
    CORNER_CASES,
    DECISIONS,
    DOCUMENTS,
    INFORMATIONAL,
    OPTIONS,
    SAID,
    SOURCES,
    TAGS,
)

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


def test_every_rule_has_its_sources_in_the_order_of_the_rulebook() -> None:
    assert list(RULES) == list(SOURCES)


@pytest.mark.parametrize("rule", ALL_RULES)
def test_rule_names_known_sources(rule: Rule) -> None:
    assert SOURCES[rule.id]
    assert set() == set(SOURCES[rule.id]) - {*SAID, *CORNER_CASES, *DECISIONS, *TAGS}


def test_informational_rules_are_rules() -> None:
    assert set() == set(INFORMATIONAL) - set(RULES)


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


@pytest.mark.parametrize("reference", [*SAID, *CORNER_CASES, *DECISIONS])
def test_source_sentence_is_named_by_a_rule(reference: str) -> None:
    assert any(reference in sources for sources in SOURCES.values())


def test_source_documents_are_complete() -> None:
    expected = {"1A": 39, "1B": 20, "1C": 24, "1D": 11}

    assert list(expected) == [document["id"] for document in DOCUMENTS]
    assert list(SAID) == [
        f"{document}.{number}"
        for document, count in expected.items()
        for number in range(1, count + 1)
    ]


@pytest.mark.parametrize("said_id", SAID)
def test_source_sentence_is_as_certain_as_the_page_can_explain(said_id: str) -> None:
    words = {"stated", "recovered", "inferred", "unresolved"}

    assert set() == set(SAID[said_id]["certainty"].split("/")) - words


def test_corner_cases_and_decisions_are_complete() -> None:
    assert [f"C{number}" for number in range(1, 49)] == list(CORNER_CASES)
    assert [f"D{number}" for number in range(1, 11)] == list(DECISIONS)


def test_document_names_a_known_tradition_and_preset() -> None:
    assert set() == {document["tradition"] for document in DOCUMENTS} - set(TAGS)

    assert set() == {document["preset"] for document in DOCUMENTS} - set(PRESETS)


def test_option_table_has_every_option_once() -> None:
    assert sorted(set(OPTION_TYPES) - {"name"}) == sorted(OPTIONS)


@pytest.mark.parametrize("option", OPTIONS)
def test_option_table_has_every_value_of_an_option(option: str) -> None:
    kind = OPTION_TYPES[option]
    values = {"true", "false"} if kind is bool else set()
    if issubclass(kind, Enum):
        values = {member.value for member in kind}
    listed = set(OPTIONS[option]["values"])

    assert values == listed if values else len(listed) == 1


def test_option_table_is_in_the_order_of_its_numbers() -> None:
    numbers = [option["number"] for option in OPTIONS.values() if option["number"] != "D9"]

    assert sorted(numbers) == numbers
