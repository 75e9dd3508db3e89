"""Asks a server which services it has, as grpcurl does."""

from __future__ import annotations

from typing import Any

import grpc
from grpc_reflection.v1alpha import reflection_pb2


def named(channel: grpc.Channel, version: str) -> set[str]:
    """Return the services that reflection of this version names: ``v1`` or ``v1alpha``."""
    ask: Any = channel.stream_stream(
        f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
        request_serializer=reflection_pb2.ServerReflectionRequest.SerializeToString,
        response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
    )
    answers = ask(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
    return {each.name for each in next(answers).list_services_response.service}
