"""Enums of the contract and of the inner layers, paired by the names of their members.

A member without a partner fails the import, so that the two cannot drift apart in silence.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any, Generic, TypeVar

from google.protobuf.descriptor import EnumDescriptor

_E = TypeVar("_E", bound=Enum)

_UNSPECIFIED = "UNSPECIFIED"


class EnumPair(Generic[_E]):
    """One enum in its two forms.

    Attributes:
        wire: the number on the wire of each member.
        member: the member of each number; there is none for 0, which means unspecified.
    """

    def __init__(self, members: type[_E], descriptor: EnumDescriptor) -> None:
        numbers = dict(_numbers(descriptor))
        self.wire: Mapping[_E, Any] = {member: numbers.pop(member.name) for member in members}
        self.member: Mapping[int, _E] = {number: member for member, number in self.wire.items()}
        if numbers:
            raise ValueError(f"{descriptor.name} has values without a partner: {sorted(numbers)}")


def _numbers(descriptor: EnumDescriptor) -> Iterator[tuple[str, int]]:
    """Yield name and number of each value but 0, without the prefix that all of them share."""
    prefix = descriptor.values_by_number[0].name.removesuffix(_UNSPECIFIED)
    for value in descriptor.values:
        if value.number:
            yield value.name.removeprefix(prefix), value.number
