"""Each of many steps has its time, and its caller may still leave."""

from __future__ import annotations

import asyncio

import pytest

from mextrain_service.transport.time_limit import TimeLimit, TookTooLongError


async def test_step_that_takes_too_long_is_cut_off_and_the_next_one_has_its_own_time() -> None:
    limit = TimeLimit(1.0)
    cut: list[str] = []

    async def for_ever() -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cut.append("cut")
            raise

    for _ in range(2):
        with pytest.raises(TookTooLongError):
            await limit.within(for_ever())
        assert "quick" == await limit.within(asyncio.sleep(0.05, "quick"))
    assert ["cut", "cut"] == cut
    task = asyncio.current_task()
    assert task is not None
    assert 0 == task.cancelling()


async def test_many_quick_steps_may_take_longer_together() -> None:
    limit = TimeLimit(1.0)
    for _ in range(12):
        await limit.within(asyncio.sleep(0.1))


async def test_time_between_steps_is_nobodys() -> None:
    limit = TimeLimit(0.02)
    await limit.within(asyncio.sleep(0))
    await asyncio.sleep(0.1)
    await limit.within(asyncio.sleep(0))


async def test_who_leaves_is_not_told_that_it_took_too_long() -> None:
    limit = TimeLimit(60)
    waiting = asyncio.create_task(limit.within(asyncio.Event().wait()))
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_failure_of_a_step_is_its_own() -> None:
    async def fails() -> None:
        raise ValueError("its own")

    with pytest.raises(ValueError, match="its own"):
        await TimeLimit(60).within(fails())
