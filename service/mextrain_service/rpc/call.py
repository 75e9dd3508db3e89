"""One call while it runs, as the pipeline, the servicers, the log and the traces see it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from random import Random
from typing import Any, Final, NoReturn, Protocol

import grpc

from mextrain_service.application.callers import Anonymous, Caller

SERVICE_PREFIX: Final = "/mextrain."
"""What the paths of our own methods begin with; probes and reflection pass no pipeline."""

ID_HEADER: Final = "x-request-id"
"""Metadata key of a call's ID, in requests and in the trailing metadata of answers."""

CREDENTIAL_HEADER: Final = "authorization"
"""Metadata key of a credential."""

FORWARDED_HEADER: Final = "x-forwarded-for"
"""Where a proxy writes the address that it was called from, after those that it was told."""

Metadata = Sequence[tuple[str, str | bytes]]

_ACCEPTED_ID: Final = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
NOBODY: Final = Anonymous()
_ids: Final = Random(secrets.randbits(128))  # noqa: S311 - they name calls, and open nothing


class Context(Protocol):
    """What a transport gives a call."""

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

    async def send_initial_metadata(self, initial_metadata: Metadata) -> None:
        """Begin the answer before there is any message of it."""
        ...

    async def write(self, message: Any) -> None:
        """Send a message of a stream, when its reader has room for it."""
        ...


class Call:
    """One call.

    Attributes:
        method: the method's own name, like ``PlayMove``.
        context: what the transport gave.
        metadata: what the caller sent beside the request.
        id: what logs, answers and the caller's own logs call it: the caller's or a proxy's ID, or
            a new one.
        credential: the ``authorization`` that was sent; None without one; empty, and so of no use,
            if there were several.
        request: the request message, an empty one if what was sent cannot be read; or an iterator
            over messages, if it is asked by a stream; None before it is read.
        response: the answer; None before there is one, and for a stream.
        caller: who makes the call; ``Anonymous`` before the credential is checked.
    """

    __slots__ = (
        "caller",
        "context",
        "credential",
        "id",
        "metadata",
        "method",
        "request",
        "response",
    )

    def __init__(self, method: str, context: Context) -> None:
        self.method = method
        self.context = context
        self.caller: Caller = NOBODY
        self.request: Any = None
        self.response: Any = None
        self.credential: str | None = None
        self.metadata: Metadata = context.invocation_metadata() or ()
        identity = ""
        for key, value in self.metadata:
            if key == CREDENTIAL_HEADER:
                self.credential = str(value) if self.credential is None else ""
            elif key == ID_HEADER and isinstance(value, str) and _ACCEPTED_ID.fullmatch(value):
                identity = identity or value
        self.id: str = identity or f"{_ids.getrandbits(64):016x}"
        context.set_trailing_metadata(((ID_HEADER, self.id),))

    def address(self) -> str:
        """Return where the call comes from, without the port.

        Only the own front has the Unix socket, and it writes the address that it saw last.
        """
        peer = self.context.peer()
        if not peer.startswith("unix:"):
            return peer.rpartition(":")[0]
        forwarded = [str(value) for key, value in self.metadata if key == FORWARDED_HEADER]
        return forwarded[-1].rpartition(",")[2].strip() if forwarded else peer
