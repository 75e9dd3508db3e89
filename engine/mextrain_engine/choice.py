"""Enums whose members are quick to look up."""

from __future__ import annotations

from enum import Enum


class Choice(Enum):
    """An enum whose members are hashed as objects, of which there is one each.

    The hash of ``Enum`` is a function in Python, and each view and each snapshot looks members up.

    >>> Side = Choice("Side", "LEFT RIGHT")
    >>> {Side.LEFT: 7}[Side(1)]
    7
    """

    __hash__ = object.__hash__
