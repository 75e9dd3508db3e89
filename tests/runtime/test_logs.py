"""What a log line may hold."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from mextrain_service.main.logs import configure
from mextrain_service.main.settings import LogFormat, LoggingSettings, LogLevel

_SECRET = "hand (12-5 3-3)"


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    configure(LoggingSettings(format=LogFormat.JSON, level=LogLevel.INFO), stream)
    yield stream
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def _only(lines: io.StringIO) -> dict[str, object]:
    (line,) = lines.getvalue().splitlines()
    parsed: dict[str, object] = json.loads(line)
    return parsed


def test_a_line_is_one_json_object_with_its_time_and_level(lines: io.StringIO) -> None:
    structlog.get_logger().info("call", method="GetGame", seat=3)
    line = _only(lines)
    assert line["event"] == "call"
    assert line["seat"] == 3
    assert line["level"] == "info"
    assert str(line["timestamp"]).endswith("Z")


def test_a_line_names_and_drops_what_it_may_not_hold(lines: io.StringIO) -> None:
    structlog.get_logger().info("call", hand=_SECRET, token="t0ken")
    assert _only(lines)["dropped"] == ["hand", "token"]
    assert _SECRET not in lines.getvalue()
    assert "t0ken" not in lines.getvalue()


def test_an_exception_is_logged_by_type_and_place_and_without_its_message(
    lines: io.StringIO,
) -> None:
    try:
        try:
            raise KeyError(_SECRET)
        except KeyError as error:
            raise RuntimeError(_SECRET) from error
    except RuntimeError as error:
        structlog.get_logger().error("call", exc_info=error)
    exception = _only(lines)["exception"]
    assert isinstance(exception, list)
    assert "RuntimeError" in exception
    assert "KeyError" in exception
    assert any("test_logs.py" in place for place in exception)
    assert _SECRET not in lines.getvalue()


def test_a_library_is_logged_by_its_template_and_without_its_values(lines: io.StringIO) -> None:
    try:
        raise ValueError(_SECRET)
    except ValueError:
        logging.getLogger("grpc._cython").exception("Unexpected [%s] raised", _SECRET)
    line = _only(lines)
    assert line["event"] == "Unexpected [%s] raised"
    assert line["logger"] == "grpc._cython"
    assert _SECRET not in lines.getvalue()


def test_a_line_below_the_level_is_not_written(lines: io.StringIO) -> None:
    structlog.get_logger().debug("call")
    logging.getLogger("library").info("chatter")
    assert lines.getvalue() == ""


def test_a_line_that_cannot_be_written_is_lost_and_nothing_else(lines: io.StringIO) -> None:
    class Gone(io.StringIO):
        def write(self, _text: str) -> int:
            raise BrokenPipeError

    configure(LoggingSettings(format=LogFormat.JSON), Gone())
    structlog.get_logger().info("call")
    logging.getLogger("library").error("trouble")
    assert lines.getvalue() == ""
