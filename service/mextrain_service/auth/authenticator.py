"""From the text of an ``authorization`` to a caller.

Knows the two kinds of credentials; nothing of what a caller may do.
"""

from __future__ import annotations

from mextrain_service.application.callers import Anonymous, Caller
from mextrain_service.auth.api_keys import API_KEY_PREFIX, ApiKeys
from mextrain_service.auth.errors import CredentialMalformedError
from mextrain_service.auth.seat_tokens import SeatTokens

_SCHEME = "bearer"


class Authenticator:
    """Tells who is calling."""

    def __init__(self, api_keys: ApiKeys, tokens: SeatTokens) -> None:
        self._api_keys = api_keys
        self._tokens = tokens

    def caller(self, authorization: str | None) -> Caller:
        """Return who sent this header; ``Anonymous`` for none at all.

        A credential that is given must be good: a bad one is never taken for none.

        Raises:
            CredentialInvalidError: it is malformed, forged or unknown.
            TokenExpiredError: its time is over.
        """
        if authorization is None:
            return Anonymous()
        scheme, _, credential = authorization.partition(" ")
        credential = credential.strip()
        if scheme.lower() != _SCHEME or not credential:
            raise CredentialMalformedError
        if credential.startswith(API_KEY_PREFIX):
            return self._api_keys.caller(credential)
        return self._tokens.caller(credential)
