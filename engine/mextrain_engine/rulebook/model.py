"""What a rule of the rulebook is: a sentence and when it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

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
        options: the options that govern it, the ones of ``when`` included.
        when: the option values under which it holds.
        given: the circumstances of the table under which it holds, by name.
    """

    id: str
    text: str
    options: tuple[str, ...]
    when: Condition
    given: tuple[str, ...]

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


def sentence(
    rule_id: str,
    text: str,
    *,
    given: str = "",
    options: str = "",
    **when: OptionValue | tuple[OptionValue, ...],
) -> Rule:
    """Return a rule that holds where each option named has the value, or one of the values, given.

    >>> sentence("double.chain", "Go on.", given="boneyard", double_followup="required").options
    ('double_followup',)

    Args:
        rule_id: its id.
        text: what it says.
        given: names of circumstances, with spaces between.
        options: names of more options that govern it, with spaces between.
        when: option values under which it holds.
    """
    return Rule(
        id=rule_id,
        text=text,
        options=tuple(dict.fromkeys((*when, *options.split()))),
        when={
            option: value if isinstance(value, tuple) else (value,)
            for option, value in when.items()
        },
        given=tuple(given.split()),
    )


def _as_written(value: object) -> object:
    return value.value if isinstance(value, Enum) else value
