"""A worker goes by the store's clock, however its own one stands."""

from __future__ import annotations

import math

import pytest

from mextrain_service.worker.clock import TRUSTED_S, StoreClock
from tests.rpc.fake_clock import FakeClock

STORE_MS = 1_796_000_000_000


class Elapsed:
    """Measures durations as a test says."""

    def __init__(self) -> None:
        self.seconds = 5_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def elapsed() -> Elapsed:
    return Elapsed()


def _clock(elapsed: Elapsed, ahead_s: float = 0) -> StoreClock:
    return StoreClock(FakeClock(STORE_MS + round(1_000 * ahead_s)), elapsed)


def test_time_is_the_machines_before_the_store_was_asked(elapsed: Elapsed) -> None:
    clock = _clock(elapsed, ahead_s=60)
    assert STORE_MS + 60_000 == clock.now_ms()
    assert not clock.trusted()
    assert math.isnan(clock.skew_s())


@pytest.mark.parametrize("ahead_s", [60, 0, -30])
def test_time_is_the_stores_however_the_machines_clock_stands(
    elapsed: Elapsed, ahead_s: float
) -> None:
    clock = _clock(elapsed, ahead_s)
    clock.learn(elapsed() - 0.002, elapsed(), STORE_MS - 1)
    assert STORE_MS == clock.now_ms()
    assert ahead_s == clock.skew_s()
    elapsed.seconds += 7
    assert STORE_MS + 7_000 == clock.now_ms()


def test_late_answer_makes_a_time_no_worse_that_was_known_better(elapsed: Elapsed) -> None:
    clock = _clock(elapsed)
    clock.learn(elapsed(), elapsed(), STORE_MS)
    elapsed.seconds += 1
    clock.learn(elapsed() - 0.9, elapsed(), STORE_MS + 101)
    assert abs(clock.now_ms() - (STORE_MS + 1_000)) <= 1


def test_time_steps_with_the_stores(elapsed: Elapsed) -> None:
    clock = _clock(elapsed)
    clock.learn(elapsed(), elapsed(), STORE_MS)
    clock.learn(elapsed() - 0.002, elapsed(), STORE_MS + 30_000)
    assert STORE_MS + 30_001 == clock.now_ms()


def test_time_is_trusted_for_a_minute_after_the_store_was_asked(elapsed: Elapsed) -> None:
    clock = _clock(elapsed)
    clock.learn(elapsed(), elapsed(), STORE_MS)
    elapsed.seconds += TRUSTED_S - 1
    assert clock.trusted()
    elapsed.seconds += 1
    assert not clock.trusted()
