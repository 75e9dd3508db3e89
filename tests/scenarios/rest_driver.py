"""The driver that plays through REST: a service of its own processes, with an Envoy before it.

Only how a call is made differs; what is asked, and how it is read, is that of ``GrpcDriver``.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Coroutine
from contextlib import ExitStack
from http.client import HTTPConnection
from typing import Any, Self, TypeVar
from urllib.parse import urlencode

import grpc
from google.api import annotations_pb2
from google.protobuf import json_format
from google.protobuf.message import Message
from google.rpc.status_pb2 import Status
from grpc import aio
from mextrain.v1 import game_service_pb2

from mextrain_service.local.self_started import self_started
from mextrain_service.rpc.contract import SERVICE
from tests.rpc.serving import Client, House
from tests.scenarios.grpc_driver import GrpcDriver
from tests.storage.library import open_redis

_Answer = TypeVar("_Answer")
_CODES = {code.value[0]: code for code in grpc.StatusCode}


class RestService:
    """A service of one worker and its front, as ``GrpcDriver`` wants one."""

    def __enter__(self) -> Self:
        self._stack = ExitStack()
        running = self._stack.enter_context(self_started(front=True))
        self._loop = asyncio.new_event_loop()
        self._stack.callback(self._loop.close)
        redis = open_redis(running.redis_url)
        self._stack.callback(lambda: self.run(redis.aclose()))
        self.house = House(redis)
        stub: Any = RestStub(running.http_url.removeprefix("http://"))
        self._stack.callback(stub.close)
        channel: Any = None
        self.platform = Client(stub, channel).bearing(running.platform_key)
        return self

    def __exit__(self, *failure: object) -> None:
        self._stack.close()

    def run(self, work: Coroutine[Any, Any, _Answer]) -> _Answer:
        """Wait for something that is done."""
        return self._loop.run_until_complete(work)


class RestDriver(GrpcDriver):
    """A game behind REST."""


class RestStub:
    """Calls by REST under the names and with the messages of the generated stub."""

    def __init__(self, address: str) -> None:
        self._connection = HTTPConnection(address, timeout=100)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def __getattr__(self, method: str) -> Any:
        async def call(request: Message, metadata: tuple[tuple[str, str], ...]) -> Any:
            return self._call(method, request, dict(metadata))

        return call

    def _call(self, method: str, request: Message, headers: dict[str, str]) -> Any:
        verb, path, body = as_rest(method, json_format.MessageToDict(request))
        headers = {**headers, "content-type": "application/json"}
        self._connection.request(verb, path, body, headers)
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status != 200:
            raise _as_grpc(json_format.Parse(text, Status()))
        name = SERVICE.methods_by_name[method].output_type.name
        return json_format.Parse(text, getattr(game_service_pb2, name)())


def as_rest(method: str, fields: dict[str, Any]) -> tuple[str, str, bytes | None]:
    """Return verb, path and body of a call, as the contract's annotations say."""
    rule = SERVICE.methods_by_name[method].GetOptions().Extensions[annotations_pb2.http]
    verb = rule.WhichOneof("pattern")

    def taken(found: re.Match[str]) -> str:
        return str(fields.pop(re.sub(r"_(\w)", lambda each: each[1].upper(), found[1])))

    path = re.sub(r"\{(\w+)\}", taken, getattr(rule, verb))
    if rule.body == "*":
        return verb.upper(), path, json.dumps(fields).encode()
    return verb.upper(), f"{path}?{urlencode(fields)}" if fields else path, None


def _as_grpc(status: Status) -> aio.AioRpcError:
    """Return the error that the same refusal is over gRPC."""
    details = ("grpc-status-details-bin", status.SerializeToString())
    return aio.AioRpcError(
        _CODES[status.code], aio.Metadata(), aio.Metadata(details), status.message, None
    )
