"""The same call in each language that the front understands."""

from __future__ import annotations

import base64
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from google.protobuf import any_pb2, json_format
from google.rpc import code_pb2, error_details_pb2
from google.rpc.status_pb2 import Status
from mextrain.v1 import game_service_pb2
from mextrain.v1.game_service_pb2_grpc import GameServiceStub

from tests.front.rest import Rest
from tests.polling import WITHIN_S
from tests.scenarios.rest_driver import as_rest
from tests.worker.table import bearer, channel_to

SERVICE = game_service_pb2.DESCRIPTOR.services_by_name["GameService"]

Call = Callable[[str, Any], Any]
"""Sends a method's request, returns its answer."""


def answer_type(method: str) -> Any:
    """Return the class of a method's answer."""
    return getattr(game_service_pb2, SERVICE.methods_by_name[method].output_type.name)


def over_grpc(endpoint: str, credential: str) -> Call:
    """Call in gRPC, on a connection for each call; a stream is read to its end."""

    def call(method: str, request: Any) -> Any:
        with channel_to(endpoint) as channel:
            stub = getattr(GameServiceStub(channel), method)
            answer = stub(request, metadata=bearer(credential), timeout=WITHIN_S)
            return list(answer) if SERVICE.methods_by_name[method].server_streaming else answer

    return call


@dataclass(frozen=True, slots=True)
class RefusedError(Exception):
    """A call that failed, as the other languages say it."""

    code: str
    message: str
    reason: str


def over_rest(rest: Rest) -> Call:
    """Call in REST; a stream is read to its end."""

    def call(method: str, request: Any) -> Any:
        verb, path, body = as_rest(method, json_format.MessageToDict(request))
        answer = rest.call(verb, path, body)
        if answer.status != 200:
            code = code_pb2.Code.Name(answer.body["code"])
            raise RefusedError(code, answer.body["message"], answer.info["reason"])
        if not SERVICE.methods_by_name[method].server_streaming:
            return read_json(method, answer.raw)
        events = [each for each in answer.raw.splitlines() if each.startswith(b"data: ")]
        return [read_json(method, each.removeprefix(b"data: ")) for each in events]

    return call


def over_grpc_web(rest: Rest) -> Call:
    """Call in gRPC-Web, binary."""

    def call(method: str, request: Any) -> Any:
        message = request.SerializeToString()
        answer = rest.call(
            "POST",
            f"/{SERVICE.full_name}/{method}",
            struct.pack(">BI", 0, len(message)) + message,
            content_type="application/grpc-web+proto",
            x_grpc_web="1",
        )
        assert answer.status == 200
        parts = dict(_frames(answer.raw))
        trailers = _trailers(parts.get(0x80, b"")) or dict(answer.headers)
        if trailers["grpc-status"] != "0":
            told = Status.FromString(_base64(trailers["grpc-status-details-bin"]))
            raise RefusedError(trailers["grpc-status"], told.message, told_reason(told.details))
        return answer_type(method).FromString(parts[0])

    return call


def over_connect(rest: Rest) -> Call:
    """Call in Connect, unary, binary."""

    def call(method: str, request: Any) -> Any:
        answer = rest.call(
            "POST",
            f"/{SERVICE.full_name}/{method}",
            request.SerializeToString(),
            content_type="application/proto",
            connect_protocol_version="1",
        )
        if answer.status != 200:
            # Envoy's bridge writes a type's address where Connect has its name.
            details = [
                any_pb2.Any(
                    type_url=f"type.googleapis.com/{each['type'].rpartition('/')[2]}",
                    value=_base64(each["value"]),
                )
                for each in answer.body["details"]
            ]
            raise RefusedError(answer.body["code"], answer.body["message"], told_reason(details))
        assert answer.headers["content-type"] == "application/proto"
        return answer_type(method).FromString(answer.raw)

    return call


def read_json(method: str, body: bytes) -> Any:
    """Return an answer of REST as a message; fail if it has a field that the contract has not."""
    return json_format.Parse(body, answer_type(method)())


def told_reason(details: Iterable[any_pb2.Any]) -> str:
    """Return the stable reason of a refusal, which every one of them has."""
    info = error_details_pb2.ErrorInfo()
    assert any(detail.Unpack(info) for detail in details)
    return str(info.reason)


def _base64(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4))


def _frames(body: bytes) -> list[tuple[int, bytes]]:
    found = []
    while body:
        kind, size = struct.unpack(">BI", body[:5])
        found.append((kind, body[5 : 5 + size]))
        body = body[5 + size :]
    return found


def _trailers(frame: bytes) -> dict[str, str]:
    lines = frame.decode().split("\r\n")
    return {name: text for name, _, text in (line.partition(":") for line in lines) if name}
