"""What a rule of the rulebook is: a sentence, where it comes from and when it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from mextrain_engine.rulebook.circumstances import CIRCUMSTANCES
from mextrain_engine.ruleset import RuleSet

OptionValue = str | bool | int
"""An option's value as it is written in a preset: the text of an enum, a truth value, a number."""

Condition = Mapping[str, tuple[OptionValue, ...]]
"""Options that must have one of the values given; all of them must. Empty: always."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One sentence of the rules.

    Attributes:
        id: stable, dotted, kebab-case: ``double.duty.draw``. Never given to another sentence.
        text: English for a player; ``{names}`` are filled from ``phrases``.
        sources: source sentences (``1A.10``), corner cases (``C3``), decisions (``D4``) and
            tags of traditions (``PG``) that say so.
        options: the options that govern it, the ones of ``when`` included.
        when: the option values under which it holds.
        given: the circumstances of the table under which it holds, by name.
        informational: it says nothing that a table of cases could show.
    """

    id: str
    text: str
    sources: tuple[str, ...]
    options: tuple[str, ...]
    when: Condition
    given: tuple[str, ...]
    informational: bool

    def applies(self, rules: RuleSet, seats: int) -> bool:
        """Tell whether the sentence is true of a table with these rules and this many seats."""
        return all(
            _as_written(getattr(rules, option)) in values for option, values in self.when.items()
        ) and all(CIRCUMSTANCES[name](rules, seats) for name in self.given)


@dataclass(frozen=True, slots=True)
class Section:
    """A chapter of the rulebook with every sentence that any table may need.

    Attributes:
        id: the chapter's name, kebab-case.
        title: its heading.
        rules: its sentences in reading order.
    """

    id: str
    title: str
    rules: tuple[Rule, ...]


def where(**values: OptionValue | tuple[OptionValue, ...]) -> Condition:
    """Return the condition that each option named has the value, or one of the values, given.

    >>> dict(where(hub_rule="descending", rounds=("single", "fixed")))
    {'hub_rule': ('descending',), 'rounds': ('single', 'fixed')}
    """
    return MappingProxyType(
        {
            option: value if isinstance(value, tuple) else (value,)
            for option, value in values.items()
        }
    )


ALWAYS: Condition = where()
"""The condition of a rule that no tradition questions."""


def sentence(
    rule_id: str,
    text: str,
    sources: str,
    *,
    when: Condition = ALWAYS,
    given: str = "",
    options: str = "",
    informational: bool = False,
) -> Rule:
    """Return a rule; ``sources``, ``given`` and ``options`` are names with spaces between."""
    return Rule(
        id=rule_id,
        text=text,
        sources=tuple(sources.split()),
        options=tuple(dict.fromkeys((*when, *options.split()))),
        when=when,
        given=tuple(given.split()),
        informational=informational,
    )


def _as_written(value: object) -> object:
    return value.value if isinstance(value, Enum) else value
