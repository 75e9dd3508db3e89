"""One call, as the interceptors see it. Knows nothing of what they do with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import TypeAlias

    from grpc import aio

    _Context: TypeAlias = aio.ServicerContext[Any, Any]

SERVICE_PREFIX = "/mextrain."
"""Only methods of these services are intercepted: probes and reflection would drown the rest."""


@dataclass(slots=True)
class Call:
    """One call while it runs.

    Attributes:
        method: the method's own name, like ``PlayMove``.
        request: the request message.
        context: the call's context.
        response: the answer; None as long as there is none, and for a stream.
        streams: it is answered by a stream, which takes as long as its caller likes.
    """

    method: str
    request: Any
    context: _Context
    response: Any = None
    streams: bool = False
