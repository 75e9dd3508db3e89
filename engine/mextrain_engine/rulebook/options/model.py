"""What an entry of the option table is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ValueEntry:
    """A value of an option.

    Attributes:
        value: as it is written in a rule set; for numbers, what they stand for.
        who: who plays it, by the tags of ``sources.traditions``; may be empty.
    """

    value: str
    who: str


@dataclass(frozen=True, slots=True)
class OptionEntry:
    """An option and what the traditions make of it.

    Attributes:
        number: its number in the option table; empty for an option that has none.
        option: its name in ``RuleSet``.
        values: what it may be.
    """

    number: str
    option: str
    values: tuple[ValueEntry, ...]


def option(number: str, name: str, **values: str) -> OptionEntry:
    """Return an entry; each keyword is a value and tells who plays it."""
    return OptionEntry(number, name, tuple(ValueEntry(value, who) for value, who in values.items()))


def number(entry: str, name: str, values: str, who: str) -> OptionEntry:
    """Return an entry of an option that is a number or a table of numbers."""
    return OptionEntry(entry, name, (ValueEntry(values, who),))


def flag(entry: str, name: str, *, true: str, false: str) -> OptionEntry:
    """Return an entry of an option that holds or does not."""
    return OptionEntry(entry, name, (ValueEntry("true", true), ValueEntry("false", false)))
