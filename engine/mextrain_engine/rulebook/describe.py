"""The rules of one table in plain words: what ExplainRules and ``mextrain rules`` show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from mextrain_engine.rulebook.model import Section
from mextrain_engine.rulebook.phrases import fill
from mextrain_engine.rulebook.sections import SECTIONS
from mextrain_engine.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class Sentence:
    """A rule as it holds at one table.

    Attributes:
        id: the rule's id, as in ``docs/rules.md``.
        text: the sentence, complete, with this table's numbers.
    """

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """A group of rules that hold at one table.

    Attributes:
        id: the chapter's name, kebab-case.
        title: its heading.
        sentences: its rules in reading order; at least one.
    """

    id: str
    title: str
    sentences: tuple[Sentence, ...]


def describe(rules: RuleSet, seats: int | None = None) -> tuple[Chapter, ...]:
    """Return the rules of a table, chapter by chapter: only what applies, numbers filled in.

    >>> chapters = describe(RuleSet(), seats=4)
    >>> chapters[0].title
    'Setting up'
    >>> [s.text for s in chapters[0].sentences if s.id == "setup.hand"]
    ['Tiles dealt to each player: 15.']

    Args:
        rules: the rule set; it need not be valid, but its player range must not be empty.
        seats: how many play, 2 to 14; None for every count that the rules allow, in which case
            a number that depends on it is given for each.
    """
    counts = range(rules.min_players, rules.max_players + 1) if seats is None else (seats,)
    found = (_chapter(section, rules, counts) for section in SECTIONS)
    return tuple(chapter for chapter in found if chapter.sentences)


def _chapter(section: Section, rules: RuleSet, counts: Sequence[int]) -> Chapter:
    return Chapter(section.id, section.title, tuple(_sentences(section, rules, counts)))


def _sentences(section: Section, rules: RuleSet, counts: Sequence[int]) -> Iterator[Sentence]:
    for rule in section.rules:
        holds_with = [seats for seats in counts if rule.applies(rules, seats)]
        if holds_with:
            yield Sentence(rule.id, fill(rule.text, rules, holds_with))
