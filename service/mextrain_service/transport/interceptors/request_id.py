"""Gives every call an id that its log line, its answer and the caller's own logs share.

Knows the header; nothing of the ``request_id`` of a change, which is a field and makes it
idempotent.
"""

from __future__ import annotations

import re
import secrets
from contextvars import ContextVar
from random import Random
from typing import Final

from mextrain_service.transport.interceptors.call import Call
from mextrain_service.transport.interceptors.interceptor import Handle, Interceptor, Method

HEADER: Final = "x-request-id"
"""Metadata key of the id, in requests and in the trailing metadata of answers."""

call_id: Final[ContextVar[str]] = ContextVar("call_id", default="")
"""The id of the call that is being handled; empty outside of one."""

_numbers: Final = Random(secrets.randbits(128))  # noqa: S311 - they name calls, and open nothing

_ACCEPTED = re.compile(r"[A-Za-z0-9_.:-]{1,64}")


class RequestIdInterceptor(Interceptor):
    """Takes the id that the caller or a proxy gave, or makes one."""

    def around(self, method: Method, inner: Handle) -> Handle:
        """Set ``call_id`` for the time of each call and send it back with the answer."""
        del method

        async def handle(call: Call) -> None:
            identity = _given(call) or f"{_numbers.getrandbits(64):016x}"
            call_id.set(identity)  # for good: every call runs in a task and so in its own context
            call.context.set_trailing_metadata(((HEADER, identity),))
            await inner(call)

        return handle


def _given(call: Call) -> str | None:
    for key, value in call.metadata:
        if key == HEADER and isinstance(value, str) and _ACCEPTED.fullmatch(value):
            return value
    return None
