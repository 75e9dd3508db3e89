"""Finds the method of a path; each one is bound to the pipeline once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from mextrain_service.rpc.call import SERVICE_PREFIX, Context
from mextrain_service.rpc.pipeline import Pipeline
from mextrain_service.rpc.request_limits import reader, stream_reader

if TYPE_CHECKING:
    import grpc

    _Handler: TypeAlias = grpc.RpcMethodHandler[Any, Any]


class Methods:
    """The methods of servicers. Generated code registers them here as it would with a server.

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
class BoundMethod:
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


class Dispatcher:
    """Every method of the service, behind the pipeline."""

    def __init__(self, methods: Methods, pipeline: Pipeline, max_request_bytes: int) -> None:
        """Bind the methods.

        Args:
            methods: what is served.
            pipeline: what every call passes.
            max_request_bytes: the largest request that is read.
        """
        self._pipeline = pipeline
        self._bound = {
            path: _bound(path, handler, pipeline, max_request_bytes)
            for path, handler in methods.handlers.items()
        }

    def method(self, path: str) -> BoundMethod | None:
        """Return a method by its path; None if no service of ours has such a name."""
        known = self._bound.get(path)
        if known is None and path.startswith(SERVICE_PREFIX):
            return BoundMethod(self._pipeline.unserved(path), bytes, served=False)
        return known


def _bound(path: str, handler: _Handler, pipeline: Pipeline, max_request_bytes: int) -> BoundMethod:
    name = path.rpartition("/")[2]
    read = reader(handler.request_deserializer, max_request_bytes)
    if not handler.response_streaming:
        return BoundMethod(pipeline.unary(name, read, handler.unary_unary), _encoded)
    asked_by_stream = bool(handler.request_streaming)
    if asked_by_stream:
        read = stream_reader(read)
    method: Any = handler.stream_stream if asked_by_stream else handler.unary_stream
    return BoundMethod(pipeline.stream(name, read, method), _encoded, asked_by_stream, streams=True)


def _encoded(answer: Any) -> bytes:
    """Return the bytes of an answer, which may have been encoded before, or in parts."""
    return answer if type(answer) is bytes else answer.SerializeToString()
