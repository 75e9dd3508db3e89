"""What is known to be away is asked for in vain, at once, and tried again by one alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
import redis.exceptions as failure

from mextrain_service.storage import breaker as module
from mextrain_service.storage.breaker import Breaker, KnownAwayError
from tests.storage.patience import loop_turns

REFUSED = failure.ConnectionError("connection refused")
LONGEST_S = 1.0
"""Nobody is to wait for longer."""


class Away:
    """What cannot be reached until it is told to come back.

    Attributes:
        attempts: how often somebody tried.
        is_back: an attempt succeeds.
    """

    def __init__(self) -> None:
        self.attempts = 0
        self.is_back = False
        self._tried = asyncio.Event()

    async def attempt(self) -> None:
        self.attempts += 1
        self._tried.set()
        if not self.is_back:
            raise failure.ConnectionError(f"attempt {self.attempts}")

    async def until_tried(self, times: int) -> None:
        """Return when so many attempts were made."""
        async with asyncio.timeout(20):
            while self.attempts < times:
                self._tried.clear()
                await self._tried.wait()


@asynccontextmanager
async def _open(attempt: Callable[[], Awaitable[object]]) -> AsyncIterator[Breaker]:
    breaker = Breaker(attempt)
    breaker.trip(REFUSED)
    try:
        yield breaker
    finally:
        await breaker.stop()


def _refusals(breaker: Breaker, number: int) -> list[KnownAwayError]:
    found = []
    for _ in range(number):
        with pytest.raises(KnownAwayError) as refused:
            breaker.require_closed()
        found.append(refused.value)
    return found


def _pauses(breaker: Breaker) -> list[float]:
    return [refusal.retry_after_s for refusal in _refusals(breaker, 200)]


async def _until_closed(breaker: Breaker) -> None:
    if breaker._trying is not None:
        async with asyncio.timeout(20):
            await asyncio.wait((breaker._trying,))
    breaker.require_closed()


async def test_calls_are_let_through_when_nothing_has_failed() -> None:
    Breaker(Away().attempt).require_closed()


async def test_calls_make_no_attempt_of_their_own_when_it_is_open() -> None:
    away, never = Away(), asyncio.Event()
    away.is_back = True

    async def attempt() -> None:
        await away.attempt()
        await never.wait()

    async with _open(attempt) as breaker:
        await away.until_tried(1)
        for _ in range(100):
            _refusals(breaker, 10)
            breaker.trip(REFUSED)
        await loop_turns()
        assert 1 == away.attempts


async def test_calls_are_told_of_the_latest_failure_when_it_is_open() -> None:
    away = Away()
    async with _open(away.attempt) as breaker:
        assert REFUSED is _refusals(breaker, 1)[0].cause
        await away.until_tried(2)
        (refusal,) = _refusals(breaker, 1)
        assert str(refusal).startswith("attempt ")
        assert str(refusal.cause) == str(refusal)


async def test_calls_are_let_through_when_an_attempt_has_succeeded() -> None:
    away = Away()
    async with _open(away.attempt) as breaker:
        await away.until_tried(1)
        assert breaker.is_open
        away.is_back = True
        await _until_closed(breaker)
        assert breaker._trying is None


async def test_calls_are_spread_and_return_within_a_second_however_long_it_lasts() -> None:
    away = Away()
    async with _open(away.attempt) as breaker:
        first = _pauses(breaker)
        await away.until_tried(6)
        last = _pauses(breaker)
    for pauses in (first, last):
        assert min(pauses) >= 0.125
        assert max(pauses) <= LONGEST_S
        assert len(set(pauses)) > 100
        assert max(pauses) - min(pauses) > 0.1
    assert sum(last) > sum(first)


async def test_calls_return_after_the_next_attempt_when_its_time_is_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE_S", 30.0)
    async with _open(Away().attempt) as breaker:
        await loop_turns()
        assert min(_pauses(breaker)) > 15.0


async def test_pauses_go_on_growing_when_it_goes_away_again_at_once() -> None:
    away = Away()
    async with _open(away.attempt) as breaker:
        await away.until_tried(6)
        away.is_back = True
        await _until_closed(breaker)
        breaker.trip(REFUSED)
        assert min(_pauses(breaker)) >= module.LONGEST_PAUSE_S / 2


async def test_nothing_is_tried_any_more_when_nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_UNASKED_S", 0.0)
    away = Away()
    async with _open(away.attempt) as breaker:
        await _until_closed(breaker)
        breaker.require_closed()
        assert 0 == away.attempts


async def test_attempt_that_loses_its_cancellation_is_the_last_when_it_was_stopped() -> None:
    begun = asyncio.Event()

    async def attempt() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            raise failure.TimeoutError from None

    breaker = Breaker(attempt)
    breaker.trip(REFUSED)
    await begun.wait()
    async with asyncio.timeout(20):
        await breaker.stop()
    assert not breaker.is_open
