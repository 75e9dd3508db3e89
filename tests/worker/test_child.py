"""Child processes: stopped in order, killed when they are late, gone with their parent."""

from __future__ import annotations

import subprocess
import sys

import pytest
import structlog

from mextrain_service.process.child import ChildFailedError, ChildProcess, KeptProcess
from tests.polling import WITHIN_S

READY = "print('ready', flush=True)\n"
FOR_EVER = "import signal\nsignal.pause()\n"
STUBBORN = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n"


def _child(program: str) -> ChildProcess:
    """Start a program, and return when it says that it is ready."""
    child = ChildProcess([sys.executable, "-c", program], stdout=subprocess.PIPE)
    assert b"ready\n" == child.output.readline()
    return child


def test_child_that_is_stopped_ends_by_the_signal() -> None:
    child = _child(READY + FOR_EVER)
    assert child.exit_code is None
    child.stop(WITHIN_S)
    assert -15 == child.exit_code


def test_child_that_does_not_stop_in_time_is_killed() -> None:
    child = _child(STUBBORN + READY + FOR_EVER)
    child.stop(0.01)
    assert -9 == child.exit_code


async def test_child_that_does_not_stop_in_time_is_killed_while_others_go_on() -> None:
    child = _child(STUBBORN + READY + FOR_EVER)
    assert not await child.stopped(0.01)
    assert -9 == await child.ended()
    child.output.close()


def test_child_that_ends_before_it_is_ready_fails_at_once() -> None:
    child = ChildProcess([sys.executable, "-c", ""])
    with pytest.raises(ChildFailedError, match="ended at once"):
        child.wait_until(lambda: False, WITHIN_S)


def test_child_that_is_not_ready_in_time_fails() -> None:
    child = _child(READY + FOR_EVER)
    with pytest.raises(ChildFailedError, match="does not answer"):
        child.wait_until(lambda: False, 0.0)
    child.stop(WITHIN_S)


class _ShortLived(KeptProcess):
    """Ends at once, each time with another exit code; comes up but for the last time."""

    def __init__(self, fails: int) -> None:
        super().__init__("child", WITHIN_S, structlog.get_logger())
        self.ends: list[int] = []
        self._fails = fails

    def _start(self) -> ChildProcess:
        return ChildProcess([sys.executable, "-c", f"raise SystemExit({len(self.ends)})"])

    async def _follow(self, child: ChildProcess) -> int:
        self.ends.append(await child.ended())
        if len(self.ends) < self._fails:
            self.ready.set()
        else:
            self.ready.clear()
        return self.ends[-1]

    def _failure(self, exit_code: int) -> str:
        return f"ended with {exit_code}"


async def test_child_is_started_again_until_it_does_not_come_up() -> None:
    kept = _ShortLived(fails=3)
    with pytest.raises(ChildFailedError, match="ended with 2"):
        await kept.keep_running()
    assert [0, 1, 2] == kept.ends
