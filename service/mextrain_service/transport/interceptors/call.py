"""One call, as the interceptors see it. Knows nothing of what they do with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, Protocol

import grpc

SERVICE_PREFIX = "/mextrain."
"""Only methods of these services are intercepted: probes and reflection would drown the rest."""

Metadata = Sequence[tuple[str, str | bytes]]


class Context(Protocol):
    """What a transport gives a call. Whoever hosts the service has one of these for each call."""

    def invocation_metadata(self) -> Metadata | None:
        """Return what the caller sent beside the request; keys are lower-case."""
        ...

    def set_trailing_metadata(self, trailing_metadata: Metadata) -> None:
        """Set what goes with the end of the answer."""
        ...

    def trailing_metadata(self) -> Metadata | None:
        """Return what was set to go with it."""
        ...

    def time_remaining(self) -> float | None:
        """Return in how many seconds the caller gives up; None if it did not say."""
        ...

    def peer(self) -> str:
        """Return where the call comes from, as ``ipv4:127.0.0.1:4711``."""
        ...

    def code(self) -> grpc.StatusCode | int | None:
        """Return the status that the call was ended with, once it was."""
        ...

    async def abort(self, code: grpc.StatusCode, details: str, trailing: Metadata) -> NoReturn:
        """End the call with an error; raises ``grpc.aio.AbortError``."""
        ...

    async def write(self, message: Any) -> None:
        """Send a message of a stream, when its reader has room for it."""
        ...


@dataclass(slots=True)
class Call:
    """One call while it runs.

    Attributes:
        method: the method's own name, like ``PlayMove``.
        request: the request message, an empty one if what was sent cannot be read; or an iterator
            over messages, if it is asked by a stream.
        context: the call's context.
        metadata: what the caller sent beside the request, taken from the context once.
        unreadable: why the request cannot be read; None if it was.
        response: the answer; None as long as there is none, and for a stream.
        streams: it is answered by a stream, which takes as long as its caller likes.
    """

    method: str
    request: Any
    context: Context
    metadata: Metadata = ()
    unreadable: Exception | None = None
    response: Any = None
    streams: bool = False
