"""Why a credential is not accepted.

The messages never repeat the credential.
"""

from __future__ import annotations


class CredentialError(Exception):
    """The base of what a check of a credential raises."""


class CredentialInvalidError(CredentialError):
    """The credential proves nothing.

    Attributes:
        cause: ``malformed``, ``forged``, ``unknown_key``, ``unknown_issuer``, ``wrong_audience`` or
            ``not_yet_valid``: stable and machine-readable.
    """

    cause = "malformed"


class CredentialMalformedError(CredentialInvalidError):
    """The text is neither an API key nor a token."""

    cause = "malformed"

    def __init__(self) -> None:
        super().__init__("the credential cannot be read; send 'authorization: Bearer <credential>'")


class CredentialForgedError(CredentialInvalidError):
    """The token is not signed by this service with the algorithm and a key that it uses."""

    cause = "forged"

    def __init__(self) -> None:
        super().__init__("the token was not issued by this service, or it was altered")


class ApiKeyUnknownError(CredentialInvalidError):
    """The API key is well formed, and this service does not know it, or no longer does."""

    cause = "unknown_key"

    def __init__(self) -> None:
        super().__init__("this API key is not known, or no longer")


class IssuerUnknownError(CredentialInvalidError):
    """The token was issued by somebody whose players this service does not know."""

    cause = "unknown_issuer"

    def __init__(self) -> None:
        super().__init__("this service accepts no tokens of this issuer")


class AudienceWrongError(CredentialInvalidError):
    """The token was issued for the use of another service."""

    cause = "wrong_audience"

    def __init__(self) -> None:
        super().__init__("the token is meant for another service")


class TokenEarlyError(CredentialInvalidError):
    """The token is good from a moment on that has not come yet."""

    cause = "not_yet_valid"

    def __init__(self) -> None:
        super().__init__("the token is not good yet")


class TokenExpiredError(CredentialError):
    """The token is genuine and its time is over.

    Attributes:
        expired_ms: since when, in milliseconds since the epoch.
    """

    def __init__(self, expired_ms: int) -> None:
        super().__init__("the token has expired")
        self.expired_ms = expired_ms
