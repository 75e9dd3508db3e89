"""The rules that a platform asks for: a preset by name and what differs from it."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from mextrain_engine import PRESETS, RuleSet
from mextrain_engine.ruleset import MAX_SEATS, MIN_SEATS
from mextrain_service.application.refused import PRESET_NOT_FOUND, Refused

DEFAULT_PRESET = "modern"
"""The preset of whoever names none."""

OptionValue = str | int | bool | None
"""What an option is changed to: an enum by its text, a number, a truth value, or None for the
``first_hub_value`` that follows the set."""


@dataclass(frozen=True, slots=True)
class RulesChoice:
    """What a request says of the rules.

    Attributes:
        preset: the preset to start from; empty for the default.
        options: options that differ, by name.
        tables: numbers by count of players that differ, by option name; counts that are not named
            keep the preset's number.
    """

    preset: str = ""
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    tables: Mapping[str, Mapping[int, int]] = field(default_factory=dict)


def chosen_rules(choice: RulesChoice) -> RuleSet:
    """Return the rule set; it is named ``custom`` when anything differs from its preset.

    It may still be one that cannot be played.

    Raises:
        Refused: ``PRESET_NOT_FOUND``, there is no such preset.
        RuleSetError: an option does not exist or its value is not of its kind.
    """
    base = _preset(choice.preset or DEFAULT_PRESET)
    tables = {name: _merged(getattr(base, name), steps) for name, steps in choice.tables.items()}
    rules = base.override(**choice.options, **tables)
    return rules if rules == base else replace(rules, name="custom")


def _preset(name: str) -> RuleSet:
    rules = PRESETS.get(name)
    if rules is None:
        nearest = difflib.get_close_matches(name, PRESETS, n=1, cutoff=0.5)
        raise Refused(
            PRESET_NOT_FOUND, preset=name, nearest=nearest[0] if nearest else DEFAULT_PRESET
        )
    return rules


def _merged(table: tuple[int, ...], changes: Mapping[int, int]) -> tuple[int, ...]:
    return tuple(
        changes.get(players, table[players - MIN_SEATS])
        for players in range(MIN_SEATS, MAX_SEATS + 1)
    )
