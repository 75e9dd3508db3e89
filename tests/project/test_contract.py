"""The public contract says what the engine can: same options, reasons, events and states."""

from __future__ import annotations

import json
import re
from enum import Enum
from typing import get_args

import pytest
from google.api import annotations_pb2
from google.protobuf.descriptor import EnumDescriptor
from mextrain.v1 import (
    error_reason_pb2,
    event_pb2,
    game_pb2,
    game_service_pb2,
    round_pb2,
    rule_set_pb2,
    view_pb2,
)
from mextrain.v1.channel_pb2 import PlayMoves

from mextrain_engine import PRESETS, Owed, Phase, Reason, events
from mextrain_service.application.answers import TableFact
from mextrain_service.application.model import BotLevel, DealBy
from tests.project.tree import ROOT
from tools.rule_contract import contract

SERVICE = game_service_pb2.DESCRIPTOR.services_by_name["GameService"]

ENUMS: list[tuple[type[Enum], EnumDescriptor]] = [
    (Owed, round_pb2.Owed.DESCRIPTOR),
    (Phase, view_pb2.Phase.DESCRIPTOR),
    (BotLevel, game_pb2.BotLevel.DESCRIPTOR),
    (DealBy, game_pb2.DealBy.DESCRIPTOR),
    (events.PassCause, event_pb2.PassCause.DESCRIPTOR),
    (events.RoundEnd, round_pb2.RoundEnd.DESCRIPTOR),
]


def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _value_names(enum: type[Enum]) -> list[str]:
    prefix = _snake(enum.__name__).upper()
    return [f"{prefix}_UNSPECIFIED", *(f"{prefix}_{member.name}" for member in enum)]


def test_options_of_the_rules_are_written_from_those_of_the_engine() -> None:
    stale = [path.name for path, text in contract().items() if path.read_text("utf-8") != text]
    assert stale == [], "make gen"


def test_every_single_option_can_be_left_to_the_preset() -> None:
    single = [
        field
        for field in rule_set_pb2.RuleSet.DESCRIPTOR.fields
        if not field.is_repeated and field.enum_type is None and field.name != "name"
    ]
    assert [field.name for field in single if not field.has_presence] == []


@pytest.mark.parametrize(("enum", "descriptor"), ENUMS, ids=[enum.__name__ for enum, _ in ENUMS])
def test_enum_has_the_values_of_the_engine(enum: type[Enum], descriptor: EnumDescriptor) -> None:
    assert _value_names(enum) == [value.name for value in descriptor.values]


def test_every_refusal_of_the_engine_is_an_error_reason() -> None:
    public = {
        name.removeprefix("ERROR_REASON_")
        for name in error_reason_pb2.ErrorReason.DESCRIPTOR.values_by_name
    }
    assert {reason.value for reason in Reason} <= public


def test_every_error_reason_shows_an_example_of_its_facts() -> None:
    text = (ROOT / "proto/mextrain/v1/error_reason.proto").read_text(encoding="utf-8")
    values = re.findall(r"((?:  //.*\n)+)  ERROR_REASON_(\w+) = (\d+);", text)
    assert len(error_reason_pb2.ErrorReason.DESCRIPTOR.values) == len(values)
    for comment, name, number in values:
        if number == "0":
            continue
        example = re.search(r"// Example: (\{.*\})$", comment, re.MULTILINE)
        assert example is not None, name
        facts = json.loads(example[1])
        assert all(isinstance(value, str) for value in facts.values()), name


def test_everything_that_can_happen_has_a_message() -> None:
    named = {event.__name__ for event in get_args(TableFact)} - {"Passed"} | {"TurnPassed"}
    facts = event_pb2.Event.DESCRIPTOR.oneofs_by_name["fact"].fields
    assert named == {field.message_type.name for field in facts if field.message_type}


CALLS = [method for method in SERVICE.methods if not method.client_streaming]
"""The methods that are asked once; REST has no others."""


def test_every_call_has_a_route_of_its_own() -> None:
    routes = []
    for method in CALLS:
        rule = method.GetOptions().Extensions[annotations_pb2.http]
        verb = rule.WhichOneof("pattern")
        assert verb is not None, method.name
        routes.append((verb, getattr(rule, verb)))
    assert len(CALLS) == len(set(routes))


def test_every_write_takes_a_request_id_and_a_version_of_the_game_that_it_writes() -> None:
    lacking = []
    for method in CALLS:
        verb = method.GetOptions().Extensions[annotations_pb2.http].WhichOneof("pattern")
        if verb == "get" or method.name == "ExplainRules":
            continue
        fields = method.input_type.fields_by_name
        wanted = {"request_id"} | ({"expected_version"} if "game_id" in fields else set())
        lacking += [f"{method.name}: {field}" for field in wanted - set(fields)]
    wanted = {"request_id", "expected_version"}
    lacking += sorted(wanted - set(PlayMoves.DESCRIPTOR.fields_by_name))
    assert lacking == []


def test_preset_names_are_as_the_contract_says() -> None:
    assert [name for name in PRESETS if not re.fullmatch(r"[a-z0-9_]{1,32}", name)] == []
