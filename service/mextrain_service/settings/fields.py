"""What the fields of all settings have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, SecretStr


class Concern(BaseModel):
    """Settings that belong together; immutable, and strict about names."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def split(value: object) -> object:
    """Turn ``a, b`` into its parts; let anything but text pass."""
    if not isinstance(value, str):
        return value
    return tuple(part.strip() for part in value.split(",") if part.strip())


def split_secrets(value: object) -> object:
    """Turn ``a, b`` into secrets."""
    parts = split(value)
    return tuple(map(SecretStr, parts)) if isinstance(parts, tuple) else parts
