"""When a call that failed is made again, and after how long.

Every write carries a request id, so that a repetition of one that was carried out is answered and
not carried out again.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from mextrain_client.errors import MextrainError

_Answer = TypeVar("_Answer")

_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 2.0


def call_patiently(call: Callable[[], _Answer], patience_s: float) -> _Answer:
    """Return what the call returns, repeating it while its error says that this may help.

    Args:
        call: makes the call; raises ``MextrainError``.
        patience_s: how long to go on trying, in seconds; 0 tries once.

    Raises:
        MextrainError: the call failed for good, or still failed when the time was up.
    """
    backoff = Backoff(patience_s)
    while True:
        try:
            return call()
        except MextrainError as error:
            if error.retry_after is None:
                raise
            backoff.wait(error)


class Backoff:
    """The pauses between attempts, as long as there is patience.

    The service says when to come back, and it knows best. Where it does not, pauses double from
    50 ms to 2 s, drawn anew each time so that many clients spread out.
    """

    def __init__(self, patience_s: float) -> None:
        """Go on trying for so many seconds without success."""
        self._patience_s = patience_s
        self.reset()

    def reset(self) -> None:
        """Begin anew, after a success."""
        self._pause_s = _FIRST_PAUSE_S
        self._give_up = time.monotonic() + self._patience_s

    def wait(self, failure: MextrainError) -> None:
        """Wait until the next attempt.

        Raises:
            MextrainError: the failure; the next attempt would come too late.
        """
        wait_s = pause_s(failure.retry_after or 0.0, self._pause_s)
        if time.monotonic() + wait_s > self._give_up:
            raise failure
        time.sleep(wait_s)
        self._pause_s = min(2 * self._pause_s, _LONGEST_PAUSE_S)


def pause_s(asked_s: float, own_s: float) -> float:
    """Return how long to wait until a call is made again, in seconds.

    Args:
        asked_s: what the service asks for; 0 if it does not say.
        own_s: the longest pause where it does not.
    """
    return asked_s or random.uniform(0, own_s)  # noqa: S311 - spreads load
