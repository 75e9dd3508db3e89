"""Every error in one shape: the service's, and those that the front answers with by itself."""

from __future__ import annotations

import json
from typing import Any

import pytest
from redis import Redis

from mextrain_service.application.model import GameId
from mextrain_service.local.discovery import Running
from mextrain_service.storage.keys import game_keys
from tests.front.rest import Answer, Rest, persons

TWO = {"seats": persons("ada", "bob")}


@pytest.fixture
def game(platform: Rest) -> dict[str, Any]:
    created: dict[str, Any] = platform.post("/v1/games", TWO).body
    return created


def _seat(platform: Rest, game: dict[str, Any], seat: int) -> Rest:
    return platform.bearing(game["seatTokens"][seat]["token"])


def _dealt(platform: Rest, game: dict[str, Any]) -> tuple[str, int]:
    """Deal; return the path of the game and the seat to move."""
    path = f"/v1/games/{game['game']['gameId']}"
    dealt = platform.post(f"{path}:deal").body
    return path, dealt["game"]["view"]["round"]["turn"]


def test_refusal_is_404_when_there_is_no_such_game(platform: Rest) -> None:
    answer = platform.get("/v1/games/nowhere")
    assert (404, "GAME_NOT_FOUND") == answer.refused
    assert {"game_id": "nowhere"} == answer.info["metadata"]


def test_refusal_is_401_when_there_is_no_credential(nobody: Rest) -> None:
    assert (401, "UNAUTHENTICATED") == nobody.get("/v1/games/nowhere").refused


def test_refusal_is_401_when_the_token_is_forged(platform: Rest, game: dict[str, Any]) -> None:
    token = game["seatTokens"][0]["token"]
    forged = platform.bearing(token[:-4] + "AAAA")
    assert (401, "TOKEN_INVALID") == forged.get(f"/v1/games/{game['game']['gameId']}").refused


def test_refusal_is_403_when_a_seat_does_what_only_the_platform_may(
    platform: Rest, game: dict[str, Any]
) -> None:
    path = f"/v1/games/{game['game']['gameId']}"
    assert (403, "PERMISSION_DENIED") == _seat(platform, game, 0).post(f"{path}:deal").refused


def test_refusal_tells_reason_and_facts_when_another_seat_is_to_move(
    platform: Rest, game: dict[str, Any]
) -> None:
    path, turn = _dealt(platform, game)
    answer = _seat(platform, game, 1 - turn).post(f"{path}:play", {"moves": [{"notation": "draw"}]})
    assert (400, "NOT_YOUR_TURN") == answer.refused
    assert str(turn) == answer.info["metadata"]["turn"]
    assert 9 == answer.body["code"]


def test_refusal_is_409_with_the_table_when_the_version_is_stale(
    platform: Rest, game: dict[str, Any]
) -> None:
    path, turn = _dealt(platform, game)
    answer = _seat(platform, game, turn).post(
        f"{path}:play", {"moves": [{"notation": "draw"}], "expectedVersion": 0}
    )
    assert (409, "STALE_VERSION") == answer.refused
    (view,) = (
        each for each in answer.body["details"] if each["@type"].endswith("mextrain.v1.View")
    )
    assert 1 == view["version"]


def test_refusal_is_409_when_a_request_id_comes_with_another_body(
    platform: Rest, game: dict[str, Any]
) -> None:
    path = f"/v1/games/{game['game']['gameId']}"
    assert 200 == platform.post(f"{path}:deal", {"requestId": "once"}).status
    again = platform.post(f"{path}:deal", {"requestId": "once", "expectedVersion": 0})
    assert "REQUEST_ID_REUSED" == again.info["reason"]
    assert again.status in (400, 409)


def test_refusal_names_the_field_when_a_required_one_is_left_out(platform: Rest) -> None:
    answer = platform.post("/v1/games", {"preset": "modern"})
    assert (400, "FIELD_INVALID") == answer.refused
    assert "seats" == answer.info["metadata"]["field"]


def test_refusal_names_every_problem_when_a_rule_set_is_impossible(platform: Rest) -> None:
    answer = platform.post(
        "/v1/games",
        {
            **TWO,
            "overrides": {"maxPipByPlayers": [{"minPlayers": 2, "maxPlayers": 14, "value": 3}]},
        },
    )
    assert (400, "RULE_SET_INVALID") == answer.refused


