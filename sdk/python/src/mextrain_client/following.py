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
from mextrain_client.repeating import Backoff

_CUT_OFF = frozenset({"CANCELLED", "INTERNAL", "UNKNOWN"})
"""What a stream ends with that something between client and service has cut, or its watchdog."""


def followed(
    open_stream: Callable[[], Any], endpoint: str, *, patience_s: float, silence_s: float
) -> Iterator[Any]:
    """Yield the messages of a stream, and of those that go on where it ended, for ever.

    Pauses are those of ``Backoff``, which each message resets.

    Args:
        open_stream: opens the stream where the messages so far have led to.
        endpoint: where it goes, for error messages.
        patience_s: how long to try without a single message, in seconds.
        silence_s: how long a stream may be silent until it counts as dead, in seconds.

    Raises:
        MextrainError: the stream failed for good, or was away for longer than that.
    """
    backoff = Backoff(patience_s)
    while True:
        failure = MextrainError("UNAVAILABLE", f"The stream of {endpoint} ended.", retry_after=0.0)
        stream = open_stream()
        try:
            with _watched(stream, silence_s) as heard:
                for message in stream:
                    heard()
                    backoff.reset()
                    yield message
        except grpc.RpcError as error:
            failure = from_rpc_error(error, endpoint)
        finally:
            stream.cancel()
        if failure.retry_after is None and failure.reason not in _CUT_OFF:
            raise failure  # opening it again is no help
        backoff.wait(failure)


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
