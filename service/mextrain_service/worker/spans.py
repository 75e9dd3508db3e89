"""Sends spans of calls, and of what the store does for them, to a collector.

No provider is made the global one: what this process has of libraries makes no spans of its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased
from opentelemetry.trace import SpanKind, Status, StatusCode, Tracer, get_current_span

from mextrain_service.application.ports import StoreUnavailableError
from mextrain_service.rpc.call_spans import CallSpans
from mextrain_service.storage.store_metrics import StoreSpan, round_trips

if TYPE_CHECKING:
    from mextrain_service.settings.tracing import TracingSettings

STORE_ATTRIBUTES: Final = frozenset(
    {"db.system.name", "mextrain.operation", "mextrain.round_trips", "error.type"}
)
"""The only attributes of the span of an operation of the store."""

_EXPORT_S: Final = 2.0
"""How long the collector may take for one batch, in seconds."""

_LAST_EXPORT_S: Final = 3.0
"""How long the end of a worker waits for the collector, in seconds; what is left is lost."""


@dataclass(frozen=True, slots=True)
class Tracing:
    """What makes spans.

    Attributes:
        call_spans: makes one for each call.
        store_span: one for each operation of the store that a call needs.
    """

    call_spans: CallSpans
    store_span: StoreSpan


@asynccontextmanager
async def sending(settings: TracingSettings, worker: int) -> AsyncIterator[Tracing]:
    """Send spans while the context is open, from a thread of its own; see ``tracing``."""
    exporter = OTLPSpanExporter(endpoint=settings.endpoint, timeout=_EXPORT_S)
    provider = TracerProvider(
        sampler=ParentBased(TraceIdRatioBased(settings.sample_ratio)),
        resource=Resource.create(
            {
                "service.name": "mextrain",
                "service.version": version("mextrain"),
                "mextrain.worker": worker,
            }
        ),
        shutdown_on_exit=False,
    )
    provider.add_span_processor(BatchSpanProcessor(exporter))
    tracer = provider.get_tracer("mextrain")
    try:
        yield Tracing(CallSpans(tracer), partial(store_span, tracer))
    finally:
        await _end(provider, exporter)


@contextmanager
def store_span(tracer: Tracer, operation: str) -> Iterator[None]:
    """Make a span of an operation, if a call is waiting for it.

    What goes on beside the calls, like looking for deadlines, makes none: it would be a trace of
    its own each time.

    Args:
        tracer: makes it.
        operation: what the store does, like ``commit``.
    """
    if not get_current_span().is_recording():
        yield
        return
    with (
        tracer.start_as_current_span(
            f"store {operation}",
            kind=SpanKind.CLIENT,
            attributes={"db.system.name": "redis", "mextrain.operation": operation},
            record_exception=False,  # its text is not for others
            set_status_on_exception=False,
        ) as span,
        round_trips() as sent,
    ):
        try:
            yield
        except BaseException as error:
            span.set_attribute("error.type", type(error).__name__)
            if isinstance(error, StoreUnavailableError):
                span.set_status(Status(StatusCode.ERROR, "unavailable"))
            raise
        finally:
            span.set_attribute("mextrain.round_trips", sent.number)


async def _end(provider: TracerProvider, exporter: OTLPSpanExporter) -> None:
    """Send what is left, if the collector takes it soon."""
    ending = asyncio.create_task(asyncio.to_thread(provider.shutdown))
    done, _ = await asyncio.wait((ending,), timeout=_LAST_EXPORT_S)
    if not done:
        exporter.shutdown()  # the thread gives up
    await ending
