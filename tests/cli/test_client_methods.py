"""The Python client says everything that the contract can be asked."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields

import pytest
from google.protobuf.descriptor import MethodDescriptor
from mextrain.v1 import game_pb2, game_service_pb2

from mextrain_service.client import (
    Bot,
    Created,
    Game,
    GamePage,
    GameSummary,
    MextrainClient,
    OpenSeat,
    Person,
    Policy,
    Seat,
)

RPCS: dict[str, MethodDescriptor] = dict(
    game_service_pb2.DESCRIPTOR.services_by_name["GameService"].methods_by_name
)

METHODS: dict[str, Callable[..., object]] = {
    "CreateGame": MextrainClient.create_game,
    "ListGames": MextrainClient.list_games,
    "GetGame": MextrainClient.get_game,
    "ClaimSeat": MextrainClient.claim_seat,
    "ResignSeat": MextrainClient.resign_seat,
    "SubstituteSeat": MextrainClient.substitute_seat,
    "AddEntropy": MextrainClient.add_entropy,
    "DealRound": MextrainClient.deal_round,
    "PlayMove": MextrainClient.play,
    "GetScore": MextrainClient.score,
    "ListLegalMoves": MextrainClient.legal_moves,
    "SuggestMove": MextrainClient.suggest_move,
    "WatchGame": MextrainClient.watch,
    "WatchGames": MextrainClient.watch_games,
    "PlayGames": MextrainClient.play_games,
    "ListEvents": MextrainClient.events,
    "ExportGame": MextrainClient.export,
    "DeleteGame": MextrainClient.delete_game,
    "ListPresets": MextrainClient.list_presets,
    "ExplainRules": MextrainClient.explain_rules,
}
"""What calls each method of the contract."""

SAID_AS = {
    ("AddEntropy", "round"): "round_number",
    ("SubstituteSeat", "bot"): "substitute",
    ("SubstituteSeat", "person"): "substitute",
    ("SubstituteSeat", "holder"): "substitute",
    ("WatchGame", "heartbeat_interval"): "heartbeat_s",
    ("WatchGame", "after_version"): "from_start",
    ("WatchGames", "heartbeat_interval"): "heartbeat_s",
}
"""Fields of a request whose argument has another name."""

PAGED = {("ListEvents", "page_size"), ("ListEvents", "page_token")}
"""Fields that the method fills in by itself."""

BESIDE_THE_CALLS = {"close", "games"}
"""Methods that call nothing of their own."""

READ_AS = {
    "create_time": "created_at",
    "update_time": "updated_at",
    "view": "table",
    "open": "holder",
    "person": "holder",
    "bot": "holder",
}
"""Fields of an answer whose attribute has another name."""


def test_client_has_a_method_for_each_call_of_the_contract_and_no_other() -> None:
    public = {name for name in dir(MextrainClient) if not name.startswith("_")}

    assert set(RPCS) == set(METHODS)
    assert {method.__name__ for method in METHODS.values()} | BESIDE_THE_CALLS == public


@pytest.mark.parametrize("rpc", METHODS)
def test_client_can_say_every_field_of_a_request(rpc: str) -> None:
    arguments = set(inspect.signature(METHODS[rpc]).parameters) - {"self"}
    said = {
        SAID_AS.get((rpc, field.name), field.name)
        for field in RPCS[rpc].input_type.fields
        if (rpc, field.name) not in PAGED
    }

    assert said == arguments


@pytest.mark.parametrize("method", [*METHODS.values(), MextrainClient.games])
def test_every_method_says_what_it_does(method: object) -> None:
    assert inspect.getdoc(method)


@pytest.mark.parametrize(
    ("message", "value", "beyond"),
    [
        (game_pb2.TablePolicy, Policy, set()),
        (game_pb2.Person, Person, set()),
        (game_pb2.Bot, Bot, set()),
        (game_pb2.OpenSeat, OpenSeat, set()),
        (game_pb2.GameSummary, GameSummary, set()),
        (game_service_pb2.ListGamesResponse, GamePage, set()),
        (game_service_pb2.CreateGameResponse, Created, {"expires_at"}),
        (game_pb2.Game, Game, {"seeds", "entropy"}),
    ],
)
def test_value_has_every_field_of_its_message(message: type, value: type, beyond: set[str]) -> None:
    told = {READ_AS.get(name, name) for name in message.DESCRIPTOR.fields_by_name}  # type: ignore[attr-defined]

    assert told | beyond == {field.name for field in fields(value)}


def test_seat_has_every_field_of_its_message_but_its_number() -> None:
    told = {READ_AS.get(name, name) for name in game_pb2.Seat.DESCRIPTOR.fields_by_name}

    assert told - {"seat"} == {field.name for field in fields(Seat)}
