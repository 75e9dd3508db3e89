"""Rules as a request writes them: a preset and the options that differ."""

from __future__ import annotations

from collections.abc import Iterable

from mextrain.v1 import rule_set_pb2 as pb

from mextrain_engine import MAX_SEATS, MIN_SEATS
from mextrain_service.application.chosen_rules import OptionValue, RulesChoice
from mextrain_service.rpc.messages.checking import (
    OVERLAP,
    UNKNOWN_VALUE,
    Checked,
)
from mextrain_service.rpc.messages.option_fields import OPTION_FIELDS, OptionField

MAX_PRESET_CHARACTERS = 64
FIRST_HUB = "first_hub_value"
FIRST_HUB_OF_SET = -1
"""What a request writes for a first hub that is the highest double of the set."""


def rules_of(checked: Checked, preset: str, overrides: pb.RuleSet) -> RulesChoice:
    """Read the rules of a request; whether they can be played is not looked at here."""
    options: dict[str, OptionValue] = {}
    tables: dict[str, dict[int, int]] = {}
    for option in OPTION_FIELDS:
        field = f"overrides.{option.name}"
        value = getattr(overrides, option.name)
        if option.by_players:
            if value:
                tables[option.name] = _table(checked, field, value)
        elif option.pair is not None:
            if value:
                options[option.name] = _enum_text(checked, field, option, value)
        elif overrides.HasField(option.name):  # type: ignore[arg-type] # every name of the message
            options[option.name] = value
    if options.get(FIRST_HUB) == FIRST_HUB_OF_SET:
        options[FIRST_HUB] = None
    name = checked.text("preset", preset, MAX_PRESET_CHARACTERS)
    return RulesChoice(preset=name, options=options, tables=tables)


def _enum_text(checked: Checked, field: str, option: OptionField, number: int) -> OptionValue:
    assert option.pair is not None
    member = option.pair.member.get(number)
    if member is None:
        checked.found(field, UNKNOWN_VALUE, f"unknown enum value {number}")
        return None
    text: str = member.value
    return text


def _table(checked: Checked, field: str, steps: Iterable[pb.PlayerStep]) -> dict[int, int]:
    table: dict[int, int] = {}
    for index, step in enumerate(steps):
        place = f"{field}[{index}]"
        least = checked.number(f"{place}.min_players", step.min_players, MIN_SEATS, MAX_SEATS)
        most = checked.number(f"{place}.max_players", step.max_players, least, MAX_SEATS)
        players = range(least, most + 1)
        if any(count in table for count in players):
            checked.found(place, OVERLAP, "steps must not overlap")
        table.update(dict.fromkeys(players, step.value))
    return table
