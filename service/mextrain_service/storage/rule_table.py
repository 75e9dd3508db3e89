"""The stored number and the baseline value of every option of the rules, and of each of its values.

A number is a place: an option's among those of the engine's `RuleSet`, a value's in its enum. So a
new option and a new value go to the end. A number, once given, keeps its meaning for ever, as does
a baseline: `tests/data/stored_options.txt` pins them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from types import MappingProxyType
from typing import Any, Literal

from mextrain_engine import RuleSet
from mextrain_engine.ruleset import OPTION_TYPES

NumberKind = Literal["switch", "number", "optional_number"]
"""How a value that is no name is stored: 0 or 1, as it is, or one more with 0 for None."""


@dataclass(frozen=True, slots=True)
class StoredOption:
    """How one option is stored.

    Attributes:
        number: the option's own number.
        baseline: the value that need not be stored.
        values: the names of its values in the order of their numbers, from 0; or how it is
            stored if it is no enumeration.
    """

    number: int
    baseline: str | int | None
    values: tuple[str, ...] | NumberKind


BASELINE_NAME = "modern"
"""The name that need not be stored."""

BASELINE_MAX_PIP = bytes((12,) * 13)
"""The baseline of `max_pip_by_players`."""

BASELINE_HAND_SIZE = bytes((15, 15, 15, 12, 12, 10, 10, 0, 0, 0, 0, 0, 0))
"""The baseline of `hand_size_by_players`."""

FORMER_DEFAULTS: Mapping[str, str | int | None] = MappingProxyType({})
"""The baseline of each option whose default has changed since it got its number."""

_APART = {"name", "max_pip_by_players", "hand_size_by_players"}


def _stored(number: int, name: str, default: Any) -> StoredOption:
    kind = OPTION_TYPES[name]
    baseline = default.value if isinstance(default, Enum) else default
    values: tuple[str, ...] | NumberKind = "switch" if kind is bool else "number"
    if issubclass(kind, Enum):
        values = tuple(member.value for member in kind)
    elif default is None:
        values = "optional_number"
    return StoredOption(number, FORMER_DEFAULTS.get(name, baseline), values)


STORED_OPTIONS: dict[str, StoredOption] = {
    option.name: _stored(number, option.name, option.default)
    for number, option in enumerate(
        (option for option in fields(RuleSet) if option.name not in _APART), start=1
    )
}
"""Every option by name, but for the name of the rule set and the two tables by players."""
