"""Makes one span of every call, within the trace that its caller began.

Knows ids, versions and reasons; never a hand, a tile, a move or a token: ``ATTRIBUTES`` is all that
a span may say, and neither an exception's text nor anything that a caller wrote freely gets there.
Needs OpenTelemetry, so it is imported only where traces are sent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import structlog
from opentelemetry.context import Context
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, Tracer
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from mextrain_service.application.callers import Caller
from mextrain_service.transport.interceptors.call import Call, Metadata
from mextrain_service.transport.interceptors.call_facts import caller_facts, message_facts
from mextrain_service.transport.interceptors.interceptor import Handle, Interceptor, Method
from mextrain_service.transport.interceptors.outcome import OK, Outcome, outcome_of

HEADER: Final = "traceparent"
"""Metadata key of the caller's trace. ``tracestate`` is left out: its text is anyone's."""

ATTRIBUTES: Final = frozenset(
    {
        *("rpc.system", "rpc.method", "rpc.response.status_code"),
        *("mextrain.reason", "mextrain.game_id", "mextrain.seat", "mextrain.version"),
        "mextrain.messages",
    }
)
"""The only attributes of a call's span."""

_FACTS: Final = ("game_id", "seat", "version")
_GAME_ID: Final = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
_FAULTS: Final = frozenset(
    {"UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"}
)
"""Codes that are the server's fault, by the conventions of OpenTelemetry for gRPC."""

_PROPAGATOR: Final = TraceContextTextMapPropagator()


class TracingInterceptor(Interceptor):
    """The span of a call; what is done for the call becomes its children."""

    def __init__(self, tracer: Tracer, caller: Callable[[], Caller | None]) -> None:
        """Take what makes spans, and what knows the caller of the call that is being handled."""
        self._tracer = tracer
        self._caller = caller

    def around(self, method: Method, inner: Handle) -> Handle:
        """Open a span for each call; close it when the call, or the stream, has ended."""
        del method

        async def handle(call: Call) -> None:
            await self._traced(call, inner)

        return handle

    async def _traced(self, call: Call, inner: Handle) -> None:
        with self._tracer.start_as_current_span(
            call.method,
            _parent(call.metadata),
            SpanKind.SERVER,
            record_exception=False,  # its text may quote a hand
            set_status_on_exception=False,
        ) as span:
            _name_in_logs(span)
            sent = _Counting(call.context)
            if call.streams:
                call.context = sent
            outcome = OK
            try:
                await inner(call)
            except BaseException as error:
                outcome = outcome_of(error, call)
                raise
            finally:
                if span.is_recording():
                    span.set_attributes(self._attributes(call, outcome, sent))
                    _set_status(span, outcome)

    def _attributes(self, call: Call, outcome: Outcome, sent: _Counting) -> Mapping[str, str | int]:
        said: dict[str, str | int] = {
            "rpc.system": "grpc",
            "rpc.method": call.method,
            "rpc.response.status_code": outcome.code,
        }
        if outcome.reason:
            said["mextrain.reason"] = outcome.reason
        if call.streams:
            said["mextrain.messages"] = sent.messages
        facts = {**caller_facts(self._caller()), **message_facts(call)}
        for name in _FACTS:
            match facts.get(name):
                case str(text) if _GAME_ID.fullmatch(text):
                    said[f"mextrain.{name}"] = text
                case int(number):
                    said[f"mextrain.{name}"] = number
        return said


class _Counting:
    """The context of a stream that counts what is sent; anything else is the context's."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.messages = 0

    async def write(self, message: Any) -> None:
        await self._inner.write(message)
        self.messages += 1

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


def _parent(metadata: Metadata) -> Context:
    """Return the caller's place in its trace; an empty one unless it was said once and well."""
    given = [value for key, value in metadata if key == HEADER]
    carrier = {HEADER: given[0]} if len(given) == 1 and isinstance(given[0], str) else {}
    return _PROPAGATOR.extract(carrier, Context())


def _name_in_logs(span: Span) -> None:
    """Let each line of this call name its trace; its task, and so what is bound, ends with it."""
    here = span.get_span_context()
    structlog.contextvars.bind_contextvars(
        trace_id=f"{here.trace_id:032x}", span_id=f"{here.span_id:016x}"
    )


def _set_status(span: Span, outcome: Outcome) -> None:
    if outcome.code in _FAULTS:
        span.set_status(Status(StatusCode.ERROR, outcome.reason or outcome.code))
