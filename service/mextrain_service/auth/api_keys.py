"""Keys of platforms, for calls from server to server.

The service keeps digests only: it can recognise a key and cannot show one. Knows nothing of where
settings come from.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mextrain_service.application.callers import PlatformCaller
from mextrain_service.application.model import PlatformId
from mextrain_service.application.ports import Entropy
from mextrain_service.auth.errors import ApiKeyUnknownError, CredentialMalformedError

API_KEY_PREFIX = "mxk_"
"""What every key starts with, so that scanners for leaked secrets can find one."""

_PLATFORM = "[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?"
_PLATFORM_TEXT = re.compile(_PLATFORM, re.ASCII)
_KEY_TEXT = re.compile(rf"{API_KEY_PREFIX}({_PLATFORM})_[A-Za-z0-9_-]{{22,86}}", re.ASCII)
_SECRET_BYTES = 32
_NO_KEY = bytes(32)


@dataclass(frozen=True, slots=True)
class NewApiKey:
    """A key that was just made. Its text is shown once; the digest goes into the settings.

    Attributes:
        platform_id: whose key it is.
        text: the secret that the platform sends.
        digest: SHA-256 of the text, 32 bytes.
    """

    platform_id: PlatformId
    text: str
    digest: bytes


class ApiKeys:
    """The keys that are accepted: several for one platform, so that they can be changed."""

    def __init__(self, digests: Mapping[PlatformId, Iterable[bytes]]) -> None:
        """Take the SHA-256 digests of the keys of each platform.

        Raises:
            ValueError: a platform's name or a digest is malformed.
        """
        self._digests = {
            platform_id_of(name): tuple(_checked(digest) for digest in known)
            for name, known in digests.items()
        }

    def caller(self, text: str) -> PlatformCaller:
        """Return the platform whose key this is.

        How long it takes says nothing of how much of a key is right.

        Raises:
            CredentialMalformedError: the text is not written like a key.
            ApiKeyUnknownError: it is no key of that platform.
        """
        found = _KEY_TEXT.fullmatch(text)
        if found is None:
            raise CredentialMalformedError
        platform_id = PlatformId(found[1])
        digest = digest_of(text)
        matches = [
            hmac.compare_digest(digest, known)
            for known in self._digests.get(platform_id, (_NO_KEY,))
        ]
        if not any(matches):
            raise ApiKeyUnknownError
        return PlatformCaller(platform_id)


def generate_api_key(platform_id: PlatformId, entropy: Entropy) -> NewApiKey:
    """Make a key with 256 bits of entropy.

    Raises:
        ValueError: the platform's name is malformed.
    """
    secret = base64.urlsafe_b64encode(entropy.token_bytes(_SECRET_BYTES)).rstrip(b"=").decode()
    text = f"{API_KEY_PREFIX}{platform_id_of(platform_id)}_{secret}"
    return NewApiKey(platform_id, text, digest_of(text))


def digest_of(text: str) -> bytes:
    """Return what is kept of a key: SHA-256 of its text. It has entropy enough to need no salt."""
    return hashlib.sha256(text.encode()).digest()


def platform_id_of(name: str) -> PlatformId:
    """Return the name as a platform's, if it is one: 1 to 32 of ``a-z 0-9 -``.

    Raises:
        ValueError: it is not.
    """
    if _PLATFORM_TEXT.fullmatch(name) is None:
        message = f"a platform is named by 1 to 32 of a-z, 0-9 and inner hyphens, not {name!r}"
        raise ValueError(message)
    return PlatformId(name)


def _checked(digest: bytes) -> bytes:
    if len(digest) != len(_NO_KEY):
        message = f"a digest of an API key has {len(_NO_KEY)} bytes, not {len(digest)}"
        raise ValueError(message)
    return digest
