"""Turns log events into lines: JSON for machines, colours for a terminal."""

from __future__ import annotations

import json
import logging
import re
import sys
import traceback
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol, TextIO

import structlog

from mextrain_service.settings.model import LogFormat, LoggingSettings, LogLevel

if TYPE_CHECKING:
    from collections.abc import MutableMapping

    from structlog.typing import EventDict, Processor, WrappedLogger

LOGGED_KEYS = frozenset(
    {
        *("event", "level", "logger", "timestamp", "exception"),
        *("trace_id", "span_id"),
        *("call_id", "request_id", "method", "code", "reason", "ms"),
        *("platform_id", "game_id", "seat", "version", "player", "operator"),
        *("worker", "pid", "endpoint", "metrics_url", "state", "signal", "exit_code"),
        *("delay_s", "grace_s", "seconds", "attempt", "error", "path", "issuer"),
        *("fault", "setting", "set_to", "advice", "node"),
    }
)
"""The only keys a log line may have. Anything else is named under ``dropped``, without its value:
what is not on the list cannot carry a hand, a boneyard or a token into a log.
"""

_encode = json.JSONEncoder(separators=(",", ":"), default=str).encode

_LOOP_FILLS_IN = re.compile(r"[(<\n]")

_GRPC = "grpc._cython.cygrpc"

_LEVELS = {
    LogLevel.DEBUG: logging.DEBUG,
    LogLevel.INFO: logging.INFO,
    LogLevel.WARNING: logging.WARNING,
    LogLevel.ERROR: logging.ERROR,
}


def configure(
    settings: LoggingSettings,
    stream: TextIO | None = None,
    *,
    worker: int | None = None,
    traced: bool = False,
) -> None:
    """Send the logs of this process, the libraries' included, to one stream.

    Args:
        settings: level and format.
        stream: where to write; None for standard error.
        worker: which worker this is, to be named in each line; None if it is none.
        traced: traces are sent, so that lines name the trace of their call.
    """
    out = _Sink(stream if stream is not None else sys.stderr)
    level = _LEVELS[settings.level]
    merged: list[Processor] = [structlog.contextvars.merge_contextvars] if traced else []
    shared: list[Processor]
    rendering: list[Processor]
    if writes_json(settings, out):
        shared, rendering = merged, [_json_line(worker)]
    else:
        shared = [
            *merged,
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="%H:%M:%S", utc=False),
            _checked,
            _labelled(worker),
        ]
        rendering = [
            exception_as_text,
            structlog.dev.ConsoleRenderer(
                colors=out.isatty(),
                pad_event_to=12,
                sort_keys=False,
                exception_formatter=structlog.dev.plain_traceback,  # the default shows variables
            ),
        ]
    structlog.configure(
        processors=[*shared, *rendering],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda name="", *_: _Logger(out, name),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[structlog.stdlib.add_logger_name, template_only],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *shared,
                *rendering,
            ],
        )
    )
    handler.addFilter(_not_of_a_client_that_left)
    logging.basicConfig(handlers=[handler], level=max(level, logging.WARNING), force=True)


def writes_json(settings: LoggingSettings, stream: SupportsIsatty | None = None) -> bool:
    """Whether log lines are JSON, and not meant for a person at a terminal.

    Args:
        settings: level and format.
        stream: where they are written; None for standard error.
    """
    terminal = (stream if stream is not None else sys.stderr).isatty()
    return settings.format is LogFormat.JSON or (settings.format is LogFormat.AUTO and not terminal)


class SupportsIsatty(Protocol):
    """What can tell whether it is a terminal."""

    def isatty(self) -> bool:
        """Whether a person sees what is written."""
        ...


