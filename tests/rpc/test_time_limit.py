"""Each of many steps has its time, and its caller may still leave."""

from __future__ import annotations

import asyncio

import pytest

from mextrain_service.application.refused import DEADLINE_EXCEEDED
from mextrain_service.rpc.time_limit import CallTimeLimits, TimeLimit, TookTooLongError
from tests.made_up_time import in_made_up_time
from tests.refusals import refusal


@in_made_up_time
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


@in_made_up_time
async def test_many_quick_steps_may_take_longer_together() -> None:
    limit = TimeLimit(1.0)
    for _ in range(12):
        await limit.within(asyncio.sleep(0.1))


@in_made_up_time
async def test_time_between_steps_is_nobodys() -> None:
    limit = TimeLimit(0.02)
    await limit.within(asyncio.sleep(0))
    await asyncio.sleep(0.1)
    await limit.within(asyncio.sleep(0))


@in_made_up_time
async def test_who_leaves_is_not_told_that_it_took_too_long() -> None:
    limit = TimeLimit(60)
    waiting = asyncio.create_task(limit.within(asyncio.Event().wait()))
    await asyncio.sleep(0.01)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


@in_made_up_time
async def test_failure_of_a_step_is_its_own() -> None:
    async def fails() -> None:
        raise ValueError("its own")

    with pytest.raises(ValueError, match="its own"):
        await TimeLimit(60).within(fails())


async def _limited(limits: CallTimeLimits, remaining_s: float | None, work: asyncio.Event) -> str:
    """Do what a call does within its limit."""
    limit = limits.begin(remaining_s)
    try:
        await work.wait()
    except asyncio.CancelledError:
        limit.raise_if_over()
        raise
    finally:
        limit.end()
    return "done"


@pytest.mark.parametrize("remaining_s", [0.0, -1.0])
async def test_call_whose_caller_has_given_up_is_not_begun(remaining_s: float) -> None:
    limits = CallTimeLimits(default_s=0.05, longest_s=0.08)
    with refusal(DEADLINE_EXCEEDED):
        limits.begin(remaining_s)
    assert not _has_timer(limits)


@pytest.mark.parametrize(("remaining_s", "limit_s"), [(None, 0.05), (0.03, 0.03), (100, 0.08)])
@in_made_up_time
async def test_call_ends_at_its_own_limit_or_at_that_of_the_service(
    remaining_s: float | None, limit_s: float
) -> None:
    limits = CallTimeLimits(default_s=0.05, longest_s=0.08)
    with refusal(DEADLINE_EXCEEDED) as over:
        await _limited(limits, remaining_s, asyncio.Event())
    assert limit_s == over.value.facts["limit_s"]


def _has_timer(limits: CallTimeLimits) -> bool:
    return limits._timer is not None


@in_made_up_time
async def test_calls_share_a_timer_which_is_gone_with_the_last_of_them() -> None:
    limits, work = CallTimeLimits(default_s=30, longest_s=30), asyncio.Event()
    calls = [asyncio.create_task(_limited(limits, None, work)) for _ in range(100)]
    await asyncio.sleep(0)
    assert _has_timer(limits)
    work.set()
    assert ["done"] * 100 == await asyncio.gather(*calls)
    await asyncio.sleep(0.05)
    assert not _has_timer(limits)
    assert {} == limits._by_tick


@in_made_up_time
async def test_call_that_its_caller_gave_up_is_cancelled_and_not_late() -> None:
    call = asyncio.create_task(
        _limited(CallTimeLimits(default_s=30, longest_s=30), None, asyncio.Event())
    )
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


@in_made_up_time
async def test_call_that_is_over_before_its_limit_leaves_its_task_alone() -> None:
    limits, work = CallTimeLimits(default_s=0.02, longest_s=1), asyncio.Event()
    work.set()
    assert "done" == await _limited(limits, None, work)
    with refusal(DEADLINE_EXCEEDED):
        await _limited(limits, None, asyncio.Event())
    task = asyncio.current_task()
    assert task is not None
    assert 0 == task.cancelling()
