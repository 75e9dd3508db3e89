"""Streams that are opened again whenever they end before their time.

A stream that a proxy cuts ends like one that is finished, so only a message can say that it is.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import grpc

from mextrain_client.errors import MextrainError, from_rpc_error
from mextrain_client.repeating import pause_s

_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 2.0

_CUT_OFF = frozenset({"CANCELLED", "INTERNAL", "UNKNOWN"})
"""What a stream ends with that something between client and service has cut, or its watchdog."""


def followed(
    open_stream: Callable[[], Any], endpoint: str, *, patience_s: float, silence_s: float
) -> Iterator[Any]:
    """Yield the messages of a stream, and of those that go on where it ended, for ever.

    The service says when to come back. Where it does not, pauses double from 50 ms to 2 s as long
    as no message comes, drawn anew each time so that many clients spread out.

    Args:
        open_stream: opens the stream where the messages so far have led to.
        endpoint: where it goes, for error messages.
        patience_s: how long to try without a single message, in seconds.
        silence_s: how long a stream may be silent until it counts as dead, in seconds.

    Raises:
        MextrainError: the stream failed for good, or was away for longer than that.
    """
    pause, give_up = _FIRST_PAUSE_S, time.monotonic() + patience_s
    while True:
        failure = MextrainError("UNAVAILABLE", f"The stream of {endpoint} ended.", retry_after=0.0)
        stream = open_stream()
        try:
            with _watched(stream, silence_s) as heard:
                for message in stream:
                    heard()
                    pause, give_up = _FIRST_PAUSE_S, time.monotonic() + patience_s
                    yield message
        except grpc.RpcError as error:
            failure = from_rpc_error(error, endpoint)
        finally:
            stream.cancel()
        wait_s = _wait_s(failure, pause)
        if time.monotonic() + wait_s > give_up:
            raise failure
        time.sleep(wait_s)
        pause = min(2 * pause, _LONGEST_PAUSE_S)


def _wait_s(failure: MextrainError, pause: float) -> float:
    """Return how long to wait until the stream is opened again.

    Raises:
        MextrainError: opening it again is no help.
    """
    if failure.retry_after is None and failure.reason not in _CUT_OFF:
        raise failure
    return pause_s(failure.retry_after or 0.0, pause)


@contextmanager
def _watched(stream: Any, silence_s: float) -> Iterator[Callable[[], None]]:
    """End a stream that is silent for too long; yields what is to be called at each message."""
    deadline = time.monotonic() + silence_s
    over = threading.Event()

    def watch() -> None:
        while not over.wait(max(0.0, deadline - time.monotonic())):
            if time.monotonic() >= deadline:
                stream.cancel()
                return

    def heard() -> None:
        nonlocal deadline
        deadline = time.monotonic() + silence_s

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield heard
    finally:
        over.set()
        thread.join()
