"""Only what the contract makes public is served at the front, in whatever language it is asked."""

from __future__ import annotations

import contextlib
import struct

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from mextrain.v1 import operator_service_pb2

from mextrain_service.local.discovery import Running
from mextrain_service.rpc.contract import methods
from tests.front.rest import Rest
from tests.front.speaking import SERVICE
from tests.polling import WITHIN_S
from tests.worker.table import bearer, channel_to, failure_of, reason_of

OPERATOR = operator_service_pb2.DESCRIPTOR.services_by_name["OperatorService"]
PRIVATE = [
    *(f"/{OPERATOR.full_name}/{method.name}" for method in OPERATOR.methods),
    "/grpc.health.v1.Health/Check",
    "/grpc.health.v1.Health/Watch",
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
    "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
    f"/{SERVICE.full_name}/NoSuchMethod",
    f"/{SERVICE.full_name}/GetGame/",
    "/v1/games",
]


@pytest.mark.parametrize("path", PRIVATE)
def test_method_is_unimplemented_at_the_front_when_it_is_not_public(
    running: Running, platform: Rest, path: str
) -> None:
    with channel_to(running.http_url.removeprefix("http://")) as channel:
        call = channel.unary_unary(path, lambda _: b"", lambda data: data)
        refusal = failure_of(
            lambda: call(b"", metadata=bearer(platform.credential), timeout=WITHIN_S)
        )
    assert (grpc.StatusCode.UNIMPLEMENTED, "UNIMPLEMENTED") == (refusal.code(), reason_of(refusal))


@pytest.mark.parametrize("path", PRIVATE[:-1])
@pytest.mark.parametrize(
    "kind", ["proto", "connect+proto", "json", "grpc-web+proto", "grpc-web-text"]
)
@pytest.mark.parametrize("verb", ["POST", "GET", "OPTIONS"])
def test_method_is_not_served_to_browsers_when_it_is_not_public(
    platform: Rest, path: str, kind: str, verb: str
) -> None:
    marks = {"x_grpc_web": "1"} if "grpc" in kind else {"connect_protocol_version": "1"}
    empty = struct.pack(">BI", 0, 0)
    answer = platform.call(verb, path, empty, content_type=f"application/{kind}", **marks)
    if "grpc-status" in answer.headers:
        assert (200, "12", b"") == (answer.status, answer.headers["grpc-status"], answer.raw)
    else:
        assert answer.status in {404, 415, 501}


def test_nobody_says_by_a_header_that_they_came_to_another_port(
    running: Running, platform: Rest
) -> None:
    answer = platform.call(
        "POST",
        PRIVATE[0],
        b"\0\0\0\0\0",
        content_type="application/grpc",
        x_mextrain_port=running.endpoint.rpartition(":")[2],
    )
    assert "12" == answer.headers["grpc-status"]


def test_operators_and_probes_are_served_at_the_port_for_grpc(running: Running) -> None:
    with channel_to(running.endpoint) as channel:
        asked = health_pb2.HealthCheckRequest(service=SERVICE.full_name)
        health = health_pb2_grpc.HealthStub(channel).Check(asked, timeout=WITHIN_S)
        assert health_pb2.HealthCheckResponse.SERVING == health.status
        inspect = channel.unary_unary(f"/{OPERATOR.full_name}/InspectGame", lambda _: b"", bytes)
        refusal = failure_of(lambda: inspect(b"", timeout=WITHIN_S))
        assert grpc.StatusCode.UNIMPLEMENTED != refusal.code()


def test_every_method_of_the_contract_is_served_at_the_front(running: Running) -> None:
    with channel_to(running.http_url.removeprefix("http://")) as channel:
        for method in methods():
            call = channel.stream_stream(method.path, lambda _: b"", lambda data: data)
            answer = call(iter((b"",)), timeout=WITHIN_S)
            with contextlib.suppress(grpc.RpcError):
                list(answer)
            assert grpc.StatusCode.UNIMPLEMENTED != answer.code(), method


def test_nothing_else_is_served(nobody: Rest) -> None:
    for path in ("/v1", "/v1/", "/v1/games/", "/metrics", "/ready", "/stats", "/v1/operators"):
        assert (404, "ROUTE_NOT_FOUND") == nobody.get(path).refused, path
