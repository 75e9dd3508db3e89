"""The way into the service: every method behind its interceptors, from bytes to an answer.

Knows handlers as the generated code registers them, and calls. A transport looks a method up by its
path and hands it bytes and a context; which transport that is, nothing in here knows.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from mextrain_service.transport.errors import MethodNotServedError
from mextrain_service.transport.interceptors.call import SERVICE_PREFIX, Call, Context
from mextrain_service.transport.interceptors.interceptor import (
    Handle,
    Interceptor,
    Method,
    wrapped,
)
from mextrain_service.transport.interceptors.limits import reader

if TYPE_CHECKING:
    import grpc

    _Handler: TypeAlias = grpc.RpcMethodHandler[Any, Any]

_Read: TypeAlias = Callable[[bytes], tuple[Any, Exception | None]]


class Methods:
    """The methods of servicers. It takes them in, in a server's place, as they are registered.

    Attributes:
        handlers: of all methods so far, by their paths, like ``/mextrain.v1.GameService/GetGame``.
    """

    def __init__(self) -> None:
        self.handlers: dict[str, _Handler] = {}

    def add(self, register: Callable[..., None], servicer: object) -> None:
        """Take all methods of a servicer in.

        Args:
            register: the ``add_…Servicer_to_server`` of its service.
            servicer: serves them.
        """
        register(servicer, self)

    def add_generic_rpc_handlers(self, handlers: object) -> None:
        """Do nothing: the same methods come by name."""

    def add_registered_method_handlers(
        self, service: str, handlers: Mapping[str, _Handler]
    ) -> None:
        """Take the methods of a service in."""
        self.handlers |= {f"/{service}/{name}": handler for name, handler in handlers.items()}


@dataclass(frozen=True, slots=True)
class OpenMethod:
    """A method as a transport calls it.

    Attributes:
        serve: takes the bytes of the request, or an iterator over those of its messages if it is
            asked by a stream, and the call's context; returns the answer, or None when a stream is
            over. Errors end the call through its context.
        serialize: gives the bytes of the answer, or of each message of the stream; what is bytes
            already stays as it is.
        asked_by_stream: whether a stream of requests comes in.
        streams: it is answered by a stream, each message of which is written to the context.
        served: there is such a method; otherwise it is refused, whatever is asked.
    """

    serve: Callable[[Any, Context], Awaitable[Any]]
    serialize: Callable[[Any], bytes]
    asked_by_stream: bool = False
    streams: bool = False
    served: bool = True


class Door:
    """Every method of the service, behind the interceptors."""

    def __init__(
        self, methods: Methods, interceptors: Sequence[Interceptor], max_request_bytes: int
    ) -> None:
        """Put the interceptors, outermost first, before the methods.

        Args:
            methods: what is served.
            interceptors: in their order; the first one answers alone for methods that are none.
            max_request_bytes: the largest request that is read.
        """
        self._open = {
            path: _opened(path, handler, interceptors, max_request_bytes)
            for path, handler in methods.handlers.items()
        }
        self._outermost = interceptors[0]

    def method(self, path: str) -> OpenMethod | None:
        """Return a method by its path; None if no service of ours has such a name."""
        known = self._open.get(path)
        if known is None and path.startswith(SERVICE_PREFIX):
            return self._unserved(path)
        return known

    def _unserved(self, path: str) -> OpenMethod:
        async def refuse(call: Call) -> None:
            del call
            raise MethodNotServedError(path)

        handle = self._outermost.around(Method(""), refuse)
        serve = _serving("", lambda _: (None, None), handle)
        return OpenMethod(serve, bytes, served=False)


def _opened(
    path: str, handler: _Handler, interceptors: Sequence[Interceptor], max_request_bytes: int
) -> OpenMethod:
    method = Method(path.rpartition("/")[2], streams=bool(handler.response_streaming))
    inner = _streaming(handler) if method.streams else _answering(handler)
    handle = wrapped(interceptors, method, inner)
    asked_by_stream = bool(handler.request_streaming)
    read: Any = reader(handler.request_deserializer, max_request_bytes)
    if asked_by_stream:
        read = partial(_read_one_by_one, read)
    serve = _serving(method.name, read, handle, streams=method.streams)
    return OpenMethod(serve, _encoded, asked_by_stream, method.streams)


def _encoded(answer: Any) -> bytes:
    """Return the bytes of an answer, which may have been encoded before, or in parts."""
    return answer if type(answer) is bytes else answer.SerializeToString()


def _answering(handler: _Handler) -> Handle:
    unary: Any = handler.unary_unary

    async def answer(call: Call) -> None:
        call.response = await unary(call.request, call.context)

    return answer


def _streaming(handler: _Handler) -> Handle:
    stream: Any = handler.unary_stream or handler.stream_stream

    async def write(call: Call) -> None:
        await stream(call.request, call.context)

    return write


class _Requests:
    """Reads the messages of a stream of requests as they are wanted; may be left at any place."""

    def __init__(self, read: _Read, stream: AsyncIterator[bytes]) -> None:
        self._read = read
        self._stream = stream

    def __aiter__(self) -> _Requests:
        return self

    async def __anext__(self) -> Any:
        """Return the next message.

        Raises:
            RequestTooLargeError, FieldInvalidError: it cannot be read.
            StopAsyncIteration: there is none.
        """
        request, unreadable = self._read(await anext(self._stream))
        if unreadable is not None:
            raise unreadable
        return request


def _read_one_by_one(read: _Read, stream: AsyncIterator[bytes]) -> tuple[_Requests, None]:
    return _Requests(read, stream), None


def _serving(
    name: str,
    read: Callable[[Any], tuple[Any, Exception | None]],
    handle: Handle,
    *,
    streams: bool = False,
) -> Callable[[bytes, Context], Awaitable[Any]]:
    async def serve(data: Any, context: Context) -> Any:
        request, unreadable = read(data)
        metadata = context.invocation_metadata() or ()
        call = Call(name, request, context, metadata, unreadable, None, streams)
        await handle(call)
        return call.response

    return serve
