"""Fields twice, fields that are not there, fields of the path: never passed over in silence."""

from __future__ import annotations

import gzip
import json
import re
from typing import Any

import pytest
from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.rpc.contract import SERVICE, Binding, bindings
from tests.front.rest import Rest, persons

MALFORMED = (400, "REQUEST_MALFORMED")
BOUND = [
    (binding, name)
    for binding in bindings()
    for field in binding.fields
    for name in (
        field,
        SERVICE.methods_by_name[binding.method].input_type.fields_by_name[field].json_name,
    )
]
READING_BODIES = [binding for binding in bindings() if binding.has_body]


def _path(binding: Binding) -> str:
    return binding.template.replace("{game_id}", "AAAA").replace("{seat}", "0")


def _named(binding: Binding) -> str:
    return f"{binding.verb}-{binding.method}"


def _call(rest: Rest, binding: Binding, query: str = "", body: bytes = b"{}") -> Any:
    return rest.call(binding.verb, _path(binding) + query, body if binding.has_body else None)


@pytest.mark.parametrize(
    ("binding", "name"), BOUND, ids=lambda each: each if isinstance(each, str) else _named(each)
)
def test_request_is_400_when_a_field_of_the_path_is_in_the_query_too(
    platform: Rest, binding: Binding, name: str
) -> None:
    for value in ("AAAA", "BBBB", "0"):
        answer = _call(platform, binding, f"?{name}={value}")
        assert 400 == answer.status
        if binding.verb != "HEAD":
            assert MALFORMED == answer.refused
            assert name in answer.body["message"]


@pytest.mark.parametrize("query", ["?game%5FId=B", "?game%49d=B", "?x=1&gameId=B", "?gameId"])
def test_request_is_400_when_such_a_field_is_written_another_way(
    platform: Rest, query: str
) -> None:
    assert MALFORMED == platform.call("DELETE", f"/v1/games/A{query}").refused


def test_game_of_the_path_is_the_one_that_is_deleted(platform: Rest) -> None:
    one, other = (
        platform.post("/v1/games", {"seats": persons("ada", "bob")}).body["game"]["gameId"]
        for _ in range(2)
    )
    for name in ("gameId", "game_id"):
        assert 400 == platform.call("DELETE", f"/v1/games/{one}?{name}={other}").status
    assert 200 == platform.call("DELETE", f"/v1/games/{one}").status
    assert 200 == platform.get(f"/v1/games/{other}").status


@pytest.mark.parametrize("name", ["gameId", "game_id"])
def test_body_may_repeat_a_field_of_the_path_and_not_contradict_it(
    platform: Rest, name: str
) -> None:
    path = "/v1/games/abc:deal"
    assert (404, "GAME_NOT_FOUND") == platform.post(path, {name: "abc"}).refused
    assert MALFORMED == platform.post(path, {name: "xyz"}).refused
    seat = "/v1/games/abc/seats/1:resign"
    assert (404, "GAME_NOT_FOUND") == platform.post(seat, {"seat": 1}).refused
    assert MALFORMED == platform.post(seat, {"seat": 0}).refused


@pytest.mark.parametrize("binding", READING_BODIES, ids=_named)
def test_request_is_400_when_its_body_has_a_field_that_the_method_has_not(
    platform: Rest, binding: Binding
) -> None:
    answer = _call(platform, binding, body=b'{"expectedVerion": 7}')
    assert MALFORMED == answer.refused
    assert "expectedVerion" in answer.body["message"]


@pytest.mark.parametrize(
    ("path", "body", "name"),
    [
        ("/v1/games", '{"seats": [{"person": {"playerid": "ada"}}]}', "playerid"),
        ("/v1/games", '{"overides": {}}', "overides"),
        ("/v1/games", '{"policy": {"clock": {"bank": {"start": "9s"}}}}', "start"),
        (
            "/v1/games/abc:play",
            '{"moves": [{"notation": "draw"}, {"notatoin": "pass"}]}',
            "notatoin",
        ),
    ],
)
def test_request_is_400_when_a_field_within_another_is_not_there(
    platform: Rest, path: str, body: str, name: str
) -> None:
    answer = platform.call("POST", path, body.encode())
    assert MALFORMED == answer.refused
    assert f"{name}: unknown field" in answer.body["message"]


@pytest.mark.parametrize(
    ("path", "body", "name"),
    [
        ("/v1/games/abc:deal", '{"requestId": "1", "requestId": "1"}', "requestId"),
        ("/v1/games/abc:deal", '{"requestId": "1", "request_id": "2"}', "request_id"),
        (
            "/v1/games/abc:deal",
            '{"expectedVersion": 1, "expectedVersion": null}',
            "expectedVersion",
        ),
        ("/v1/games", '{"seats": [], "seats": []}', "seats"),
        ("/v1/games", '{"overrides": {"rounds": 1, "rounds": 2}}', "rounds"),
        ("/v1/games", '{"seats": [{"person": {}, "person": {}}]}', "person"),
    ],
)
def test_request_is_400_when_a_field_is_given_twice(
    platform: Rest, path: str, body: str, name: str
) -> None:
    answer = platform.call("POST", path, body.encode())
    assert MALFORMED == answer.refused
    assert f"{name}: duplicate field" in answer.body["message"]


