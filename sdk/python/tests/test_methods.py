"""The client can say everything that the contract can be asked."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable

import pytest
from google.protobuf.descriptor import MethodDescriptor
from mextrain.v1 import game_service_pb2, operator_service_pb2

from mextrain_client import MextrainClient

RPCS: dict[str, MethodDescriptor] = {
    re.sub(r"(?<!^)(?=[A-Z])", "_", method.name).lower(): method
    for service in (
        game_service_pb2.DESCRIPTOR.services_by_name["GameService"],
        operator_service_pb2.DESCRIPTOR.services_by_name["OperatorService"],
    )
    for method in service.methods
}
"""Each method of the contract by the name that the client has for it."""

SAID_AS = {
    ("add_entropy", "round"): "round_number",
    ("substitute_seat", "bot"): "substitute",
    ("substitute_seat", "person"): "substitute",
    ("substitute_seat", "holder"): "substitute",
    ("watch_game", "heartbeat_interval"): "heartbeat_s",
    ("watch_games", "heartbeat_interval"): "heartbeat_s",
}
"""Fields of a request whose argument has another name."""

BESIDE_THE_CALLS = {"close", "events", "games"}
"""Methods that call nothing of their own."""


def _method(name: str) -> Callable[..., object]:
    method: Callable[..., object] = getattr(MextrainClient, name)
    return method


def test_client_has_a_method_for_each_call_of_the_contract_and_no_other() -> None:
    public = {name for name in dir(MextrainClient) if not name.startswith("_")}

    assert RPCS.keys() | BESIDE_THE_CALLS == public


@pytest.mark.parametrize("name", sorted(RPCS.keys() - {"play_games"}))
def test_client_can_say_every_field_of_a_request(name: str) -> None:
    arguments = inspect.signature(_method(name)).parameters.keys() - {"self"}
    fields = {field.name for field in RPCS[name].input_type.fields}

    assert {SAID_AS.get((name, field), field) for field in fields} == arguments


@pytest.mark.parametrize("name", RPCS)
def test_client_answers_with_the_message_of_the_contract(name: str) -> None:
    returned = str(inspect.signature(_method(name)).return_annotation)

    assert RPCS[name].output_type.name == re.findall(r"\w+", returned)[-1]


@pytest.mark.parametrize("name", sorted({*RPCS, *BESIDE_THE_CALLS}))
def test_every_method_says_what_it_does(name: str) -> None:
    assert inspect.getdoc(_method(name))
