"""A rule set as cells of a table: every option as short text."""

from __future__ import annotations

from dataclasses import fields
from enum import Enum

from mextrain_engine.ruleset import MIN_SEATS, PlayerTable, RuleSet


def preset_cells(rules: RuleSet) -> dict[str, str]:
    """Return every option but the name as text, in the order of the rule set.

    >>> preset_cells(RuleSet())["hand_size_by_players"]
    '2-4: 15, 5-6: 12, 7-8: 10'
    """
    return {
        field.name: _cell(rules, getattr(rules, field.name))
        for field in fields(rules)
        if field.name != "name"
    }


def _cell(rules: RuleSet, value: object) -> str:
    match value:
        case Enum():
            return str(value.value)
        case bool():
            return str(value).lower()
        case tuple():
            return _player_table(rules, value)
        case _:
            return str(value).lower()


def _player_table(rules: RuleSet, table: PlayerTable) -> str:
    """Return a table by players as ``2-4: 15, 5-6: 12``, for the players that the rules allow."""
    runs: list[tuple[int, int, int]] = []
    for seats in range(rules.min_players, rules.max_players + 1):
        value = table[seats - MIN_SEATS]
        if runs and runs[-1][2] == value:
            runs[-1] = (runs[-1][0], seats, value)
        else:
            runs.append((seats, seats, value))
    return ", ".join(
        f"{first}: {value}" if first == last else f"{first}-{last}: {value}"
        for first, last, value in runs
    )
