"""Who may call: keys and tokens, as an operator names them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, SecretStr, field_serializer, field_validator
from pydantic_settings import NoDecode

from mextrain_service.auth.api_keys import platform_id_of
from mextrain_service.auth.entries import KeyEntry, parse_entry
from mextrain_service.settings.fields import Concern, split, split_secrets

SIGNING_KEY_MIN_CHARS = 32
"""The shortest signing key that is accepted: HS256 wants as many bits as its digest has."""

_Entries = Annotated[tuple[KeyEntry, ...], NoDecode]


def _entries(value: object) -> object:
    """Turn ``owner:digest, owner:digest`` into entries.

    Raises:
        ValueError: one is not written so; with its number.
    """
    parts = split(value)
    if not isinstance(parts, tuple):
        return parts
    entries = []
    for number, part in enumerate(parts, 1):
        try:
            entries.append(parse_entry(part))
        except ValueError:
            message = f"entry {number} should be <owner>:<64 hexadecimal digits>"
            raise ValueError(message) from None
    return tuple(entries)


class IssuerSettings(Concern):
    """Whose tokens the players of a platform come with.

    Attributes:
        platform: whose players they are.
        issuer: the claim ``iss`` of the tokens.
        audience: what their claim ``aud`` must be or hold.
        jwks: the issuer's public keys: the path of a file, or an ``https://`` address.
    """

    platform: str
    issuer: str = Field(min_length=1)
    audience: str = Field(min_length=1)
    jwks: str = Field(min_length=1)

    @field_validator("platform")
    @classmethod
    def _named(cls, platform: str) -> str:
        return platform_id_of(platform)

    @property
    def is_remote(self) -> bool:
        """Whether the keys are fetched from elsewhere."""
        return self.jwks.startswith(("https://", "http://"))


class AuthSettings(Concern):
    """Who may call."""

    platform_keys: Annotated[_Entries, BeforeValidator(_entries)] = Field(
        default=(),
        description="Platforms and their API keys, comma-separated: "
        "`<platform>:<SHA-256 of the key, hex>`. Name a platform twice while its key rotates. "
        "Required, unless they are in a file.",
    )
    platform_keys_file: Path | None = Field(
        default=None,
        description="File with more of these entries, one a line, `#` for remarks. It is read "
        "again when it changes, so that keys rotate without a restart.",
    )
    signing_key: SecretStr = Field(
        min_length=SIGNING_KEY_MIN_CHARS,
        description="Signs seat and spectator tokens and derives game ids: at least 32 characters "
        "that nobody can guess, the same on all replicas.",
    )
    signing_key_file: Path | None = Field(
        default=None,
        description="File that holds this one key instead. It is read once, at start-up.",
    )
    other_signing_keys: Annotated[
        tuple[SecretStr, ...], NoDecode, BeforeValidator(split_secrets)
    ] = Field(
        default=(),
        description="Further keys whose tokens are accepted, comma-separated. To change keys: add "
        "the new one here on all replicas, then make it the signing key and keep the old one "
        "here until its last token has expired.",
    )
    signing_keys_file: Path | None = Field(
        default=None,
        description="File with the keys of tokens instead, one a line, `#` for remarks: the first "
        "signs, all are accepted. It is read again when it changes. The signing key then derives "
        "game ids only, and stays.",
    )
    token_ttl_s: int = Field(
        default=7 * 86_400,
        ge=60,
        le=366 * 86_400,
        description="How long a seat or spectator token is valid, in seconds.",
    )
    issuers: tuple[IssuerSettings, ...] = Field(
        default=(),
        description="Whose own tokens players may come with, as JSON: "
        '`[{"platform": "acme", "issuer": "https://id.acme.example", "audience": "mextrain", '
        '"jwks": "https://id.acme.example/jwks.json"}]`; `jwks` may be the path of a file. The '
        "claim `sub` is the player, who has the seats whose `player_id` it is.",
    )
    jwks_refresh_s: int = Field(
        default=300,
        ge=10,
        le=86_400,
        description="How often the keys of issuers are fetched anew, in seconds; also, at most "
        "every ten seconds, when a token names a key that is not known.",
    )
    reload_s: float = Field(
        default=5.0,
        ge=0.05,
        le=3_600,
        description="How often files with keys are checked for changes, in seconds.",
    )
    operator_keys: Annotated[_Entries, BeforeValidator(_entries)] = Field(
        default=(),
        description="Operators and their keys, comma-separated, written as those of platforms. "
        "They see versions, clocks, seats and sizes of any game, and no hand.",
    )
    reveal_keys: Annotated[_Entries, BeforeValidator(_entries)] = Field(
        default=(),
        description="Keys of operators who may also see what is hidden in a live game; each time "
        "that they do is logged for audit.",
    )

    @field_serializer("platform_keys", "operator_keys", "reveal_keys")
    def _as_written(self, entries: tuple[KeyEntry, ...]) -> tuple[str, ...]:
        return tuple(map(str, entries))

    @field_validator("other_signing_keys")
    @classmethod
    def _long_enough(cls, keys: tuple[SecretStr, ...]) -> tuple[SecretStr, ...]:
        if any(len(key.get_secret_value()) < SIGNING_KEY_MIN_CHARS for key in keys):
            message = f"each should have at least {SIGNING_KEY_MIN_CHARS} characters"
            raise ValueError(message)
        return keys
