"""How an interceptor changes what calls do: it wraps each method's handler once, for good.

Knows handlers of ``grpc.aio``; nothing of what is changed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, TypeAlias

import grpc
from grpc import aio

from mextrain_service.transport.interceptors.call import SERVICE_PREFIX, Call

if TYPE_CHECKING:
    _Base: TypeAlias = aio.ServerInterceptor[Any, Any]
    Handler: TypeAlias = grpc.RpcMethodHandler[Any, Any]
    Continuation: TypeAlias = Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]]
    _Context: TypeAlias = aio.ServicerContext[Any, Any]
else:
    _Base = aio.ServerInterceptor  # generic in its stubs only


class WrappingInterceptor(_Base, ABC):
    """Runs every call of the service inside ``around``.

    A method that streams writes to its context; it is no generator, for one that is cut off would
    leave what is around it open until somebody collects it.

    What stands behind a method never changes while a server runs, so its wrapped handler is made
    at the method's first call and kept: the interceptors further in are asked once a method.
    """

    def __init__(self) -> None:
        self._wrapped: dict[str, Handler] = {}

    @abstractmethod
    def around(self, call: Call) -> AbstractAsyncContextManager[None]:
        """Enter before the call's handler, leave after it."""

    def unserved(self, path: str) -> Handler | None:
        """Return what answers a method of the service that nobody serves; None for gRPC's way."""
        del path
        return None

    async def intercept_service(
        self, continuation: Continuation, handler_call_details: grpc.HandlerCallDetails
    ) -> Any:
        """Return the wrapped handler of a method of the service, and any other as it is."""
        path = handler_call_details.method
        known = self._wrapped.get(path)
        if known is not None:
            return known
        handler = await continuation(handler_call_details)
        if not path.startswith(SERVICE_PREFIX):
            return handler
        if handler is None:
            return self.unserved(path)
        wrapped = self._wrapped[path] = self._wrap(path.rpartition("/")[2], handler)
        return wrapped

    def reader(self, read: Any) -> Any:
        """Return what reads a request from bytes: what the handler has for it, or a wrapper."""
        return read

    def _wrap(self, method: str, handler: Handler) -> Handler:
        if handler.unary_unary is not None:
            return grpc.unary_unary_rpc_method_handler(
                self._unary(method, handler.unary_unary),
                self.reader(handler.request_deserializer),
                handler.response_serializer,
            )
        if handler.unary_stream is not None:
            return grpc.unary_stream_rpc_method_handler(
                self._stream(method, handler.unary_stream),
                self.reader(handler.request_deserializer),
                handler.response_serializer,
            )
        return handler

    def _unary(self, method: str, inner: Any) -> Any:
        async def handle(request: Any, context: _Context) -> Any:
            call = Call(method, request, context)
            async with self.around(call):
                call.response = await inner(request, context)
                return call.response

        return handle

    def _stream(self, method: str, inner: Any) -> Any:
        async def handle(request: Any, context: _Context) -> None:
            call = Call(method, request, context, streams=True)
            async with self.around(call):
                await inner(request, call.context)  # which may be wrapped by now

        return handle
