"""The floor that the service stands on: a bare ``grpc.aio`` server with answers of one size.

Started as a program with one argument, the bytes of an answer; prints its port. Knows no game.
"""

from __future__ import annotations

import asyncio
import sys

import grpc
from google.protobuf.wrappers_pb2 import BytesValue
from grpc import aio

ECHO_PATH = "/bench.Echo/Echo"


async def _serve(answer_bytes: int) -> None:
    value = bytes(answer_bytes)

    async def echo(
        request: BytesValue, context: aio.ServicerContext[BytesValue, BytesValue]
    ) -> BytesValue:
        del request, context
        return BytesValue(value=value)

    handler = grpc.unary_unary_rpc_method_handler(
        echo,
        request_deserializer=BytesValue.FromString,
        response_serializer=BytesValue.SerializeToString,
    )
    server = aio.server()
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler("bench.Echo", {"Echo": handler}),)
    )
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    sys.stdout.write(f"{port}\n")
    sys.stdout.flush()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1])))