@pytest.mark.parametrize(
    ("path", "body", "says"),
    [
        ("/v1/games", b'{"seats": [', "Unexpected end"),
        ("/v1/games", b"seats=2", "Unexpected token"),
        ("/v1/games", b'{"seats": 5}', "seats"),
        ("/v1/rules:explain", b'{"players": 99999999999}', "players"),
        ("/v1/rules:explain", b'{"players": 2.5}', "players"),
        ("/v1/rules:explain", b'{"players": 2, "players": 3}', "players"),
        ("/v1/rules:explain", b'{"overrides": {"hubRule": "HUB_RULE_UPWARDS"}}', "hub_rule"),
        ("/v1/games/abc:deal", b'{"game_id": "xyz"}', "game_id"),
    ],
)
def test_refusal_says_what_cannot_be_read_when_a_body_is_malformed(
    platform: Rest, path: str, body: bytes, says: str
) -> None:
    answer = platform.call("POST", path, body)
    assert (400, "REQUEST_MALFORMED") == answer.refused
    assert says in answer.body["message"]


@pytest.mark.parametrize(
    "query", ["?after=1", "?pageSize=many", "?afterVersion=1&afterVersion=x", "?level=EASY"]
)
def test_refusal_is_400_when_a_query_is_not_understood(platform: Rest, query: str) -> None:
    assert (400, "REQUEST_MALFORMED") == platform.get(f"/v1/games/abc/events{query}").refused


def test_refusal_is_400_when_a_query_names_no_value_of_an_enum(platform: Rest) -> None:
    answer = platform.get("/v1/games/abc:suggest?level=BOT_LEVEL_PERFECT")
    assert (400, "REQUEST_MALFORMED") == answer.refused
    assert "level" in answer.body["message"]


@pytest.mark.parametrize(
    ("verb", "path"),
    [("GET", "/v1/nothing"), ("GET", "/v2/games"), ("PUT", "/v1/presets"), ("DELETE", "/v1/games")],
)
def test_refusal_is_404_when_no_method_is_at_the_path(nobody: Rest, verb: str, path: str) -> None:
    assert (404, "ROUTE_NOT_FOUND") == nobody.call(verb, path).refused


def test_refusal_is_413_when_a_body_is_too_large(platform: Rest) -> None:
    body = json.dumps({"preset": "x" * 70_000}).encode()
    assert (413, "REQUEST_TOO_LARGE") == platform.call("POST", "/v1/games", body).refused


def test_refusal_can_be_read_by_a_page_of_another_origin(nobody: Rest) -> None:
    for path in ("/v1/games/abc", "/v1/games/abc/events?what=1"):
        answer: Answer = nobody.get(path, origin="https://elsewhere.example")
        assert "https://elsewhere.example" == answer.headers["access-control-allow-origin"]
        assert "retry-after" in answer.headers["access-control-expose-headers"]


def test_browser_is_told_in_advance_what_it_may_send(nobody: Rest) -> None:
    answer = nobody.call(
        "OPTIONS",
        "/v1/games",
        origin="https://elsewhere.example",
        access_control_request_method="POST",
        access_control_request_headers="authorization,content-type",
    )
    assert 200 == answer.status
    assert "authorization" in answer.headers["access-control-allow-headers"]


def test_refusal_names_no_field_when_a_message_cannot_be_read_at_all(platform: Rest) -> None:
    answer = platform.call(
        "POST",
        "/mextrain.v1.GameService/GetGame",
        b"\x0a\xff",
        content_type="application/proto",
        connect_protocol_version="1",
    )
    assert (400, "invalid_argument") == (answer.status, answer.body["code"])
    assert "the request is not a message of this method's type" == answer.body["message"]


def test_change_is_500_with_its_reason_and_the_game_is_deleted_when_its_log_is_gone(
    platform: Rest, game: dict[str, Any], running: Running
) -> None:
    path = f"/v1/games/{game['game']['gameId']}"
    assert 200 == platform.post(f"{path}:deal").status
    with Redis.from_url(running.redis_url) as store:
        assert 1 == store.delete(game_keys(GameId(game["game"]["gameId"])).log)
    answer = platform.post(f"{path}/seats/0:resign")
    assert (500, "GAME_DAMAGED") == answer.refused
    assert "retry-after" not in answer.headers
    assert 200 == platform.get(path).status
    assert 200 == platform.call("DELETE", path, None).status
    assert (404, "GAME_NOT_FOUND") == platform.get(path).refused
