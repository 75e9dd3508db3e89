"""Calls workers as a careful client does: again, elsewhere, until there is an answer."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from grpc import aio
from mextrain.v1.game_service_pb2_grpc import GameServiceStub

from mextrain_client import MextrainError, from_rpc_error

_DEADLINE_S: Final = 2.0
_IMPATIENT_S: Final = 0.004
_LOOK_S: Final = 0.5
_LONGEST_PAUSE_S: Final = 0.25
"""Clients come back sooner than they are told to, to meet a fault while it is there."""

_LOST_ANSWERS: Final = 0.02
_ASKED_TWICE: Final = 0.06

_OPTIONS: Final = (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 200),
    ("grpc.enable_retries", 0),
)


class RefusedError(Exception):
    """A call was refused for good.

    Attributes:
        reason: one of ``ErrorReason``.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class GaveUpError(Exception):
    """A call was not answered as long as the run lasts."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer.

    Attributes:
        answer: the message.
        worker: who gave it.
        answered_s: when it came, in seconds of the monotonic clock.
    """

    answer: Any
    worker: int
    answered_s: float


class Asker:
    """Calls the workers of a service, over one connection to each.

    Attributes:
        give_up_s: when calls are given up, in seconds of the monotonic clock.
        chance: of all that clients do by chance.
    """

    def __init__(
        self, endpoints: Sequence[str], errors: Counter[str], chance: random.Random
    ) -> None:
        self.give_up_s = float("inf")
        self.chance = chance
        self._errors = errors
        self._endpoints = endpoints
        self._channels = [aio.insecure_channel(each, _OPTIONS) for each in endpoints]
        self._stubs: list[Any] = [GameServiceStub(each) for each in self._channels]

    async def close(self) -> None:
        """Close all connections."""
        await asyncio.gather(*(each.close(None) for each in self._channels))

    @property
    def workers(self) -> int:
        """How many workers there are."""
        return len(self._stubs)

    def any_worker(self) -> int:
        """Return one of the workers."""
        return self.chance.randrange(self.workers)

    def stub(self, worker: int) -> Any:
        """Return what calls this worker."""
        return self._stubs[worker]

    async def ask(self, method: str, request: Any, credential: str) -> list[Answered]:
        """Return the answers to a request: one, or two if it was sent to two workers at once.

        Raises:
            RefusedError: it is refused.
            GaveUpError: there was no answer in time.
        """
        worker, limit_s = self.any_worker(), _DEADLINE_S
        if self.chance.random() < _LOST_ANSWERS:
            limit_s = _IMPATIENT_S
        twice = self.chance.random() < _ASKED_TWICE
        while True:
            workers = {worker, (worker + 1) % self.workers} if twice else {worker}
            outcomes = await asyncio.gather(
                *(self._attempt(method, request, credential, each, limit_s) for each in workers)
            )
            answered = [each for each in outcomes if isinstance(each, Answered)]
            refused = [each for each in outcomes if isinstance(each, RefusedError)]
            if answered:
                self._errors["refused and made"] += len(refused)
                return answered
            if refused:
                raise refused[0]
            if time.monotonic() > self.give_up_s:
                raise GaveUpError(method)
            await asyncio.sleep(self._pause_s(outcomes))
            worker, limit_s = (worker + 1) % self.workers, _DEADLINE_S

    async def look(
        self, method: str, request: Any, credential: str, worker: int
    ) -> Answered | RefusedError | None:
        """Ask one worker once; return None if it does not answer."""
        outcome = await self._attempt(method, request, credential, worker, _LOOK_S)
        return None if isinstance(outcome, MextrainError) else outcome

    async def read(self, method: str, request: Any, credential: str) -> Any:
        """Return the answer to a read, of whichever worker.

        Raises:
            RefusedError: it is refused.
            GaveUpError: there was no answer in time.
        """
        return (await self.ask(method, request, credential))[0].answer

    def failed(self, error: aio.AioRpcError, worker: int) -> MextrainError:
        """Count what a call ended with, and return it."""
        failure = from_rpc_error(error, self._endpoints[worker])
        self._errors[failure.reason] += 1
        return failure

    def _pause_s(self, outcomes: Sequence[object]) -> float:
        told = [each.retry_after or 0.0 for each in outcomes if isinstance(each, MextrainError)]
        return min(_LONGEST_PAUSE_S, max([*told, self.chance.uniform(0.0, 0.05)]))

    async def _attempt(
        self, method: str, request: Any, credential: str, worker: int, limit_s: float
    ) -> Answered | RefusedError | MextrainError:
        call = getattr(self._stubs[worker], method)
        metadata = (("authorization", f"Bearer {credential}"),)
        try:
            answer = await call(request, timeout=limit_s, metadata=metadata)
        except aio.AioRpcError as error:
            failure = self.failed(error, worker)
            return RefusedError(failure.reason) if failure.retry_after is None else failure
        return Answered(answer, worker, time.monotonic())
