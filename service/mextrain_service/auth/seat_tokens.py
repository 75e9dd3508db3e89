"""Tokens for one game: signed, bound to a seat and to its generation, good until they expire.

A token is a JWT signed with HS256.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from joserfc import jwt
from joserfc.errors import DecodeError, JoseError
from joserfc.jwk import GuestProtocol, OctKey
from joserfc.jws import JWSRegistry

from mextrain_service.application.answers import IssuedToken
from mextrain_service.application.callers import InvitedCaller, SeatCaller, SpectatorCaller
from mextrain_service.application.model import GameId
from mextrain_service.application.ports import WallClock
from mextrain_service.application.refused import (
    CREDENTIAL_MALFORMED,
    TOKEN_FORGED,
    Refused,
    token_expired,
)

ALGORITHM = "HS256"
"""The only algorithm; what a token's header says of it is never trusted."""

MIN_KEY_BYTES = 32
"""A signing key is no shorter than the digest that it makes."""

MAX_TOKEN_CHARACTERS = 1024
"""Longer texts are not even looked at; a token of this service has about 200."""

_MS = 1000
_REGISTRY = JWSRegistry(algorithms=[ALGORITHM])


TokenCaller = SeatCaller | SpectatorCaller | InvitedCaller
"""Whoever a token of this service can speak for."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A key that signs tokens.

    Attributes:
        key_id: its public name, which each token carries; 1 to 32 characters.
        secret: at least 32 bytes.
    """

    key_id: str
    secret: bytes

    def __repr__(self) -> str:
        """Name the key without showing it."""
        return f"SigningKey({self.key_id!r})"


@dataclass(frozen=True, slots=True)
class _Verified:
    caller: TokenCaller
    expires_ms: int


class SeatTokens:
    """Issues tokens with the first key and accepts those of every key that is given.

    To change keys: add the new one last on every worker, then move it to the front, then drop the
    old one when the last token that it signed has expired.
    """

    def __init__(
        self,
        keys: Sequence[SigningKey],
        lifetime_s: int,
        clock: WallClock,
        verified_kept: int = 8192,
    ) -> None:
        """Take the keys, the life of a token in seconds, and how many verified ones are kept.

        Raises:
            ValueError: there is no key, one is too short, or two have the same name.
        """
        self._keys: dict[str, OctKey] = {}
        self._signing_key_id = ""
        self._verified: OrderedDict[str, _Verified] = OrderedDict()
        self.replace(keys)
        self._lifetime_ms = lifetime_s * _MS
        self._clock = clock
        self._verified_kept = verified_kept

    def replace(self, keys: Sequence[SigningKey]) -> None:
        """Sign with the first of these keys from now on, and accept those of all of them.

        Raises:
            ValueError: there is no key, one is too short, or two have the same name; nothing was
                replaced.
        """
        imported = {key.key_id: _imported(key) for key in keys}
        if not keys or len(imported) != len(keys):
            message = "there must be at least one signing key, each with a name of its own"
            raise ValueError(message)
        self._keys, self._signing_key_id = imported, keys[0].key_id
        self._verified.clear()

    def seat_token(
        self, game_id: GameId, seat: int, generation: int, issued_ms: int
    ) -> IssuedToken:
        """Return a token for a seat, good for the token's life from ``issued_ms`` on."""
        return self._issued(seat, issued_ms, {"gid": game_id, "seat": seat, "gen": generation})

    def invitation(self, game_id: GameId, seat: int, issued_ms: int) -> IssuedToken:
        """Return an invitation to a seat, good for the token's life from ``issued_ms`` on."""
        return self._issued(seat, issued_ms, {"gid": game_id, "invite": seat})

    def spectator_token(self, game_id: GameId, issued_ms: int) -> IssuedToken:
        """Return a token for whoever may watch, good for the token's life from ``issued_ms`` on."""
        return self._issued(None, issued_ms, {"gid": game_id})

    def knows(self, token: str) -> bool:
        """Tell whether the token was verified before; its time may be over all the same."""
        return token in self._verified

    def caller(self, token: str) -> TokenCaller:
        """Return whom the token speaks for.

        A token that was verified before costs a look into a dictionary.

        Raises:
            Refused: ``TOKEN_INVALID``, the text is no token.
            Refused: ``TOKEN_INVALID``, no key of this service signed it.
            Refused: ``TOKEN_EXPIRED``, it is genuine and its time is over.
        """
        verified = self._verified.get(token)
        if verified is None:
            verified = self._verify(token)
            self._keep(token, verified)
        else:
            self._verified.move_to_end(token)
        if verified.expires_ms <= self._clock.now_ms():
            raise token_expired(verified.expires_ms)
        return verified.caller

    def _issued(self, seat: int | None, issued_ms: int, claims: dict[str, Any]) -> IssuedToken:
        expires_s = (issued_ms + self._lifetime_ms) // _MS
        header = {"alg": ALGORITHM, "kid": self._signing_key_id}
        key = self._keys[self._signing_key_id]
        token = jwt.encode(header, {**claims, "exp": expires_s}, key, registry=_REGISTRY)
        return IssuedToken(seat, token, expires_s * _MS)

    def _verify(self, token: str) -> _Verified:
        if not 0 < len(token) <= MAX_TOKEN_CHARACTERS or token.count(".") != 2:
            raise Refused(CREDENTIAL_MALFORMED)
        try:
            claims = jwt.decode(token, self._key_of, registry=_REGISTRY).claims
        except (DecodeError, ValueError, TypeError):
            raise Refused(CREDENTIAL_MALFORMED) from None
        except JoseError:
            raise Refused(TOKEN_FORGED) from None
        return _as_verified(claims)

    def _key_of(self, token: GuestProtocol) -> OctKey:
        key = self._keys.get(str(token.headers().get("kid")))
        if key is None:
            raise Refused(TOKEN_FORGED)
        return key

    def _keep(self, token: str, verified: _Verified) -> None:
        self._verified[token] = verified
        if len(self._verified) > self._verified_kept:
            self._verified.popitem(last=False)


def _imported(key: SigningKey) -> OctKey:
    if len(key.secret) < MIN_KEY_BYTES:
        message = f"signing key {key.key_id!r} has fewer than {MIN_KEY_BYTES} bytes"
        raise ValueError(message)
    return OctKey.import_key(key.secret, {"kid": key.key_id})


def _as_verified(claims: dict[str, Any]) -> _Verified:
    """Read claims that this service signed; another shape is another service's with our key."""
    game_id, expires_s = claims.get("gid"), claims.get("exp")
    seat, generation, invite = claims.get("seat"), claims.get("gen"), claims.get("invite")
    caller: TokenCaller
    match game_id, expires_s, seat, generation, invite:
        case str(), int(), int(), int(), None:
            caller = SeatCaller(GameId(game_id), seat, generation)
        case str(), int(), None, None, int():
            caller = InvitedCaller(GameId(game_id), invite)
        case str(), int(), None, None, None:
            caller = SpectatorCaller(GameId(game_id))
        case _:
            raise Refused(TOKEN_FORGED)
    return _Verified(caller, expires_s * _MS)
