"""How an interceptor watches calls from begin to end without a word in what they answer.

Knows handlers of ``grpc.aio``; nothing of what is recorded.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import grpc
from grpc import aio

if TYPE_CHECKING:
    from typing import TypeAlias

    _Context: TypeAlias = aio.ServicerContext[Any, Any]
    _Base: TypeAlias = aio.ServerInterceptor[Any, Any]
else:
    _Base = aio.ServerInterceptor  # generic in its stubs only

SERVICE_PREFIX = "/mextrain."
"""Only methods of these services are watched: probes and reflection would drown the rest."""


@dataclass(slots=True)
class Call:
    """One call while it runs.

    Attributes:
        method: the method's own name, like ``PlayMove``.
        request: the request message.
        context: the call's context.
        response: the answer, or the latest message of a stream; None as long as there is none.
    """

    method: str
    request: Any
    context: _Context
    response: Any = None


class ObservingInterceptor(_Base, ABC):
    """Runs every call of the service inside ``observe``."""

    @abstractmethod
    def observe(self, call: Call) -> AbstractContextManager[None]:
        """Enter before the call's handler, leave after it; an exception passes through."""

    async def intercept_service(
        self,
        continuation: Callable[
            [grpc.HandlerCallDetails], Awaitable[grpc.RpcMethodHandler[Any, Any] | None]
        ],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Any:
        """Wrap the handler of a watched method, and hand any other on as it is."""
        handler = await continuation(handler_call_details)
        path = handler_call_details.method
        if handler is None or not path.startswith(SERVICE_PREFIX):
            return handler
        method = path.rpartition("/")[2]
        if handler.unary_unary is not None:
            return grpc.unary_unary_rpc_method_handler(
                self._unary(method, handler.unary_unary),
                handler.request_deserializer,
                handler.response_serializer,
            )
        if handler.unary_stream is not None:
            return grpc.unary_stream_rpc_method_handler(
                self._stream(method, handler.unary_stream),
                handler.request_deserializer,
                handler.response_serializer,
            )
        return handler

    def _unary(self, method: str, inner: Any) -> Any:
        async def handle(request: Any, context: _Context) -> Any:
            call = Call(method, request, context)
            with self.observe(call):
                call.response = await inner(request, context)
                return call.response

        return handle

    def _stream(self, method: str, inner: Any) -> Any:
        async def handle(request: Any, context: _Context) -> AsyncIterator[Any]:
            call = Call(method, request, context)
            with self.observe(call):
                async for response in inner(request, context):
                    call.response = response
                    yield response

        return handle
