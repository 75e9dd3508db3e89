"""A collector of traces on a port of its own, which keeps what it is sent."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceResponse
from opentelemetry.proto.collector.trace.v1.trace_service_pb2_grpc import (
    TraceServiceServicer,
    add_TraceServiceServicer_to_server,
)


@dataclass(frozen=True)
class Span:
    """A span as it came over the wire.

    Attributes:
        name: what it is called.
        trace_id: 32 hexadecimal digits.
        span_id: 16 hexadecimal digits.
        parent_id: 16 hexadecimal digits; empty without a parent.
        kind: number of the kind.
        failed: its status is an error.
        status: what its status says.
        attributes: by name.
        text: everything of it, as it is printed.
    """

    name: str
    trace_id: str
    span_id: str
    parent_id: str
    kind: int
    failed: bool
    status: str
    attributes: dict[str, object]
    text: str


@dataclass
class Collector(TraceServiceServicer):
    """Keeps spans.

    Attributes:
        endpoint: where it is.
        spans: all that it was sent, in order.
        resources: what the processes say of themselves, as it is printed.
    """

    endpoint: str = ""
    spans: list[Span] = field(default_factory=list)
    resources: set[str] = field(default_factory=set)

    def Export(self, request: Any, context: Any) -> Any:  # noqa: N802 - the contract's name
        """Take spans."""
        del context
        for group in request.resource_spans:
            self.resources.add(str(group.resource))
            self.spans.extend(_span(span) for scope in group.scope_spans for span in scope.spans)
        return ExportTraceServiceResponse()

    def named(self, name: str) -> list[Span]:
        """Return the spans of a name."""
        return [span for span in self.spans if span.name == name]

    def children(self, parent: Span) -> list[Span]:
        """Return the spans right below another one."""
        return [span for span in self.spans if span.parent_id == parent.span_id]


@contextmanager
def collecting() -> Iterator[Collector]:
    """Run a collector while the context is open."""
    collector = Collector()
    with ThreadPoolExecutor(2) as threads:
        server = grpc.server(threads)
        add_TraceServiceServicer_to_server(collector, server)  # type: ignore[no-untyped-call]
        collector.endpoint = f"http://127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
        server.start()
        try:
            yield collector
        finally:
            server.stop(None).wait()


def _span(sent: Any) -> Span:
    return Span(
        name=sent.name,
        trace_id=sent.trace_id.hex(),
        span_id=sent.span_id.hex(),
        parent_id=sent.parent_span_id.hex(),
        kind=sent.kind,
        failed=sent.status.code == sent.status.STATUS_CODE_ERROR,
        status=sent.status.message,
        attributes={
            each.key: getattr(each.value, each.value.WhichOneof("value"))
            for each in sent.attributes
        },
        text=str(sent),
    )
