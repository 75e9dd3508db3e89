"""The rulebook in reading order, and by id."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from mextrain_engine.rulebook.chapters import (
    blocked,
    doubles,
    drawing,
    first_turn,
    going_out,
    hub,
    last_tile,
    markers,
    match,
    mexican_train,
    open_doubles,
    scoring,
    setup,
    turns,
)
from mextrain_engine.rulebook.model import Rule, Section

SECTIONS: tuple[Section, ...] = (
    setup.SECTION,
    hub.SECTION,
    first_turn.SECTION,
    turns.SECTION,
    mexican_train.SECTION,
    drawing.SECTION,
    doubles.SECTION,
    open_doubles.SECTION,
    markers.SECTION,
    going_out.SECTION,
    blocked.SECTION,
    scoring.SECTION,
    match.SECTION,
    last_tile.SECTION,
)
"""Every chapter, in the order of play."""

RULES: Mapping[str, Rule] = MappingProxyType(
    {rule.id: rule for section in SECTIONS for rule in section.rules}
)
"""Every rule by its id, in reading order."""
