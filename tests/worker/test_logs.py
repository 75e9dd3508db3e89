"""What a log line may hold."""

from __future__ import annotations

import asyncio
import functools
import gc
import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import structlog
from grpc._cython.cygrpc import ExecuteBatchError

from mextrain_service.process.logs import configure
from mextrain_service.settings.model import LogFormat, LoggingSettings, LogLevel
from mextrain_service.worker.envoy.inheritance import Inheritance
from mextrain_service.worker.worker_options import WorkerOptions
from tests.worker.processes import log_lines

_SECRET = "hand (12-5 3-3)"


@pytest.fixture
def root() -> Iterator[logging.Logger]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield root
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.fixture
def lines(root: logging.Logger) -> io.StringIO:
    del root  # is put back after the test
    stream = io.StringIO()
    configure(LoggingSettings(format=LogFormat.JSON, level=LogLevel.INFO), stream)
    return stream


class Terminal(io.StringIO):
    """What a person sees."""

    def isatty(self) -> bool:
        return True


def _by_structlog(error: Exception) -> None:
    structlog.get_logger().error("fault", exc_info=error)


def _by_structlog_in_passing(_error: Exception) -> None:
    structlog.get_logger().error("fault", exc_info=True)


def _by_a_library(error: Exception) -> None:
    logging.getLogger("grpc._cython").error("fault", exc_info=error)


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


def test_a_line_names_its_logger(lines: io.StringIO) -> None:
    structlog.get_logger("mextrain.audit").critical("hands shown", operator="ann")
    assert _only(lines)["logger"] == "mextrain.audit"


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


@pytest.mark.parametrize(("error", "logged"), [(ExecuteBatchError("x"), 0), (OSError("x"), 1)])
def test_an_answer_whose_client_left_on_its_way_is_no_error(
    lines: io.StringIO, error: Exception, logged: int
) -> None:
    try:
        raise error
    except Exception:
        logging.getLogger("grpc._cython.cygrpc").exception("raised by servicer method [%s]", "M")
    assert len(lines.getvalue().splitlines()) == logged


def test_a_library_is_logged_by_its_template_and_without_its_values(lines: io.StringIO) -> None:
    try:
        raise ValueError(_SECRET)
    except ValueError:
        logging.getLogger("grpc._cython").exception("Unexpected [%s] raised", _SECRET)
    line = _only(lines)
    assert line["event"] == "Unexpected [%s] raised"
    assert line["logger"] == "grpc._cython"
    assert _SECRET not in lines.getvalue()


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
@pytest.mark.parametrize("form", LogFormat)
@pytest.mark.parametrize("log", [_by_structlog, _by_structlog_in_passing, _by_a_library])
def test_an_exception_is_logged_without_local_variables_in_every_form(
    root: logging.Logger,
    stream: Callable[[], io.StringIO],
    form: LogFormat,
    log: Callable[[Exception], None],
) -> None:
    def fail(token: str) -> None:
        held = {"token": token}
        raise KeyError(held["no token"])

    del root  # is put back after the test
    logged = stream()
    configure(LoggingSettings(format=form), logged)
    try:
        fail(_SECRET)
    except KeyError as error:
        log(error)
    assert "KeyError" in logged.getvalue()
    assert "test_logs.py" in logged.getvalue()
    assert _SECRET not in logged.getvalue()


def _fails(_secret: str) -> None:
    raise ValueError(_SECRET)


def test_fault_that_the_event_loop_reports_is_logged_without_arguments_and_message(
    lines: io.StringIO,
) -> None:
    async def failing() -> None:
        _fails(_SECRET)

    async def unheard() -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(_fails, _SECRET)
        loop.call_soon(functools.partial(_fails, _SECRET))
        task = asyncio.create_task(failing())
        await asyncio.wait((task,))

    asyncio.run(unheard())
    gc.collect()
    callback, partial, task = map(json.loads, lines.getvalue().splitlines())
    assert "Exception in callback _fails" == callback["event"] == partial["event"]
    assert "Task exception was never retrieved" == task["event"]
    assert "ValueError" in callback["exception"]
    assert "ValueError" in task["exception"]
    assert _SECRET not in lines.getvalue()


def test_fault_before_the_settings_are_read_is_logged_without_local_variables(
    tmp_path: Path,
) -> None:
    inherited = Inheritance(place=WorkerOptions(), folder=tmp_path / "worker", left=0)
    ended = subprocess.run(
        [sys.executable, "-c", _STUMBLES_INSIDE_ENVOY],
        env={**os.environ, **inherited.variables(), "SECRET": _SECRET},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert 1 == ended.returncode, ended.stderr
    (line,) = log_lines(ended.stderr)
    assert "fault" == line["event"]
    assert "RuntimeError" in str(line["exception"])
    assert _SECRET not in ended.stdout + ended.stderr


_STUMBLES_INSIDE_ENVOY = """
import asyncio, os
from mextrain_service.worker.envoy import application

def load():
    secret = os.environ["SECRET"]
    raise RuntimeError(len(secret))

async def receive():
    return {"type": "lifespan.startup"}

application.load = load
asyncio.run(application.application({"type": "lifespan"}, receive, None))
"""


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
