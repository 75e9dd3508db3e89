"""Methods that pass no pipeline: health and reflection."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from mextrain_service.rpc.dispatcher import BoundMethod

if TYPE_CHECKING:
    import grpc


def opened(handler: grpc.RpcMethodHandler[Any, Any]) -> BoundMethod:
    """Return a method as a transport calls it, with nothing around it."""
    return BoundMethod(
        _streaming(handler) if handler.response_streaming else _answering(handler),
        handler.response_serializer or bytes,
        bool(handler.request_streaming),
        bool(handler.response_streaming),
    )


def _answering(handler: grpc.RpcMethodHandler[Any, Any]) -> Any:
    unary: Any = handler.unary_unary
    read: Any = handler.request_deserializer

    async def serve(data: bytes, context: Any) -> Any:
        return await unary(read(data), context)

    return serve


def _streaming(handler: grpc.RpcMethodHandler[Any, Any]) -> Any:
    stream: Any = handler.stream_stream or handler.unary_stream
    read: Any = handler.request_deserializer

    async def each(data: AsyncIterator[bytes]) -> AsyncIterator[Any]:
        async for message in data:
            yield read(message)

    async def serve(data: Any, context: Any) -> None:
        answers = stream(each(data) if handler.request_streaming else read(data), context)
        if not hasattr(answers, "__aiter__"):
            await answers
            return
        async for answer in answers:
            await context.write(answer)

    return serve
