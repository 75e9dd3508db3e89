"""A rule set as the options in which it differs from a pinned baseline.

The number of an option is its place among those of the engine's `RuleSet`, that of a value its
place in its enum. So a new option and a new value go to the end. A number, once given, keeps its
meaning for ever, as does a baseline: `tests/data/stored_options.txt` pins them all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal

from google.protobuf.message import DecodeError
from mextrain.store.v1 import game_pb2 as pb

from mextrain_engine import RULES_REVISION, RuleSet, RuleSetError
from mextrain_engine.ruleset import OPTION_TYPES
from mextrain_service.storage.errors import CorruptGameError, NewerSchemaError

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


READABLE_REVISIONS = frozenset({1})
"""The revisions of the rules whose games this release plays on. Raising the revision means to
decide here whether games that were begun under the old one go on under the new."""

_BY_NUMBER = {option.number: (name, option) for name, option in STORED_OPTIONS.items()}
_BASELINE: dict[str, Any] = {
    "name": BASELINE_NAME,
    "max_pip_by_players": tuple(BASELINE_MAX_PIP),
    "hand_size_by_players": tuple(BASELINE_HAND_SIZE),
} | {name: option.baseline for name, option in STORED_OPTIONS.items()}
_KNOWN_RULE_SETS = 256


@lru_cache(maxsize=_KNOWN_RULE_SETS)
def encode_rules(rules: RuleSet) -> bytes:
    """Return a rule set as the bytes of a `Rules` message; none at all for the baseline.

    >>> encode_rules(RuleSet()), encode_rules(RuleSet(double_blank_value=25)).hex()
    (b'', '1a022d19')
    """
    stored = pb.Rules(
        revisions_later=RULES_REVISION - 1,
        name=None if rules.name == BASELINE_NAME else rules.name,
        max_pip_by_players=_table(rules.max_pip_by_players, BASELINE_MAX_PIP),
        hand_size_by_players=_table(rules.hand_size_by_players, BASELINE_HAND_SIZE),
    )
    for name, option in STORED_OPTIONS.items():
        value = getattr(rules, name)
        plain = value.value if isinstance(value, Enum) else value
        if plain != option.baseline:
            stored.options.extend((option.number, _number_of(option, plain)))
    return stored.SerializeToString(deterministic=True)


@lru_cache(maxsize=_KNOWN_RULE_SETS)
def decode_rules(stored: bytes) -> RuleSet:
    """Return the rule set of a `Rules` message; games of the same rules share one value.

    >>> decode_rules(b"") == RuleSet()
    True

    Raises:
        CorruptGameError: the bytes are not a rule set.
        NewerSchemaError: it has an option, a value or a revision that this release does not know.
    """
    try:
        message = pb.Rules.FromString(stored)
    except DecodeError as error:
        raise CorruptGameError("a stored rule set cannot be parsed") from error
    if message.revisions_later + 1 not in READABLE_REVISIONS:
        raise NewerSchemaError(f"rules revision {message.revisions_later + 1} is not played here")
    changes = _BASELINE | _options(list(message.options))
    if message.HasField("name"):
        changes["name"] = message.name
    if message.max_pip_by_players:
        changes["max_pip_by_players"] = tuple(message.max_pip_by_players)
    if message.hand_size_by_players:
        changes["hand_size_by_players"] = tuple(message.hand_size_by_players)
    try:
        return RuleSet().override(**changes)
    except RuleSetError as error:
        raise CorruptGameError(f"a stored rule set is not one: {error}") from error


def _table(table: tuple[int, ...], baseline: bytes) -> bytes:
    stored = bytes(table)
    return b"" if stored == baseline else stored


def _number_of(option: StoredOption, value: str | int | None) -> int:
    match option.values:
        case "optional_number":
            return 0 if value is None else int(value) + 1
        case "switch" | "number":
            return int(value or 0)
        case names:
            return names.index(str(value))


def _options(flat: list[int]) -> dict[str, Any]:
    if len(flat) % 2:
        raise CorruptGameError("a stored rule set ends in half an option")
    options: dict[str, Any] = {}
    for number, value in zip(flat[::2], flat[1::2], strict=True):
        if number not in _BY_NUMBER:
            raise NewerSchemaError(f"option {number} of a stored rule set is not known here")
        name, option = _BY_NUMBER[number]
        options[name] = _value_of(name, option, value)
    return options


def _value_of(name: str, option: StoredOption, number: int) -> str | int | None:
    match option.values:
        case "optional_number":
            return number - 1 if number else None
        case "number":
            return number
        case "switch":
            return bool(number)
        case names if number < len(names):
            return names[number]
        case _:
            raise NewerSchemaError(f"value {number} of option {name} is not known here")
