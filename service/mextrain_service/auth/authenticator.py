"""From the text of an ``authorization`` to a caller."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from joserfc.errors import JoseError
from joserfc.jws import extract_compact

from mextrain_service.application.callers import Anonymous, Caller
from mextrain_service.application.refused import CREDENTIAL_MALFORMED, Refused
from mextrain_service.auth.api_keys import (
    API_KEY_PREFIX,
    OPERATOR_KEY_PREFIX,
    ApiKeys,
    OperatorKeys,
)
from mextrain_service.auth.player_tokens import PlayerTokens, SigningKeyUnknownError
from mextrain_service.auth.seat_tokens import ALGORITHM, SeatTokens

_SCHEME = "bearer"

LookAgain = Callable[[str], Awaitable[bool]]
"""Reads the keys of an issuer again and tells whether it did; not each time that it is asked."""


async def _never(issuer: str) -> bool:
    del issuer
    return False


class Authenticator:
    """Tells who is calling."""

    def __init__(
        self,
        api_keys: ApiKeys,
        tokens: SeatTokens,
        players: PlayerTokens | None = None,
        operators: OperatorKeys | None = None,
        look_again: LookAgain = _never,
    ) -> None:
        """Take what recognises each kind of credential; what is left out is not accepted."""
        self._api_keys = api_keys
        self._tokens = tokens
        self._players = players
        self._operators = operators or OperatorKeys({}, {})
        self._look_again = look_again

    async def caller(self, authorization: str | None) -> Caller:
        """Return who sent this header; ``Anonymous`` for none at all.

        A credential that is given must be good: a bad one is never taken for none.

        Raises:
            Refused: ``TOKEN_INVALID``, it is malformed, forged or unknown.
            Refused: ``TOKEN_EXPIRED``, its time is over.
        """
        if authorization is None:
            return Anonymous()
        scheme, _, credential = authorization.partition(" ")
        credential = credential.strip()
        if scheme.lower() != _SCHEME or not credential:
            raise Refused(CREDENTIAL_MALFORMED)
        if credential.startswith(API_KEY_PREFIX):
            return self._api_keys.caller(credential)
        if credential.startswith(OPERATOR_KEY_PREFIX):
            return self._operators.caller(credential)
        players = self._players
        if players is None or self._tokens.knows(credential):
            return self._tokens.caller(credential)
        if not players.knows(credential) and _is_ours(credential):
            return self._tokens.caller(credential)
        return await self._player(players, credential)

    async def _player(self, players: PlayerTokens, credential: str) -> Caller:
        try:
            return players.caller(credential)
        except SigningKeyUnknownError as unknown:
            if not await self._look_again(unknown.issuer):
                raise
        return players.caller(credential)


def _is_ours(token: str) -> bool:
    """Tell whether a token says that this service signed it; proves nothing.

    Tokens of this service are accepted with one algorithm only and those of players never with it,
    so what a token says here opens nothing.
    """
    try:
        header = extract_compact(token.encode()).headers()
    except (JoseError, ValueError, TypeError):
        return True
    return header.get("alg") == ALGORITHM
