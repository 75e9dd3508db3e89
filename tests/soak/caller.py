"""One client of the service: a credential, a connection of its own, and patience."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Any, Final

from grpc import aio
from mextrain.v1.game_service_pb2_grpc import GameServiceStub

from mextrain_client import MextrainError, from_rpc_error
from tests.soak.tally import SoakFault, Tally

_DEADLINE_S: Final = 20.0
_IMPATIENT_S: Final = 0.004
_PATIENCE_S: Final = 100.0
_FIRST_PAUSE_S: Final = 0.05
_LONGEST_PAUSE_S: Final = 1.0

_OPTIONS: Final = (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 500),
    ("grpc.enable_retries", 0),
)


class Caller:
    """Calls the service under one credential."""

    def __init__(self, endpoint: str, credential: str, tally: Tally, chance: random.Random) -> None:
        self._endpoint = endpoint
        self._metadata = (("authorization", f"Bearer {credential}"),)
        self._tally = tally
        self._chance = chance
        self._channel = aio.insecure_channel(endpoint, _OPTIONS)

    async def close(self) -> None:
        """Close the connection."""
        await self._channel.close(None)

    async def reconnect(self) -> None:
        """Open another connection, which may lead to another worker."""
        await self.close()
        self._channel = aio.insecure_channel(self._endpoint, _OPTIONS)

    async def ask(self, method: str, request: Any, *, impatient: bool = False) -> Any:
        """Return the answer to a request, which is made again as long as this may help.

        Args:
            method: the method's name.
            request: is sent unchanged each time, with its request id.
            impatient: hardly wait for the first answer, and lose it though it came in time.

        Raises:
            SoakFault: the call failed for good, or still failed after a minute.
        """
        give_up = time.monotonic() + _PATIENCE_S
        pause, deadline_s = _FIRST_PAUSE_S, _IMPATIENT_S if impatient else _DEADLINE_S
        while True:
            try:
                answer = await self._attempt(method, request, deadline_s)
            except MextrainError as error:
                self._tally.failures[error.reason] += 1
                if error.retry_after is None or time.monotonic() > give_up:
                    message = f"{method} failed with {error}: {request}"
                    raise SoakFault(message) from error
                await asyncio.sleep(max(error.retry_after, self._chance.uniform(0, pause)))
            else:
                if not impatient:
                    return answer
            impatient = False
            self._tally.retried += 1
            pause, deadline_s = min(2 * pause, _LONGEST_PAUSE_S), _DEADLINE_S

    def watch(self, method: str, request: Any) -> Any:
        """Open a stream of a method."""
        self._tally.streams += 1
        return getattr(self._stub(), method)(request, metadata=self._metadata)

    def failure(self, error: aio.AioRpcError) -> MextrainError:
        """Return what a stream ended with."""
        return from_rpc_error(error, self._endpoint)

    async def _attempt(self, method: str, request: Any, deadline_s: float) -> Any:
        began = time.monotonic()
        call = getattr(self._stub(), method)
        try:
            answer = await call(request, timeout=deadline_s, metadata=self._metadata)
        except aio.AioRpcError as error:
            raise self.failure(error) from None
        if method == "PlayMove":
            self._tally.move_s.append(time.monotonic() - began)
        return answer

    def _stub(self) -> Any:
        return GameServiceStub(self._channel)
