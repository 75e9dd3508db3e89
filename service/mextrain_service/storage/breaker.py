"""A circuit breaker: while something is known to be away, calls for it fail at once.

It is tried again in the background, by one attempt at a time however many ask for it, so that an
outage costs neither a connection nor a timeout for each call.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable

import redis.exceptions as failure
import structlog

FIRST_PAUSE_S = 0.05
LONGEST_PAUSE_S = 0.5
"""The pause between two attempts doubles from the one to the other."""

_LEAST_SPREAD_S = 0.25
"""Those who ask are spread over half of the pause when they come back, and of no less than this."""

_FLAPS_WITHIN_S = 1.0
"""What goes away again so soon after its return goes on with the pauses of before."""

_UNASKED_S = 10.0
"""What nobody has asked for in so long is tried no more, until somebody does."""


class KnownAwayError(failure.ConnectionError):
    """What is asked is known to be away; nothing was sent.

    Attributes:
        cause: what the latest attempt to reach it ended with.
        retry_after_s: when to ask again, in seconds.
    """

    def __init__(self, cause: Exception, retry_after_s: float) -> None:
        super().__init__(str(cause))
        self.cause = cause
        self.retry_after_s = retry_after_s


class Breaker:
    """Closed while calls may be made; open from a failure to the first attempt that succeeds."""

    def __init__(self, attempt: Callable[[], Awaitable[object]], name: str = "") -> None:
        """Prepare a closed one.

        Args:
            attempt: tries to reach what is away; raises what it fails with.
            name: what the log calls it.
        """
        self._attempt = attempt
        self._name = name
        self._cause: Exception | None = None
        self._trying: asyncio.Task[None] | None = None
        self._pause_s = FIRST_PAUSE_S
        self._opened_at = self._closed_at = self._asked_at = self._next_at = float("-inf")
        self._log = structlog.get_logger("mextrain.store")

    @property
    def is_open(self) -> bool:
        """Whether calls fail at once."""
        return self._cause is not None

    def require_closed(self) -> None:
        """Return if calls may be made.

        Raises:
            KnownAwayError: they may not.
        """
        if self._cause is not None:
            self._asked_at = asyncio.get_running_loop().time()
            raise KnownAwayError(self._cause, self._retry_after_s())

    def trip(self, cause: Exception) -> None:
        """Open, if it is closed, and begin to try again."""
        if self._cause is not None:
            return
        now = asyncio.get_running_loop().time()
        if now - self._closed_at > _FLAPS_WITHIN_S:
            self._pause_s = FIRST_PAUSE_S
        self._cause = cause
        self._opened_at = self._asked_at = self._next_at = now
        self._trying = asyncio.create_task(self._try())
        self._log.warning("store lost", endpoint=self._name, error=type(cause).__name__)

    def give_up(self) -> asyncio.Task[None] | None:
        """Close, and try no more; return what is not over yet."""
        trying, self._trying, self._cause = self._trying, None, None
        if trying is not None:
            trying.cancel()
        return trying

    async def stop(self) -> None:
        """Close, and try no more; return when the latest attempt is over."""
        trying = self.give_up()
        if trying is not None:
            await asyncio.wait((trying,))

    def _retry_after_s(self) -> float:
        """Return when to ask again: some time after the next attempt, and within a second."""
        to_attempt_s = max(0.0, self._next_at - asyncio.get_running_loop().time())
        spread_s = max(_LEAST_SPREAD_S, self._pause_s)
        return to_attempt_s + random.uniform(spread_s / 2, spread_s)  # noqa: S311 - spreads load

    async def _try(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            pause_s = random.uniform(self._pause_s / 2, self._pause_s)  # noqa: S311 - spreads load
            self._next_at = loop.time() + pause_s
            await asyncio.sleep(pause_s)
            if loop.time() - self._asked_at > _UNASKED_S:
                self._close("store given up")
                return
            try:
                await self._attempt()
            except Exception as error:  # noqa: BLE001 - whatever it is, those who ask are told
                if not self._is_mine():
                    return
                self._cause = error
                self._pause_s = min(2 * self._pause_s, LONGEST_PAUSE_S)
            else:
                self._close("store back")
                return

    def _is_mine(self) -> bool:
        """Tell whether this task is still the one that tries; it may have lost a cancellation."""
        return self._trying is asyncio.current_task()

    def _close(self, event: str) -> None:
        if not self._is_mine():
            return
        self._closed_at = asyncio.get_running_loop().time()
        self._cause = self._trying = None
        away_s = round(self._closed_at - self._opened_at, 3)
        self._log.info(event, endpoint=self._name, seconds=away_s)
