"""``mextrain keys``: makes keys, shows each once, and says what goes into the settings."""

from __future__ import annotations

import json
import secrets
from typing import Annotated

import typer

from mextrain_service.cli.complaints import CliError

_Name = Annotated[str, typer.Argument(help="Whose: 1 to 32 of a-z, 0-9 and inner hyphens.")]
_AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")]


def register(app: typer.Typer) -> None:
    """Add the commands to the root."""
    keys = typer.Typer(help="Create keys. Each is shown once and not stored.", no_args_is_help=True)
    keys.command("new")(_new)
    keys.command("operator")(_operator)
    keys.command("signing")(_signing)
    app.add_typer(keys, name="keys")


def _new(platform: _Name, as_json: _AsJson = False) -> None:
    """Make an API key for a platform."""
    _print_key(platform, "PLATFORM_KEYS", as_json=as_json)


def _operator(
    operator: _Name,
    reveal: Annotated[
        bool, typer.Option("--reveal", help="May also see the hands of live games.")
    ] = False,
    as_json: _AsJson = False,
) -> None:
    """Make a key for somebody who runs the service."""
    _print_key(operator, "REVEAL_KEYS" if reveal else "OPERATOR_KEYS", as_json=as_json)


def _signing() -> None:
    """Make a key that signs tokens of seats."""
    print(secrets.token_urlsafe(32))


def _print_key(owner: str, setting: str, *, as_json: bool) -> None:
    # Imported here, as is all of the service: the other commands start without it.
    from mextrain_service.application.model import PlatformId  # noqa: PLC0415
    from mextrain_service.auth.api_keys import (  # noqa: PLC0415
        generate_api_key,
        generate_operator_key,
    )
    from mextrain_service.auth.entries import KeyEntry  # noqa: PLC0415
    from mextrain_service.settings.model import variable  # noqa: PLC0415

    try:
        if setting == "PLATFORM_KEYS":
            key = generate_api_key(PlatformId(owner))
        else:
            key = generate_operator_key(owner)
    except ValueError as error:
        raise CliError(f"This is no name: {error}.") from None
    entry = str(KeyEntry(key.owner, key.digest))
    if as_json:
        print(json.dumps({"key": key.text, "entry": entry, "setting": variable("auth", setting)}))
        return
    print(f"Key:   {key.text}")
    print(f"Entry: {entry}")
    print()
    print("The key is shown only now: give it to the caller over a channel that you trust.")
    places = variable("auth", setting)
    if setting == "PLATFORM_KEYS":
        places += f", or as a line into the file of {variable('auth', 'platform_keys_file')}"
    print(f"The entry goes into {places}.")
