"""Tokens that platforms give their players: JWTs checked against the platform's public keys."""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jws import JWSRegistry, extract_compact

from mextrain_service.application.callers import PlayerCaller
from mextrain_service.application.model import PlatformId, PlayerId
from mextrain_service.application.ports import WallClock
from mextrain_service.application.refused import (
    AUDIENCE_WRONG,
    CREDENTIAL_MALFORMED,
    ISSUER_UNKNOWN,
    TOKEN_EARLY,
    TOKEN_FORGED,
    Refused,
    token_expired,
)
from mextrain_service.auth.public_keys import PublicKey, PublicKeys

ALGORITHMS: Final = (
    "RS256",
    "RS384",
    "RS512",
    "PS256",
    "PS384",
    "PS512",
    "ES256",
    "ES384",
    "Ed25519",
)
"""Algorithms whose keys only the platform has. None with a shared secret is ever accepted."""

MAX_TOKEN_CHARACTERS: Final = 8_192
"""Longer texts are not even looked at."""

MAX_PLAYER_CHARACTERS: Final = 64

_MS: Final = 1_000

_LATEST_S: Final = 253_402_300_799
"""The last second of the year 9999: what ends later ends then, as RFC 3339 has no later times."""

_GREATEST_NUMBER: Final = 2**53
"""The greatest number up to which JSON holds every integer."""
_REGISTRY: Final = JWSRegistry(algorithms=list(ALGORITHMS))


@dataclass(frozen=True, slots=True)
class PlatformIssuer:
    """Who issues the tokens of a platform's players.

    Attributes:
        platform_id: whose players they are.
        issuer: the claim ``iss`` of their tokens.
        audience: what the claim ``aud`` must be or hold.
        keys: the public keys of the issuer.
    """

    platform_id: PlatformId
    issuer: str
    audience: str
    keys: PublicKeys


class SigningKeyUnknownError(Refused):
    """No key of the issuer is called as the token says; a newer set may have one.

    Attributes:
        issuer: whose set it is.
    """

    def __init__(self, issuer: str) -> None:
        super().__init__(TOKEN_FORGED)
        self.issuer = issuer


@dataclass(frozen=True, slots=True)
class _Verified:
    caller: PlayerCaller
    expires_ms: int
    issuer: PlatformIssuer
    key_id: str | None
    key: PublicKey

    @property
    def is_stale(self) -> bool:
        """Whether the key that it was verified with is no longer in its issuer's set."""
        return self.issuer.keys.key(self.key_id) is not self.key


class PlayerTokens:
    """Accepts the tokens of every issuer that is given, one for each platform or several."""

    def __init__(
        self,
        issuers: Sequence[PlatformIssuer],
        clock: WallClock,
        leeway_s: int = 30,
        verified_kept: int = 8_192,
    ) -> None:
        """Take the issuers, how far their clocks may be off, and how many tokens are kept.

        Raises:
            ValueError: two issuers have the same name.
        """
        self._issuers = {each.issuer: each for each in issuers}
        if len(self._issuers) != len(issuers):
            message = "each issuer of tokens must have a name of its own"
            raise ValueError(message)
        self._clock = clock
        self._leeway_ms = leeway_s * _MS
        self._verified: OrderedDict[str, _Verified] = OrderedDict()
        self._verified_kept = verified_kept

    def knows(self, token: str) -> bool:
        """Tell whether the token was verified before; its time may be over all the same."""
        return token in self._verified

    def caller(self, token: str) -> PlayerCaller:
        """Return the player whom the token speaks for.

        Raises:
            Refused: ``TOKEN_INVALID``, the text is no token of a player.
            Refused: ``TOKEN_INVALID``, nobody here accepts its issuer.
            SigningKeyUnknownError: its key is not in the issuer's set, or not yet.
            Refused: ``TOKEN_INVALID``, the issuer did not sign it.
            Refused: ``TOKEN_INVALID``, it is meant for somebody else.
            Refused: ``TOKEN_INVALID``, its time has not come.
            Refused: ``TOKEN_EXPIRED``, it is genuine and its time is over.
        """
        verified = self._verified.get(token)
        if verified is None or verified.is_stale:
            verified = self._verify(token)
            self._keep(token, verified)
        if verified.expires_ms + self._leeway_ms <= self._clock.now_ms():
            raise token_expired(verified.expires_ms)
        return verified.caller

    def _verify(self, token: str) -> _Verified:
        issuer, key_id = self._named(token)
        key = issuer.keys.key(key_id)
        if key is None:
            raise SigningKeyUnknownError(issuer.issuer)
        try:
            claims = jwt.decode(token, key, registry=_REGISTRY).claims
        except (JoseError, ValueError, TypeError):
            raise Refused(TOKEN_FORGED) from None
        caller, expires_ms = self._checked(claims, issuer)
        return _Verified(caller, expires_ms, issuer, key_id, key)

    def _named(self, token: str) -> tuple[PlatformIssuer, str | None]:
        """Return who a token says has issued it, and with which key; neither is proved by that."""
        if not 0 < len(token) <= MAX_TOKEN_CHARACTERS or token.count(".") != 2:
            raise Refused(CREDENTIAL_MALFORMED)
        try:
            unproved = extract_compact(token.encode(), registry=_REGISTRY)
            claims, key_id = json.loads(unproved.payload), unproved.headers().get("kid")
        except (JoseError, ValueError, TypeError):
            raise Refused(CREDENTIAL_MALFORMED) from None
        if not isinstance(claims, dict) or not isinstance(key_id, str | None):
            raise Refused(CREDENTIAL_MALFORMED)
        issuer = self._issuers.get(str(claims.get("iss")))
        if issuer is None:
            raise Refused(ISSUER_UNKNOWN)
        return issuer, key_id

    def _checked(self, claims: dict[str, Any], issuer: PlatformIssuer) -> tuple[PlayerCaller, int]:
        """Return whom claims speak for and until when, in milliseconds, if they are for us."""
        player_id = claims.get("sub")
        if not isinstance(player_id, str) or not 0 < len(player_id) <= MAX_PLAYER_CHARACTERS:
            raise Refused(CREDENTIAL_MALFORMED)
        if not player_id.isprintable():  # no control characters, no lone surrogates
            raise Refused(CREDENTIAL_MALFORMED)
        expires_ms, begins_ms = _time_ms(claims.get("exp")), _time_ms(claims.get("nbf", 0))
        audience = claims.get("aud")
        if issuer.audience not in (audience if isinstance(audience, list) else [audience]):
            raise Refused(AUDIENCE_WRONG)
        if begins_ms > self._clock.now_ms() + self._leeway_ms:
            raise Refused(TOKEN_EARLY)
        caller = PlayerCaller(issuer.platform_id, PlayerId(player_id))
        return caller, expires_ms

    def _keep(self, token: str, verified: _Verified) -> None:
        self._verified[token] = verified
        self._verified.move_to_end(token)
        if len(self._verified) > self._verified_kept:
            self._verified.popitem(last=False)


def _time_ms(claim: object) -> int:
    """Return a time that a claim names in seconds, in milliseconds.

    Raises:
        Refused: ``TOKEN_INVALID``, it is no time after 1970.
    """
    if isinstance(claim, bool) or not isinstance(claim, int | float):
        raise Refused(CREDENTIAL_MALFORMED)
    if not 0 <= claim <= _GREATEST_NUMBER:  # neither is true of NaN
        raise Refused(CREDENTIAL_MALFORMED)
    return round(min(claim, _LATEST_S) * _MS)
