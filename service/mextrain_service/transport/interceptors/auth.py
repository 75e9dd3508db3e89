"""Finds out who is calling, before anything of the request is looked at.

Knows where a credential is sent; whether it is good, ``auth`` says, and what its holder may do,
the application.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextvars import ContextVar

from mextrain_service.application.callers import Anonymous, Caller
from mextrain_service.auth.errors import CredentialMalformedError
from mextrain_service.transport.interceptors.call import Call, Metadata
from mextrain_service.transport.interceptors.interceptor import Handle, Interceptor, Method

HEADER = "authorization"
"""The metadata key of a credential."""

_caller: ContextVar[Caller | None] = ContextVar("caller", default=None)


def current_caller() -> Caller:
    """Return who makes the call that is being handled; ``Anonymous`` if nobody was found."""
    return _caller.get() or Anonymous()


def known_caller() -> Caller | None:
    """Return the same, or None as long as nobody was looked for; for logs."""
    return _caller.get()


def act_as(caller: Caller) -> None:
    """Let the call that is being handled be that of another caller, who is the same person."""
    _caller.set(caller)


class AuthInterceptor(Interceptor):
    """Sets the caller for the time of the call.

    It is not taken back afterwards: each call has a task and so a context of its own, and what
    stands further out may still name the caller.
    """

    def __init__(self, authenticate: Callable[[str | None], Awaitable[Caller]]) -> None:
        """Take what turns an ``authorization`` into a caller, or raises a ``CredentialError``."""
        self._authenticate = authenticate

    def around(self, method: Method, inner: Handle) -> Handle:
        """Raise what is wrong with the credential, or let the call go on."""
        del method

        async def handle(call: Call) -> None:
            _caller.set(await self._authenticate(_authorization(call.metadata)))
            await inner(call)

        return handle


def _authorization(metadata: Metadata) -> str | None:
    """Return the one value that was sent.

    Raises:
        CredentialMalformedError: there are several, and none of them counts.
    """
    sent = [value for key, value in metadata if key == HEADER]
    if len(sent) > 1:
        raise CredentialMalformedError
    return str(sent[0]) if sent else None
