"""The keys that a service on one machine makes for itself, and keeps if it has where."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Final

from mextrain_service.application.model import PlatformId
from mextrain_service.auth.api_keys import digest_of, generate_api_key

if TYPE_CHECKING:
    from pathlib import Path

LOCAL_PLATFORM: Final = PlatformId("local")
"""The platform that the key made by ``mextrain serve`` belongs to."""

_FILE: Final = "keys.json"


@dataclass(frozen=True, slots=True)
class LocalKeys:
    """One platform's API key, and the key that signs tokens.

    Attributes:
        platform_key: ``mxk_local_…``.
        signing_key: 43 characters, 256 bits.
    """

    platform_key: str
    signing_key: str

    def platform_entry(self) -> str:
        """Return the key as the settings take it: its platform and its SHA-256."""
        return f"{LOCAL_PLATFORM}:{digest_of(self.platform_key).hex()}"


def new_keys() -> LocalKeys:
    """Return keys that nobody can guess."""
    platform_key = generate_api_key(LOCAL_PLATFORM)
    return LocalKeys(platform_key.text, secrets.token_urlsafe(32))


def kept_keys(folder: Path) -> LocalKeys:
    """Return the keys of a data folder; make and keep them, readable by this user only, at first.

    Raises:
        OSError: the folder cannot be read or written.
        ValueError: the file is there and holds something else.
    """
    path = folder / _FILE
    try:
        text = path.read_text()
    except FileNotFoundError:
        keys = new_keys()
        _write_whole(path, json.dumps(asdict(keys), indent=1) + "\n")
        return keys
    try:
        return LocalKeys(**json.loads(text))
    except (ValueError, TypeError) as error:
        message = f"{path} does not hold keys; move it away to get new ones"
        raise ValueError(message) from error


def _write_whole(path: Path, text: str) -> None:
    draft = path.with_suffix(".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.rename(path)
