"""Keys for calls from server to server: those of platforms, and those of operators.

The service keeps digests only: it can recognise a key and cannot show one.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from mextrain_service.application.callers import OperatorCaller, PlatformCaller
from mextrain_service.application.model import PlatformId
from mextrain_service.application.refused import API_KEY_UNKNOWN, CREDENTIAL_MALFORMED, Refused

API_KEY_PREFIX = "mxk_"
"""What every key of a platform starts with, so that scanners for leaked secrets can find one."""

OPERATOR_KEY_PREFIX = "mxo_"
"""What every key of an operator starts with."""

_OWNER = "[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?"
_OWNER_TEXT = re.compile(_OWNER, re.ASCII)
_SECRET_BYTES = 32
_NO_KEY = bytes(32)


@dataclass(frozen=True, slots=True)
class NewApiKey:
    """A key that was just made. Its text is shown once; the digest goes into the settings.

    Attributes:
        owner: whose key it is.
        text: the secret that the owner sends.
        digest: SHA-256 of the text, 32 bytes.
    """

    owner: str
    text: str
    digest: bytes

    @property
    def platform_id(self) -> PlatformId:
        """The owner, for a key of a platform."""
        return PlatformId(self.owner)

    def __repr__(self) -> str:
        """Name the key without showing it."""
        return f"NewApiKey({self.owner!r})"


class KnownKeys:
    """The keys of one kind that are accepted: several of one owner, so that they can be changed."""

    def __init__(self, prefix: str, digests: Mapping[str, Iterable[bytes]]) -> None:
        """Take what the keys begin with, and the SHA-256 digests of each owner's.

        Raises:
            ValueError: an owner's name or a digest is malformed.
        """
        self._written = re.compile(rf"{prefix}({_OWNER})_[A-Za-z0-9_-]{{22,86}}", re.ASCII)
        self._digests: dict[str, tuple[bytes, ...]] = {}
        self.replace(digests)

    def replace(self, digests: Mapping[str, Iterable[bytes]]) -> None:
        """Accept these keys from now on, and no others.

        Raises:
            ValueError: an owner's name or a digest is malformed; nothing was replaced.
        """
        self._digests = {
            owner_named(name): tuple(_checked(digest) for digest in known)
            for name, known in digests.items()
        }

    def owner_of(self, text: str) -> str:
        """Return whose key this is.

        How long it takes says nothing of how much of a key is right.

        Raises:
            Refused: ``TOKEN_INVALID``, the text is not written like a key.
            Refused: ``TOKEN_INVALID``, it is no key of that owner.
        """
        found = self._written.fullmatch(text)
        if found is None:
            raise Refused(CREDENTIAL_MALFORMED)
        digest = digest_of(text)
        known = self._digests.get(found[1], (_NO_KEY,))
        matches = [hmac.compare_digest(digest, each) for each in known]
        if not any(matches):
            raise Refused(API_KEY_UNKNOWN)
        return found[1]


class ApiKeys:
    """The keys of platforms that are accepted."""

    def __init__(self, digests: Mapping[PlatformId, Iterable[bytes]]) -> None:
        """Take the SHA-256 digests of the keys of each platform.

        Raises:
            ValueError: a platform's name or a digest is malformed.
        """
        self._keys = KnownKeys(API_KEY_PREFIX, dict(digests.items()))

    def replace(self, digests: Mapping[PlatformId, Iterable[bytes]]) -> None:
        """Accept these keys from now on; see ``KnownKeys.replace``."""
        self._keys.replace(dict(digests.items()))

    def caller(self, text: str) -> PlatformCaller:
        """Return the platform whose key this is; raises as ``KnownKeys.owner_of``."""
        return PlatformCaller(PlatformId(self._keys.owner_of(text)))


class OperatorKeys:
    """The keys of operators that are accepted: some may also see what is hidden in live games."""

    def __init__(
        self, digests: Mapping[str, Iterable[bytes]], revealing: Mapping[str, Iterable[bytes]]
    ) -> None:
        """Take the SHA-256 digests of each operator's keys, without and with that permission.

        Raises:
            ValueError: an operator's name or a digest is malformed.
        """
        self._keys = KnownKeys(OPERATOR_KEY_PREFIX, digests)
        self._revealing = KnownKeys(OPERATOR_KEY_PREFIX, revealing)

    def replace(
        self, digests: Mapping[str, Iterable[bytes]], revealing: Mapping[str, Iterable[bytes]]
    ) -> None:
        """Accept these keys from now on; see ``KnownKeys.replace``."""
        self._keys.replace(digests)
        self._revealing.replace(revealing)

    def caller(self, text: str) -> OperatorCaller:
        """Return the operator whose key this is; raises as ``KnownKeys.owner_of``."""
        try:
            return OperatorCaller(self._revealing.owner_of(text), reveals=True)
        except Refused:
            return OperatorCaller(self._keys.owner_of(text), reveals=False)


def generate_api_key(platform_id: PlatformId) -> NewApiKey:
    """Make a key of a platform with 256 bits of entropy.

    Raises:
        ValueError: the platform's name is malformed.
    """
    return _generated(API_KEY_PREFIX, platform_id)


def generate_operator_key(operator: str) -> NewApiKey:
    """Make a key of an operator with 256 bits of entropy.

    Raises:
        ValueError: the operator's name is malformed.
    """
    return _generated(OPERATOR_KEY_PREFIX, operator)


def digest_of(text: str) -> bytes:
    """Return what is kept of a key: SHA-256 of its text. It has entropy enough to need no salt."""
    return hashlib.sha256(text.encode()).digest()


def owner_named(name: str) -> str:
    """Return the name of a platform or an operator, if it is one: 1 to 32 of ``a-z 0-9 -``.

    Raises:
        ValueError: it is not.
    """
    if _OWNER_TEXT.fullmatch(name) is None:
        message = f"a platform is named by 1 to 32 of a-z, 0-9 and inner hyphens, not {name!r}"
        raise ValueError(message)
    return name


def platform_id_of(name: str) -> PlatformId:
    """Return the name as a platform's, if it is one; raises as ``owner_named``."""
    return PlatformId(owner_named(name))


def _generated(prefix: str, owner: str) -> NewApiKey:
    secret = base64.urlsafe_b64encode(secrets.token_bytes(_SECRET_BYTES)).rstrip(b"=").decode()
    text = f"{prefix}{owner_named(owner)}_{secret}"
    return NewApiKey(owner, text, digest_of(text))


def _checked(digest: bytes) -> bytes:
    if len(digest) != len(_NO_KEY):
        message = f"a digest of an API key has {len(_NO_KEY)} bytes, not {len(digest)}"
        raise ValueError(message)
    return digest
