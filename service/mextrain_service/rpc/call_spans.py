"""Makes one span of every call, within the trace that its caller began.

Needs OpenTelemetry, so it is imported only where traces are sent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import structlog
from opentelemetry.context import Context, attach, detach
from opentelemetry.trace import (
    Span,
    SpanKind,
    Status,
    StatusCode,
    Tracer,
    set_span_in_context,
)
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from mextrain_service.rpc.call import Call, Metadata
from mextrain_service.rpc.call_facts import caller_facts, message_facts
from mextrain_service.rpc.outcome import Outcome

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


class CallSpans:
    """Makes the spans of calls; what is done for a call becomes a child of its span."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer

    def begin(self, call: Call) -> CallSpan:
        """Begin the span of a call, in the call's own task."""
        return CallSpan(call, self._tracer)

    def begin_stream(self, call: Call) -> CallSpan:
        """Begin the span of a stream, which counts the messages that are sent."""
        counting = call.context = _Counting(call.context)
        return CallSpan(call, self._tracer, counting)


class CallSpan:
    """The span of one call."""

    def __init__(self, call: Call, tracer: Tracer, sent: _Counting | None = None) -> None:
        self._call = call
        self._sent = sent
        self._span = tracer.start_span(call.method, _parent(call.metadata), SpanKind.SERVER)
        self._token = attach(set_span_in_context(self._span))
        _name_in_logs(self._span)

    def end(self, outcome: Outcome) -> None:
        """End it, and say how the call ended."""
        if self._span.is_recording():
            self._span.set_attributes(self._attributes(outcome))
            _set_status(self._span, outcome)
        self._span.end()
        detach(self._token)

    def _attributes(self, outcome: Outcome) -> Mapping[str, str | int]:
        said: dict[str, str | int] = {
            "rpc.system": "grpc",
            "rpc.method": self._call.method,
            "rpc.response.status_code": outcome.code,
        }
        if outcome.reason:
            said["mextrain.reason"] = outcome.reason
        if self._sent is not None:
            said["mextrain.messages"] = self._sent.messages
        facts = {**caller_facts(self._call.caller), **message_facts(self._call)}
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
