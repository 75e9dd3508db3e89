"""What stands before the front: proxies that speak old HTTP, compress, keep, or hold back."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable

import pytest

from mextrain_service.local.discovery import Running
from mextrain_service.rpc.contract import bindings
from tests.front.raw import answered
from tests.front.rest import Answer, Rest, persons

_ELSEWHERE = "https://elsewhere.example"


def _game(platform: Rest) -> tuple[str, Rest]:
    created = platform.post("/v1/games", {"seats": persons("ada", "bob")}).body
    return f"/v1/games/{created['game']['gameId']}", platform.bearing(
        created["seatTokens"][0]["token"]
    )


@pytest.mark.parametrize("host", [(), ("Host: mextrain.example",)])
def test_old_http_is_answered_in_kind(running: Running, host: tuple[str, ...]) -> None:
    answer = answered(running.http_url, "GET /v1/presets HTTP/1.0", *host)
    assert answer.startswith(b"HTTP/1.0 200 OK\r\n")
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["presets"]


def test_request_is_400_when_it_has_two_hosts(running: Running) -> None:
    hosts = ("Host: one.example", "Host: other.example")
    answer = answered(running.http_url, "GET /v1/presets HTTP/1.1", *hosts, "Connection: close")
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"REQUEST_MALFORMED" in answer


@pytest.mark.parametrize("watched", ["{game}:watch", "/v1/games:watch"])
def test_stream_of_events_is_neither_kept_nor_changed_nor_held_back(
    platform: Rest, watched: str
) -> None:
    path, seat = _game(platform)
    rest = seat if "{" in watched else platform
    connection = rest.connection()
    connection.request(
        "GET",
        watched.format(game=path),
        headers={"authorization": f"Bearer {rest.credential}", "accept-encoding": "gzip"},
    )
    answer = connection.getresponse()
    connection.close()
    assert (200, "text/event-stream") == (answer.status, answer.headers["content-type"])
    assert "no-cache, no-transform, no-store" == answer.headers["cache-control"]
    assert "no" == answer.headers["x-accel-buffering"]
    assert "content-encoding" not in answer.headers


def test_answer_is_kept_by_nobody_when_hands_or_tokens_may_be_in_it(platform: Rest) -> None:
    path, seat = _game(platform)
    answers = [
        seat.get(path),
        seat.get(f"{path}/legalMoves"),
        platform.post("/v1/games", {"seats": persons("ada", "bob")}),
        platform.get("/v1/games/nowhere"),
        platform.get("/v1/nowhere"),
    ]
    assert ["no-store"] * len(answers) == [each.headers["cache-control"] for each in answers]


def test_answer_depends_on_the_origin_of_who_asks(platform: Rest, nobody: Rest) -> None:
    answers: list[Answer] = [
        platform.get("/v1/presets", origin=_ELSEWHERE),
        platform.get("/v1/presets"),
        nobody.get("/v1/games/abc", origin=_ELSEWHERE),
        nobody.get("/v1/nowhere", origin=_ELSEWHERE),
        nobody.call(
            "OPTIONS", "/v1/games", origin=_ELSEWHERE, access_control_request_method="POST"
        ),
    ]
    for answer in answers:
        assert "Origin" in answer.headers["vary"]


def test_answer_is_packed_for_those_who_unpack_it_when_it_is_long(platform: Rest) -> None:
    path, seat = _game(platform)
    packed, plain = seat.get(path, accept_encoding="gzip"), seat.get(path)
    assert "gzip" == packed.headers["content-encoding"]
    assert plain.body["game"]["rules"] == json.loads(gzip.decompress(packed.raw))["game"]["rules"]
    assert len(packed.raw) < len(plain.raw) / 2
    assert "Accept-Encoding" in packed.headers["vary"]
    assert "content-encoding" not in plain.headers


def test_answer_is_not_packed_when_it_is_short(platform: Rest) -> None:
    path, _ = _game(platform)
    assert "content-encoding" not in platform.get(f"{path}/score", accept_encoding="gzip").headers


@pytest.mark.parametrize(
    "path", ["/", "/docs/", "/openapi.json", "/v1/presets", "{game}", "{game}/score", "/v1/games"]
)
@pytest.mark.parametrize("coding", ["identity", "gzip"])
def test_head_is_what_get_is_without_its_body(platform: Rest, path: str, coding: str) -> None:
    game, _ = _game(platform)
    connection = platform.connection()
    found = []
    for verb in ("HEAD", "GET", "HEAD"):
        sent = {"authorization": f"Bearer {platform.credential}", "accept-encoding": coding}
        connection.request(verb, path.format(game=game), headers=sent)
        answer = connection.getresponse()
        found.append((answer.status, answer.headers["content-type"], bool(answer.read())))
    connection.close()
    head, got, again = found
    assert (200, head[1], True) == got
    assert (200, got[1], False) == head == again


def test_head_has_the_length_that_get_has(platform: Rest) -> None:
    lengths = [
        platform.call(verb, "/v1/presets").headers["content-length"] for verb in ("HEAD", "GET")
    ]
    assert lengths[0] == lengths[1] != "0"


def test_head_is_refused_as_get_is(platform: Rest, nobody: Rest) -> None:
    refused: tuple[Callable[[], Answer], ...] = (
        lambda: platform.call("HEAD", "/v1/games/nowhere"),
        lambda: platform.call("HEAD", "/v1/games?nothing=1"),
        lambda: nobody.call("HEAD", "/v1/games/nowhere"),
    )
    assert [404, 400, 401] == [call().status for call in refused]
    assert all(not call().raw for call in refused)


def test_head_is_for_what_get_answers_at_once(platform: Rest) -> None:
    assert 404 == platform.call("HEAD", "/v1/games/abc:watch").status
    heads = {each.method for each in bindings() if each.verb == "HEAD"}
    assert {each.method for each in bindings() if each.verb == "GET"} - heads == {
        *("WatchGame", "WatchGames")
    }
