"""Reads a rule set from its message and writes changes of one into it.

Both know only the option names and kinds of the engine: a new option needs no line here.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from itertools import groupby
from typing import Any

from google.protobuf.descriptor import EnumDescriptor
from mextrain.v1 import rule_set_pb2

from mextrain_engine import MIN_SEATS, RuleSet
from mextrain_engine.ruleset import OPTION_TYPES, PlayerTable

OptionValue = str | bool | int | Enum | PlayerTable
"""A value of an option; an enum may be given as its text."""


def read_rules(message: rule_set_pb2.RuleSet) -> RuleSet:
    """Return the rule set of an answer, in which every option is filled in."""
    known = {field.name for field in message.DESCRIPTOR.fields}
    values = {
        name: _read_option(message, name, kind)
        for name, kind in OPTION_TYPES.items()
        if name in known
    }
    return RuleSet(**values)


def write_rules(changes: Mapping[str, OptionValue]) -> rule_set_pb2.RuleSet:
    """Return the message that says these options and no others.

    Raises:
        ValueError: there is no such option, or the option has no such value.
    """
    message = rule_set_pb2.RuleSet()
    for name, value in changes.items():
        field = message.DESCRIPTOR.fields_by_name.get(name)
        if field is None or name not in OPTION_TYPES:
            raise ValueError(f"there is no option {name!r}")
        if isinstance(value, tuple):
            getattr(message, name).extend(_steps(value))
        elif field.enum_type is not None:
            setattr(message, name, _enum_number(field.enum_type, value))
        else:
            setattr(message, name, value)
    return message


def _read_option(message: rule_set_pb2.RuleSet, name: str, kind: type) -> Any:
    value = getattr(message, name)
    enum_type = message.DESCRIPTOR.fields_by_name[name].enum_type
    if issubclass(kind, Enum) and enum_type is not None:
        return kind[enum_type.values_by_number[value].name.removeprefix(_prefix(enum_type))]
    if kind is tuple:
        table = [0] * len(getattr(RuleSet(), name))
        for step in value:
            for players in range(step.min_players, step.max_players + 1):
                table[players - MIN_SEATS] = step.value
        return tuple(table)
    if name == "first_hub_value" and not message.HasField("first_hub_value"):
        return None
    return value


def _steps(table: PlayerTable) -> list[rule_set_pb2.PlayerStep]:
    counts = enumerate(table, MIN_SEATS)
    steps = []
    for value, group in groupby(counts, key=lambda entry: entry[1]):
        players = [count for count, _ in group]
        if value:
            steps.append(
                rule_set_pb2.PlayerStep(
                    min_players=players[0], max_players=players[-1], value=value
                )
            )
    return steps


def _enum_number(enum_type: EnumDescriptor, value: object) -> int:
    text = value.value if isinstance(value, Enum) else value
    entry = enum_type.values_by_name.get(f"{_prefix(enum_type)}{str(text).upper()}")
    if entry is None:
        raise ValueError(f"{text!r} is no value of {enum_type.name}")
    return entry.number


def _prefix(enum_type: EnumDescriptor) -> str:
    return enum_type.values[0].name.removesuffix("UNSPECIFIED")