def test_request_is_400_when_a_parameter_is_given_twice_or_in_the_body_too(platform: Rest) -> None:
    for query in ("?afterVersion=1&afterVersion=1", "?afterVersion=1&after_version=2"):
        assert MALFORMED == platform.get(f"/v1/games/abc/events{query}").refused
    answer = platform.post("/v1/games/abc:deal?expectedVersion=1", {"expectedVersion": 2})
    assert MALFORMED == answer.refused


@pytest.mark.parametrize(
    "body",
    [
        "[]",
        '"seats"',
        "7",
        "{'players': 3}",
        "{players: 3}",
        '{"players": 3,}',
        '{"players": 3} {}',
        '{"players": 3]',
        '{"players" 3}',
        '{"players": nul}',
        '{"players": +3}',
        '{"preset": "a',
        '{"preset": "\\"}',
        '{"overrides": ' * 70 + "{}" + "}" * 70,
    ],
)
def test_request_is_400_when_its_body_is_no_object_of_json(platform: Rest, body: str) -> None:
    assert MALFORMED == platform.call("POST", "/v1/rules:explain", body.encode()).refused


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b' { "players" : 3 } \n',
        b'{"players": "3"}',
        b'{"players": 3e0, "preset": null}',
        b'{"preset": "\\u006dodern"}',
        '{"preset": "\\"Züge\\" }{,\\\\"}'.encode(),
    ],
)
def test_request_is_read_when_its_body_is_sound(platform: Rest, body: bytes) -> None:
    answer = platform.call("POST", "/v1/rules:explain", body)
    assert 200 == answer.status or "REQUEST_MALFORMED" != answer.info["reason"], answer


def test_fields_that_repeat_may_be_given_again_in_different_messages(platform: Rest) -> None:
    seats = [*persons("ada"), {"bot": {"level": "BOT_LEVEL_GREEDY", "displayName": "b"}}]
    assert 200 == platform.post("/v1/games", {"seats": seats}).status


def test_every_field_of_the_contract_is_known_by_both_of_its_names(platform: Rest) -> None:
    for binding in READING_BODIES:
        for field in SERVICE.methods_by_name[binding.method].input_type.fields:
            for name in {field.name, field.json_name} - {*binding.fields, "gameId"}:
                answer = _call(platform, binding, body=json.dumps({name: None}).encode())
                assert not re.search("unknown field|duplicate", str(answer.raw)), (binding, name)


def test_body_is_read_when_it_is_packed_by_gzip(platform: Rest) -> None:
    packed = gzip.compress(b'{"players": 3}')
    answer = platform.call("POST", "/v1/rules:explain", packed, content_encoding="gzip")
    assert 200 == answer.status
    twice = gzip.compress(b'{"players": 3, "players": 4}')
    answer = platform.call("POST", "/v1/rules:explain", twice, content_encoding="gzip")
    assert MALFORMED == answer.refused


def test_request_over_connect_is_read_when_it_is_packed_by_gzip(platform: Rest) -> None:
    answer = platform.call(
        "POST",
        f"/{SERVICE.full_name}/ExplainRules",
        gzip.compress(pb.ExplainRulesRequest(players=3).SerializeToString()),
        content_type="application/proto",
        connect_protocol_version="1",
        content_encoding="gzip",
    )
    assert 200 == answer.status
    assert pb.ExplainRulesResponse.FromString(answer.raw).HasField("rules")


def test_refusal_shows_a_name_that_somebody_made_up_in_short_and_without_its_bytes(
    platform: Rest,
) -> None:
    answer = platform.call("POST", "/v1/games", b'{"\xff<b>\\n' + b"x" * 1_000 + b'": 1}')
    assert (400, "REQUEST_MALFORMED") == answer.refused
    assert "??b??nxxx" in answer.body["message"]
    assert len(answer.body["message"]) < 150


def test_body_is_413_when_it_is_too_large_unpacked(platform: Rest) -> None:
    bomb = gzip.compress(b'{"preset": "' + b"x" * 5_000_000 + b'"}')
    answer = platform.call("POST", "/v1/rules:explain", bomb, content_encoding="gzip")
    assert (413, "REQUEST_TOO_LARGE") == answer.refused


@pytest.mark.parametrize("coding", ["br", "deflate", "zstd", "gzip, gzip", "compress"])
def test_request_is_415_when_its_body_is_packed_otherwise(platform: Rest, coding: str) -> None:
    answer = platform.call("POST", "/v1/rules:explain", b"abc", content_encoding=coding)
    assert (415, "REQUEST_MALFORMED") == answer.refused


def test_refusal_repeats_no_byte_of_a_body_that_is_not_packed_as_it_says(platform: Rest) -> None:
    answer = platform.call("POST", "/v1/games", b"\xff\x00secret", content_encoding="gzip")
    assert answer.status in (400, 415)
    assert b"secret" not in answer.raw
