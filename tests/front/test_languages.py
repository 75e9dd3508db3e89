"""One port, four languages, one answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.game_pb2 import BOT_LEVEL_PASS

from mextrain_service.local.discovery import Running
from tests.front.rest import Rest, persons
from tests.front.speaking import (
    Call,
    RefusedError,
    over_connect,
    over_grpc,
    over_grpc_web,
    read_json,
)
from tests.polling import WITHIN_S, eventually
from tests.worker.table import failure_of, reason_of


@pytest.fixture(scope="module")
def host(running: Running) -> Rest:
    return Rest(running.http_url, running.platform_key)


@pytest.fixture(scope="module")
def game(host: Rest) -> dict[str, Any]:
    """A game in its first round, the seat to move holding the credential."""
    created = host.post("/v1/games", {"seats": persons("ada", "bob"), "fixedSeed": "7"}).body
    game_id = created["game"]["gameId"]
    dealt = host.post(f"/v1/games/{game_id}:deal").body
    turn = dealt["game"]["view"]["round"]["turn"]
    return {"id": game_id, "token": created["seatTokens"][turn]["token"]}


def _asked(game_id: str) -> Iterator[tuple[str, str, Any]]:
    """Yield method, REST path and request of every call that changes nothing."""
    path = f"/v1/games/{game_id}"
    yield "GetGame", path, pb.GetGameRequest(game_id=game_id)
    yield "GetScore", f"{path}/score", pb.GetScoreRequest(game_id=game_id)
    yield "ListLegalMoves", f"{path}/legalMoves", pb.ListLegalMovesRequest(game_id=game_id)
    yield (
        "SuggestMove",
        f"{path}:suggest?level=BOT_LEVEL_PASS",
        pb.SuggestMoveRequest(game_id=game_id, level=BOT_LEVEL_PASS),
    )
    yield (
        "ListEvents",
        f"{path}/events?afterVersion=0&pageSize=5",
        pb.ListEventsRequest(game_id=game_id, page_size=5),
    )
    yield "ExportGame", f"{path}:export", pb.ExportGameRequest(game_id=game_id)
    yield "ListPresets", "/v1/presets", pb.ListPresetsRequest()


METHODS = [method for method, _, _ in _asked("")]


def _without_clock(answer: Any) -> Any:
    """Leave out the only thing that differs from one call to the next."""
    for name in ("game", "view"):
        if name in answer.DESCRIPTOR.fields_by_name:
            _without_clock(getattr(answer, name))
    if "server_time" in answer.DESCRIPTOR.fields_by_name:
        answer.ClearField("server_time")
    return answer


@pytest.mark.parametrize("method", METHODS)
def test_answer_is_the_same_in_every_language(
    running: Running, host: Rest, game: dict[str, Any], method: str
) -> None:
    path, request = next((p, r) for name, p, r in _asked(game["id"]) if name == method)
    seat = host.bearing(game["token"])
    front = running.http_url.removeprefix("http://")
    calls: list[Call] = [
        over_grpc(front, game["token"]),
        over_grpc_web(seat),
        over_connect(seat),
    ]
    expected = _without_clock(over_grpc(running.endpoint, game["token"])(method, request))
    rest = seat.get(path)
    assert 200 == rest.status
    assert expected == _without_clock(read_json(method, rest.raw))
    for call in calls:
        assert expected == _without_clock(call(method, request))


def test_refusal_carries_its_reason_over_grpc_through_the_front(running: Running) -> None:
    call = over_grpc(running.http_url.removeprefix("http://"), running.platform_key)
    failed = failure_of(lambda: call("GetGame", pb.GetGameRequest(game_id="nowhere")))
    assert grpc.StatusCode.NOT_FOUND is failed.code()
    assert "GAME_NOT_FOUND" == reason_of(failed)


def test_refusal_has_its_code_and_reason_over_grpc_web_and_connect(host: Rest) -> None:
    request = pb.GetGameRequest(game_id="nowhere")
    for call, code in ((over_grpc_web(host), "5"), (over_connect(host), "not_found")):
        with pytest.raises(RefusedError) as refused:
            call("GetGame", request)
        assert RefusedError(code, "unknown game", "GAME_NOT_FOUND") == refused.value


def test_refusal_says_what_is_read_when_connect_speaks_json(host: Rest) -> None:
    answer = host.post("/mextrain.v1.GameService/ListPresets", connect_protocol_version="1")
    assert (415, "invalid_argument") == (answer.status, answer.body["code"])
    assert "binary" in answer.body["message"]


def test_calls_of_one_connection_go_to_every_worker(running: Running) -> None:
    """Whoever keeps one connection for all calls is served by all workers."""
    with grpc.insecure_channel(running.http_url.removeprefix("http://")) as channel:
        ask = channel.unary_unary(
            "/mextrain.v1.GameService/ListPresets",
            pb.ListPresetsRequest.SerializeToString,
            pb.ListPresetsResponse.FromString,
        )
        before = _handled(running)

        def each_has_answered() -> bool:
            ask(pb.ListPresetsRequest(), timeout=WITHIN_S)
            return all(after > was for after, was in zip(_handled(running), before, strict=True))

        eventually(each_has_answered)


def _handled(running: Running) -> list[float]:
    """Return how many calls of ListPresets each worker has answered."""
    return [_counted(Rest(url).get("/metrics").raw.decode()) for url in running.metrics_urls]


def _counted(page: str) -> float:
    return sum(
        float(line.rpartition(" ")[2])
        for line in page.splitlines()
        if line.startswith("mextrain_call_seconds_count{") and "ListPresets" in line
    )
