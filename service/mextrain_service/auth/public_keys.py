"""The public keys with which a platform signs the tokens of its players: a JSON Web Key Set."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from joserfc.errors import JoseError
from joserfc.jwk import ECKey, JWKRegistry, OKPKey, RSAKey

PublicKey = RSAKey | ECKey | OKPKey
"""What a signature can be checked with and not made."""

MIN_RSA_BITS = 2_048
"""A shorter RSA key can be forged by who has the means; it is not accepted."""


class PublicKeys:
    """The keys that are accepted now. Empty until a set was read."""

    def __init__(self) -> None:
        self._keys: Mapping[str, PublicKey] = {}

    def __len__(self) -> int:
        """Return how many keys there are."""
        return len(self._keys)

    def replace(self, text: str | bytes) -> None:
        """Accept the keys of this set from now on, and no others.

        Keys that are for encryption, secret, or of a kind that is not used here are passed over.

        Raises:
            ValueError: the text is no set, or none of its keys can be used; nothing was replaced.
        """
        self._keys = _read(text)

    def key(self, key_id: str | None) -> PublicKey | None:
        """Return the key of this id; without an id the only key that there is; else None."""
        if key_id is None:
            return next(iter(self._keys.values())) if len(self._keys) == 1 else None
        return self._keys.get(key_id)


def _read(text: str | bytes) -> Mapping[str, PublicKey]:
    try:
        entries = json.loads(text)["keys"]
        keys = dict(filter(None, (_usable(entry) for entry in entries)))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError("not a JSON Web Key Set") from None
    if not keys:
        raise ValueError("no key in it can verify a player's token")
    return keys


def _usable(entry: dict[str, Any]) -> tuple[str, PublicKey] | None:
    if entry.get("use", "sig") != "sig" or entry.get("kty") not in {"RSA", "EC", "OKP"}:
        return None
    if entry["kty"] == "RSA" and 6 * len(entry["n"].rstrip("=")) < MIN_RSA_BITS:
        return None
    try:
        key = JWKRegistry.import_key(entry)
    except (JoseError, ValueError):
        return None
    if not isinstance(key, PublicKey) or key.is_private:
        return None
    return str(entry.get("kid", key.thumbprint())), key
