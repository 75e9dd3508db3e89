"""Puts together what recognises callers, from the settings, and keeps it up to date."""

from __future__ import annotations

import hmac
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from mextrain_service.application.model import PlatformId
from mextrain_service.auth.api_keys import ApiKeys, OperatorKeys
from mextrain_service.auth.authenticator import Authenticator
from mextrain_service.auth.entries import KeyEntry, by_owner, meaningful_lines, parse_lines
from mextrain_service.auth.player_tokens import PlatformIssuer, PlayerTokens
from mextrain_service.auth.public_keys import PublicKeys
from mextrain_service.auth.seat_tokens import SeatTokens, SigningKey
from mextrain_service.settings.loading import SettingsError
from mextrain_service.settings.model import variable
from mextrain_service.worker.followed_files import FollowedFile, follow
from mextrain_service.worker.key_sets import KeySet, KeySets
from mextrain_service.worker.recurring import running

if TYPE_CHECKING:
    from mextrain_service.application.ports import WallClock
    from mextrain_service.settings.auth import AuthSettings

_KEY_ID_DIGITS: Final = 8


@dataclass(frozen=True, slots=True)
class Credentials:
    """What recognises callers.

    Attributes:
        authenticator: tells who is calling.
        tokens: issues and recognises tokens of seats and spectators.
    """

    authenticator: Authenticator
    tokens: SeatTokens


@asynccontextmanager
async def credentials(settings: AuthSettings, clock: WallClock) -> AsyncIterator[Credentials]:
    """Recognise callers as the settings say, and as files and issuers say from time to time.

    Raises:
        SettingsError: a file cannot be used.
    """
    api_keys = ApiKeys(_by_platform(settings.platform_keys))
    tokens = SeatTokens(_signing_keys(_secrets(settings)), settings.token_ttl_s, clock)
    files = tuple(_files(settings, api_keys, tokens))
    problems = tuple(filter(None, (_problem(name, file) for name, file in files)))
    if problems:
        raise SettingsError(problems)
    key_sets = _key_sets(settings)
    sets = KeySets(key_sets)
    await sets.read()
    authenticator = Authenticator(
        api_keys,
        tokens,
        PlayerTokens([each.issuer for each in key_sets], clock) if key_sets else None,
        OperatorKeys(by_owner(settings.operator_keys), by_owner(settings.reveal_keys)),
        sets.look_again,
    )
    followed = tuple(file for _, file in files)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(running(follow(followed, settings.reload_s), "files"))
        await stack.enter_async_context(running(sets.follow(settings.jwks_refresh_s), "key sets"))
        yield Credentials(authenticator, tokens)


def _by_platform(entries: Iterable[KeyEntry]) -> dict[PlatformId, list[bytes]]:
    return {PlatformId(owner): digests for owner, digests in by_owner(entries).items()}


def _secrets(settings: AuthSettings) -> list[bytes]:
    """Return the signing key, then the others."""
    keys = (settings.signing_key, *settings.other_signing_keys)
    return [key.get_secret_value().encode() for key in keys]


def _signing_keys(secrets: Sequence[bytes]) -> list[SigningKey]:
    """Return keys that are each named by their own digest; one that comes twice counts once."""
    keys = {
        hmac.digest(secret, b"mextrain key id", "sha256").hex()[:_KEY_ID_DIGITS]: secret
        for secret in secrets
    }
    return [SigningKey(key_id, secret) for key_id, secret in keys.items()]


def _files(
    settings: AuthSettings, api_keys: ApiKeys, tokens: SeatTokens
) -> Iterable[tuple[str, FollowedFile]]:
    """Yield each file with the setting that names it."""

    def platform_keys(text: str) -> None:
        api_keys.replace(_by_platform((*settings.platform_keys, *parse_lines(text))))

    def signing_keys(text: str) -> None:
        secrets = [line.encode() for _, line in meaningful_lines(text)]
        tokens.replace(_signing_keys(secrets))

    if settings.platform_keys_file is not None:
        yield "platform_keys_file", FollowedFile(settings.platform_keys_file, platform_keys)
    if settings.signing_keys_file is not None:
        yield "signing_keys_file", FollowedFile(settings.signing_keys_file, signing_keys)


def _problem(setting: str, file: FollowedFile) -> str:
    """Read a file for the first time; return what is wrong with it, or nothing."""
    try:
        file.read()
    except OSError as error:
        return f"{variable('auth', setting)}: {file.path} cannot be read: {error.strerror}"
    except ValueError as error:
        return f"{variable('auth', setting)}: {file.path} cannot be used: {error}"
    return ""


def _key_sets(settings: AuthSettings) -> list[KeySet]:
    return [
        KeySet(
            PlatformIssuer(PlatformId(each.platform), each.issuer, each.audience, PublicKeys()),
            each.jwks,
        )
        for each in settings.issuers
    ]
