"""Converters: everything that may leave has a message, and nothing else has one."""

from __future__ import annotations

import inspect
from typing import get_args

import pytest
from mextrain.v1 import error_reason_pb2, event_pb2
from mextrain.v1.channel_pb2 import ChannelResponse, MovesPlayed
from mextrain.v1.game_service_pb2 import PlayGamesResponse, WatchGameResponse
from mextrain.v1.watch_pb2 import Heartbeat as WatchHeartbeat
from mextrain.wire.v1.encoded_pb2 import EncodedPlayGamesResponse

from mextrain_engine import (
    CALL,
    DRAW,
    MEXICAN,
    PASS,
    PRESETS,
    Event,
    Move,
    Reason,
    Refusal,
    play,
    tile,
)
from mextrain_engine.events import PassCause, Passed
from mextrain_service.application.answers import TableEvent
from mextrain_service.application.chain import Position
from mextrain_service.application.chosen_rules import chosen_rules
from mextrain_service.application.model import EntropyAdded, SeatChanged
from mextrain_service.application.watching import Happened, Heartbeat
from mextrain_service.rpc.messages import events, games, moves, rules, views
from mextrain_service.rpc.messages.checking import Checked
from mextrain_service.rpc.messages.move_requests import moves_of
from mextrain_service.rpc.messages.option_fields import OPTION_FIELDS
from mextrain_service.rpc.messages.rules import rule_set_message
from mextrain_service.rpc.messages.rules_requests import rules_of
from mextrain_service.rpc.messages.watching import UpdateEncoder


def test_every_event_has_a_field_of_its_own() -> None:
    assert {*get_args(Event), SeatChanged, EntropyAdded} == set(events.FACTS)
    fields = event_pb2.Event.DESCRIPTOR.oneofs_by_name["fact"].fields
    assert {field.name for field in fields} == {name for name, _ in events.FACTS.values()}


@pytest.mark.parametrize("name", PRESETS)
def test_rule_set_comes_back_from_its_message_as_it_was(name: str) -> None:
    checked = Checked()
    choice = rules_of(checked, "ehow", rule_set_message(PRESETS[name]))
    checked.finish()
    back, given = chosen_rules(choice), PRESETS[name]
    tables = {"max_pip_by_players", "hand_size_by_players"}
    same = [each.name for each in OPTION_FIELDS if each.name not in tables]
    assert [getattr(given, each) for each in same] == [getattr(back, each) for each in same]
    counts = range(given.min_players, given.max_players + 1)
    assert [given.hand_size(seats) for seats in counts] == [
        back.hand_size(seats) for seats in counts
    ]
    assert [given.max_pip(seats) for seats in counts] == [back.max_pip(seats) for seats in counts]


@pytest.mark.parametrize(
    "move", [CALL, DRAW, PASS, play(tile(12, 5), MEXICAN), play(tile(3, 3), 2)]
)
def test_move_comes_back_from_its_message_as_it_was(move: Move) -> None:
    checked = Checked()
    assert moves_of(checked, [moves.move_message(move)]) == (move,)
    checked.finish()


@pytest.mark.parametrize("reason", Reason)
def test_refusal_keeps_its_reason_and_facts(reason: Reason) -> None:
    message = moves.refusal_message(Refusal(reason, "why", {"tile": "12-5"}))
    name = error_reason_pb2.ErrorReason.Name(message.reason)
    assert (name, message.message) == (f"ERROR_REASON_{reason.value}", "why")
    assert dict(message.facts) == {"tile": "12-5"}


@pytest.mark.parametrize("module", [events, games, moves, rules, views])
def test_no_converter_takes_what_holds_a_secret(module: object) -> None:
    secret = ("State", "Round", "HostedGame", "SeatHolder", "Step")
    for name, function in inspect.getmembers(module, inspect.isfunction):
        for parameter in inspect.signature(function).parameters.values():
            assert parameter.annotation not in secret, f"{name}({parameter})"


def test_what_is_told_to_several_is_encoded_as_for_each_alone() -> None:
    happened = (TableEvent(7, Passed(seat=1, cause=PassCause.UNABLE)),)
    encode = UpdateEncoder(WatchGameResponse)
    seven, eight, fork = (Position(at, bytes((link,)) * 6) for at, link in ((7, 1), (8, 1), (8, 2)))
    alike = ((seven, happened), (seven, happened), (eight, happened), (fork, happened))
    for position, told in (*alike, (eight, ()), (eight, happened)):
        message = WatchGameResponse.FromString(encode(Happened(position, told)))
        assert position == (message.events.version, position.link)
        assert position.cursor == message.events.cursor
        assert events.event_messages(told) == list(message.events.events)
    beat = WatchGameResponse.FromString(encode(Heartbeat(eight, 1_000)))
    assert 8 == beat.heartbeat.version


def test_encoded_answers_are_read_as_answers_of_the_contract() -> None:
    head = ChannelResponse(channel=300).SerializeToString()
    rest = ChannelResponse(heartbeat=WatchHeartbeat(version=5)).SerializeToString()
    other = ChannelResponse(channel=2, tag=9, played=MovesPlayed(version=6))
    encoded = EncodedPlayGamesResponse(responses=[head + rest, other.SerializeToString()])
    told = ChannelResponse(channel=300, heartbeat=WatchHeartbeat(version=5))
    assert PlayGamesResponse(responses=[told, other]) == PlayGamesResponse.FromString(
        encoded.SerializeToString()
    )
