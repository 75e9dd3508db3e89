"""Listens to a stream as somebody does who leaves at random and comes back."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from grpc import aio

from tests.soak.caller import Caller
from tests.soak.tally import SoakFault, Tally

_MEAN_STAY_S: Final = 3.0
_MEAN_AWAY_S: Final = 0.3
_RECONNECTS: Final = 0.5
_PAUSE_S: Final = 0.05
_CUT_OFF: Final = frozenset({"CANCELLED", "INTERNAL", "UNKNOWN"})
"""What a stream may end with that a dying worker has cut."""


@dataclass(frozen=True, slots=True)
class Wanderer:
    """Who listens: under which credential, counted where, with what chance."""

    caller: Caller
    tally: Tally
    chance: random.Random


async def wander(
    open_stream: Callable[[], Any],
    hear: Callable[[Any], None],
    is_done: Callable[[], bool],
    who: Wanderer,
) -> None:
    """Listen until there is nothing more to hear, with pauses in which much is missed.

    Args:
        open_stream: opens the stream where the messages so far have led to.
        hear: takes a message.
        is_done: whether that was all.
        who: listens.

    Raises:
        SoakFault: a stream ended in a way that it may not.
    """
    while not is_done():
        stream = open_stream()
        try:
            async with asyncio.timeout(who.chance.expovariate(1 / _MEAN_STAY_S)):
                async for message in stream:
                    hear(message)
                    if is_done():
                        return
            who.tally.cut_off += 1
        except TimeoutError:
            who.tally.drops += 1
            await _stay_away(who)
        except aio.AioRpcError as error:
            who.tally.cut_off += 1
            await _bear(who, error)
        finally:
            stream.cancel()


async def _stay_away(who: Wanderer) -> None:
    await asyncio.sleep(who.chance.expovariate(1 / _MEAN_AWAY_S))
    if who.chance.random() < _RECONNECTS:
        await who.caller.reconnect()


async def _bear(who: Wanderer, error: aio.AioRpcError) -> None:
    failure = who.caller.failure(error)
    who.tally.failures[failure.reason] += 1
    if failure.retry_after is None and failure.reason not in _CUT_OFF:
        message = f"a stream ended with {failure}"
        raise SoakFault(message)
    await asyncio.sleep(max(failure.retry_after or 0.0, _PAUSE_S))
