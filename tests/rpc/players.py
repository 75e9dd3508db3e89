"""Players with tokens that their platforms issue, as an identity provider would."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from joserfc.jwk import ECKey
from joserfc.jws import serialize_compact

from mextrain_service.application.model import PlatformId
from mextrain_service.application.ports import Clock
from mextrain_service.auth.player_tokens import PlatformIssuer, PlayerTokens
from mextrain_service.auth.public_keys import PublicKeys

AUDIENCE = "mextrain"


def issuer_of(platform: str) -> str:
    """Return what the identity provider of a platform is called."""
    return f"https://id.{platform}.example"


@cache
def signing_key(name: str) -> ECKey:
    """Return a private key of an identity provider, always the same one of a name."""
    return ECKey.generate_key("P-256", {"kid": name, "use": "sig"})


def key_set(*names: str) -> str:
    """Return the public halves of such keys as a JSON Web Key Set."""
    return json.dumps({"keys": [signing_key(name).as_dict(private=False) for name in names]})


def player_token(
    player_id: str, *, platform: str = "acme", key: str = "", expires_s: int = 2**40, **claims: Any
) -> str:
    """Return a token of a player; further claims replace those of a good one."""
    whole = {
        "iss": issuer_of(platform),
        "aud": AUDIENCE,
        "sub": player_id,
        "exp": expires_s,
        **claims,
    }
    name = key or platform
    payload = json.dumps(whole)  # escaped as ASCII, so that any text can be claimed
    return serialize_compact({"alg": "ES256", "kid": name}, payload, signing_key(name))


class Players:
    """The players of two platforms."""

    def tokens(self, clock: Clock) -> PlayerTokens:
        """Return what recognises their tokens."""
        issuers = [self.issuer(platform) for platform in ("acme", "rival")]
        for issuer in issuers:
            issuer.keys.replace(key_set(issuer.platform_id))
        return PlayerTokens(issuers, clock)

    def issuer(self, platform: str) -> PlatformIssuer:
        """Return the identity provider of a platform, whose keys are still to be read."""
        name = PlatformId(platform)
        return PlatformIssuer(name, issuer_of(platform), AUDIENCE, PublicKeys())
