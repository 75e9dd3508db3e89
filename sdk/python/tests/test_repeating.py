"""When a call that failed is made again."""

from __future__ import annotations

import pytest

from mextrain_client import MextrainError
from mextrain_client.repeating import call_patiently, pause_s


def test_repeating_stops_when_a_call_succeeds() -> None:
    failures = [MextrainError("CONTENTION", "busy", retry_after=0.001)] * 3

    def call() -> str:
        if failures:
            raise failures.pop()
        return "done"

    assert "done" == call_patiently(call, patience_s=5)


def test_repeating_is_not_tried_when_it_cannot_help() -> None:
    calls = []

    def call() -> None:
        calls.append(1)
        raise MextrainError("NOT_YOUR_TURN", "no")

    with pytest.raises(MextrainError, match="NOT_YOUR_TURN"):
        call_patiently(call, patience_s=5)
    assert [1] == calls


def test_pause_is_the_one_that_the_service_asks_for_when_it_does() -> None:
    assert {0.4} == {pause_s(0.4, own_s=2.0) for _ in range(100)}


def test_pauses_are_spread_when_the_service_does_not_say() -> None:
    pauses = {pause_s(0.0, own_s=2.0) for _ in range(100)}
    assert 0.0 <= min(pauses) <= max(pauses) <= 2.0
    assert len(pauses) > 50


def test_repeating_gives_up_when_the_time_is_up() -> None:
    def call() -> None:
        raise MextrainError("STORE_UNAVAILABLE", "away", retry_after=60)

    with pytest.raises(MextrainError, match="STORE_UNAVAILABLE"):
        call_patiently(call, patience_s=0.01)
