"""What a front takes from strangers: so long, so many, so old, and no more."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import grpc
import pytest
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.channel_pb2 import ChannelRequest, CloseChannel
from mextrain.v1.game_service_pb2_grpc import GameServiceStub

from mextrain_service.local.discovery import Running
from tests.front.fronts import HOST, Front, front_alone
from tests.front.raw import answered, connected, rest_of
from tests.front.rest import Rest, persons
from tests.front.speaking import SERVICE
from tests.polling import WITHIN_S, eventually
from tests.worker.processes import log_lines, served
from tests.worker.table import bearer, channel_to, failure_of, reason_of

_TIMEOUT_S = 3
_CONNECTIONS = 20
_CALLS = 150


@dataclass(frozen=True, slots=True)
class Strict:
    """Where a front is, and the key of a platform."""

    url: str
    key: str


@pytest.fixture(scope="module")
def front(running: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    limits = {
        "MEXTRAIN_FRONT_REQUEST_TIMEOUT_S": str(_TIMEOUT_S),
        "MEXTRAIN_FRONT_MAX_CONNECTIONS": str(_CONNECTIONS),
        "MEXTRAIN_FRONT_MAX_CALLS": str(_CALLS),
    }
    with front_alone(tmp_path_factory.mktemp("front"), running.endpoint, **limits) as started:
        yield started


@pytest.fixture(scope="module", params=["alone", "in the workers"])
def strict(
    request: pytest.FixtureRequest, front: Front, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Strict]:
    """A front whose time for requests is short, before workers and as a part of one."""
    if request.param == "alone":
        running: Running = request.getfixturevalue("running")
        yield Strict(front.rest.url, running.platform_key)
        return
    settings = {
        "MEXTRAIN_SERVER_TRANSPORT": "envoy",
        "MEXTRAIN_FRONT_REQUEST_TIMEOUT_S": str(_TIMEOUT_S),
    }
    with served(tmp_path_factory.mktemp("hosted"), "--workers=1", **settings) as service:
        yield Strict(service.running.http_url, service.running.platform_key)


@pytest.mark.parametrize(
    ("place", "kind", "begun"),
    [
        ("/v1/games", "application/json", b"{"),
        ("/v1/games/abc:deal", "application/json", b"{"),
        (f"/{SERVICE.full_name}/GetGame", "application/grpc-web+proto", b"\0\0\0\x10\0"),
        (f"/{SERVICE.full_name}/GetGame", "application/proto", b""),
    ],
)
def test_request_is_refused_when_its_body_comes_byte_by_byte(
    strict: Strict, place: str, kind: str, begun: bytes
) -> None:
    head = f"POST {place} HTTP/1.1\r\nHost: a\r\nContent-Type: {kind}\r\n"
    if kind == "application/proto":
        head += "Connect-Protocol-Version: 1\r\n"
    with connected(strict.url) as connection:
        connection.sendall(f"{head}Content-Length: 100000\r\n\r\n".encode() + begun)
        connection.settimeout(_TIMEOUT_S / 10)
        answer = _dripped(connection)
    if "grpc" in kind:
        assert b"grpc-status: 4\r\n" in answer
    else:
        assert answer.startswith(b"HTTP/1.1 408 ")
        assert b"the request did not arrive in time" in answer


def _dripped(connection: socket.socket) -> bytes:
    """Send a byte now and then until there is an answer; return that."""
    for _ in range(round(WITHIN_S / _TIMEOUT_S * 10)):
        connection.sendall(b" ")
        try:
            return connection.recv(65_536)
        except TimeoutError:
            continue
    raise AssertionError("it waits for ever")


def test_request_is_408_when_its_headers_do_not_end(strict: Strict) -> None:
    with connected(strict.url) as connection:
        connection.sendall(b"GET /v1/presets HTTP/1.1\r\nHost: a\r\n")
        assert rest_of(connection).startswith(b"HTTP/1.1 408 ")


def test_stream_of_requests_may_be_quiet_for_longer_than_a_request_may_take(
    strict: Strict,
) -> None:
    quiet = threading.Event()

    def asks() -> Iterator[pb.PlayGamesRequest]:
        quiet.wait(WITHIN_S)
        yield pb.PlayGamesRequest(requests=[ChannelRequest(channel=1, tag=7, close=CloseChannel())])

    with channel_to(strict.url.removeprefix("http://")) as channel:
        answers = GameServiceStub(channel).PlayGames(asks(), metadata=bearer(strict.key))
        waited = answered(strict.url, "POST /v1/games HTTP/1.1", "Host: a", "Content-Length: 9")
        assert waited.startswith(b"HTTP/1.1 408 ")
        quiet.set()
        assert [7] == [each.tag for answer in answers for each in answer.responses]


def test_more_streams_than_a_front_carries_are_refused_and_none_waits(
    front: Front, running: Running
) -> None:
    host = Rest(front.rest.url, running.platform_key)
    created = host.post("/v1/games", {"seats": persons("ada", "bob")}).body
    watched = pb.WatchGameRequest(game_id=created["game"]["gameId"])
    with channel_to(f"{HOST}:{front.port}") as channel, ExitStack() as streams:
        stub = GameServiceStub(channel)
        for _ in range(_CALLS):
            stream = stub.WatchGame(watched, metadata=bearer(host.credential))
            streams.callback(stream.cancel)
            assert next(iter(stream)).HasField("reset")
        for call in (
            lambda: stub.ListPresets(pb.ListPresetsRequest(), timeout=WITHIN_S),
            lambda: next(iter(stub.WatchGame(watched, metadata=bearer(host.credential)))),
        ):
            refusal = failure_of(call)
            assert (grpc.StatusCode.UNAVAILABLE, "OVERLOADED") == (
                refusal.code(),
                reason_of(refusal),
            )
        in_rest = host.get("/v1/presets")
        assert (503, "OVERLOADED") == in_rest.refused
        assert "1" == in_rest.headers["retry-after"]
    assert eventually(front.serves)


def test_connection_is_closed_at_once_when_there_are_too_many(front: Front) -> None:
    with ExitStack() as held:
        answers = [_first(held.enter_context(connected(front.rest.url)))]
        while answers[-1] and len(answers) <= _CONNECTIONS:
            answers.append(_first(held.enter_context(connected(front.rest.url))))
        assert b"" == answers[-1]
    assert eventually(front.serves)


def _first(connection: socket.socket) -> bytes:
    """Return how an answer begins; empty if the front closes the connection instead."""
    try:
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        return connection.recv(15)
    except ConnectionError:
        return b""


def test_connection_is_asked_to_go_when_it_is_old(running: Running, tmp_path: Path) -> None:
    with front_alone(tmp_path, running.endpoint, MEXTRAIN_SERVER_MAX_CONNECTION_AGE_S="1") as front:
        connection = front.rest.connection()

        def told_to_go() -> bool:
            connection.request("GET", "/v1/presets")
            with connection.getresponse() as answer:
                answer.read()
                return answer.getheader("connection") == "close"

        assert eventually(told_to_go)
        assert log_lines(front.command.logged())
