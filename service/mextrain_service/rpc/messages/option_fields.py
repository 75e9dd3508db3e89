"""How each option of a rule set is written in a message: found from the two descriptions of it.

An option that one side lacks fails the import.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from mextrain.v1.rule_set_pb2 import RuleSet as RuleSetMessage

from mextrain_engine import RuleSet
from mextrain_engine.ruleset import OPTION_TYPES
from mextrain_service.rpc.messages.enums import EnumPair

NAME = "name"
"""The field of a rule set that is no option: what it is called."""


@dataclass(frozen=True, slots=True)
class OptionField:
    """One option.

    Attributes:
        name: its name, the same on both sides.
        pair: the enum of its values; None for numbers, truth values and tables.
        by_players: it is a table of numbers by count of players.
    """

    name: str
    pair: EnumPair[Any] | None
    by_players: bool


def _option_fields() -> Iterator[OptionField]:
    written = dict(RuleSetMessage.DESCRIPTOR.fields_by_name)
    for option in fields(RuleSet):
        field: FieldDescriptor = written.pop(option.name)
        if option.name != NAME:
            kind = OPTION_TYPES[option.name]
            yield OptionField(option.name, _pair(kind, field), by_players=kind is tuple)
    if written:
        raise ValueError(f"options of the contract that the engine lacks: {sorted(written)}")


def _pair(kind: type, field: FieldDescriptor) -> EnumPair[Any] | None:
    if not issubclass(kind, Enum) or field.enum_type is None:
        return None
    return EnumPair(kind, field.enum_type)


OPTION_FIELDS: tuple[OptionField, ...] = tuple(_option_fields())
"""Every option, in the engine's order."""