def _labelled(worker: int | None) -> Processor:
    """Return what puts time, level and event first, and the worker at the end."""
    label = {} if worker is None else {"worker": worker}

    def labelled(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
        timestamp, level, what = event.pop("timestamp"), event.pop("level"), event.pop("event")
        return {"timestamp": timestamp, "level": level, "event": what, **event, **label}

    return labelled


def _json_line(worker: int | None) -> Processor:
    """Return what makes one line of JSON, in one step: each call writes a line."""
    label = {} if worker is None else {"worker": worker}

    def json_line(logger: WrappedLogger, name: str, event: EventDict) -> str:
        if "exc_info" in event or not event.keys() <= LOGGED_KEYS:
            event = _checked(logger, name, event)
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        head = {"timestamp": now[:-6] + "Z", "level": name, "event": event.pop("event")}
        if isinstance(logger, _Logger):  # a library's line has its name already
            head["logger"] = logger.name
        return _encode({**head, **event, **label})

    return json_line


class _Sink:
    """Where lines go. A line that cannot be written is lost: no call may fail for its log."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> None:
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:  # a closed terminal, a full disk, a reader that left
            return

    def flush(self) -> None:
        """Do nothing: every write is flushed."""

    def isatty(self) -> bool:
        return self._stream.isatty()


class _Logger:
    """What structlog writes the lines of one logger to, by the names of the levels."""

    def __init__(self, sink: _Sink, name: str) -> None:
        self.name = name
        self._sink = sink

    def line(self, text: str) -> None:
        """Write one line."""
        self._sink.write(text + "\n")

    debug = info = warning = error = critical = line


def _not_of_a_client_that_left(record: logging.LogRecord) -> bool:
    """Whether a library's record is to be logged.

    gRPC logs an error for an answer whose client left while it was on its way. That is no fault,
    and the call has its own line.
    """
    error = record.exc_info[1] if record.exc_info else None
    return not (record.name == _GRPC and type(error).__name__ == "ExecuteBatchError")


def template_only(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    """Replace a library's message by its template: what was filled in could be anything.

    The event loop fills in before it logs: the arguments of a callback in brackets, and what a task
    failed with in the lines after the first one.
    """
    record = event.get("_record")
    if isinstance(record, logging.LogRecord):
        message = str(record.msg)
        event["event"] = _LOOP_FILLS_IN.split(message)[0] if record.name == "asyncio" else message
    return event


def _checked(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    """Describe an exception without its message, and drop what no line may have."""
    if "exc_info" in event:
        event = exception_without_message(event)
    return event if event.keys() <= LOGGED_KEYS else only_logged_keys(event)


def only_logged_keys(event: EventDict) -> EventDict:
    """Keep what ``LOGGED_KEYS`` allows; say which other keys there were."""
    dropped = sorted(key for key in event if key not in LOGGED_KEYS)
    kept: MutableMapping[str, Any] = {
        key: value for key, value in event.items() if key in LOGGED_KEYS
    }
    kept["dropped"] = dropped
    return kept


def exception_without_message(event: EventDict) -> EventDict:
    """Replace ``exc_info`` by the exception's types and places.

    Its message is left out: one that quotes the state it stumbled over would log a hand.
    """
    error = event.pop("exc_info", None)
    if error is True:
        error = sys.exc_info()[1]
    elif isinstance(error, tuple):
        error = error[1]
    if isinstance(error, BaseException):
        event["exception"] = describe_exception(error)
    return event


def exception_as_text(_logger: WrappedLogger, _name: str, event: EventDict) -> EventDict:
    """Replace the lines of an exception by one text: a terminal shows no list."""
    if "exception" in event:
        event["exception"] = "\n".join(event["exception"])
    return event


def describe_exception(error: BaseException) -> list[str]:
    """Return an exception and its causes as ``Type``, then ``file:line function``, innermost last.

    Holds no message and no local variable.
    """
    lines: list[str] = []
    cause: BaseException | None = error
    while cause is not None:
        lines.append(type(cause).__name__)
        lines.extend(
            f"{_short(frame.filename)}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(cause.__traceback__)
        )
        cause = cause.__cause__ or (None if cause.__suppress_context__ else cause.__context__)
    return lines


def _short(filename: str) -> str:
    return "/".join(filename.rsplit("/", 3)[-3:])
