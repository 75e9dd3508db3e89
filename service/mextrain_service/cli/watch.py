"""``mextrain watch``: a game as it happens, line by line."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from mextrain_service.cli.complaints import CliError
from mextrain_service.cli.connection import EndpointOption, KeyOption
from mextrain_service.cli.drawing import tell_all
from mextrain_service.client import Ended, Happened, MextrainClient, Reset, Update
from mextrain_service.local.discovery import find_running

_ENDS = {"FINISHED": "The match is over.", "DELETED": "The game is gone."}


def register(app: typer.Typer) -> None:
    """Add the command to the root."""
    app.command("watch", help="Follow a game live.")(_watch)


def _watch(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The ID of the game.")],
    after: Annotated[
        str,
        typer.Option(
            metavar="CURSOR",
            help="Begin after this cursor, or with 'start' to hear everything. Default: now.",
        ),
    ] = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object for each update instead.")
    ] = False,
    token: Annotated[
        str,
        typer.Option(
            envvar="MEXTRAIN_TOKEN",
            help="A seat's or a spectator's token, to see what they see; else the platform's key.",
            rich_help_panel="Service",
        ),
    ] = "",
    endpoint: EndpointOption = "",
    key: KeyOption = "",
) -> None:
    endpoint, credential = _service(endpoint, token or key)
    with MextrainClient(endpoint, credential) as client:
        names = _names(client.get_game(game).names)
        from_start = after == "start"
        cursor = "" if from_start else after
        for update in client.watch(game, cursor, from_start=from_start):
            if line := _as_json(update) if as_json else _in_words(update, names):
                print(line, flush=True)


def _service(endpoint: str, credential: str) -> tuple[str, str]:
    """Return where to watch, and as whom.

    Raises:
        CliError: nothing says where, or as whom.
    """
    running = None if endpoint else find_running()
    if running is not None:
        return running.endpoint, credential or running.platform_key
    if not endpoint:
        raise CliError(
            "No service runs on this machine.", "Name one with --endpoint or MEXTRAIN_ENDPOINT."
        )
    if not credential:
        raise CliError("Watching takes a credential.", "Give it with --token or --key.")
    return endpoint, credential


def _names(given: tuple[str, ...]) -> list[str]:
    return [name or f"Seat {seat}" for seat, name in enumerate(given)]


def _in_words(update: Update, names: list[str]) -> str:
    match update:
        case Happened(_, events):
            return "\n".join(tell_all(events, names))
        case Reset(_, game):
            return f"{game.game_id} at version {game.table.version}"
        case Ended(reason):
            return _ENDS.get(reason, reason)


def _as_json(update: Update) -> str:
    match update:
        case Happened(version, events, cursor):
            facts = [{"event": type(each).__name__, **asdict(each)} for each in events]
            told = {"version": version, "cursor": cursor, "events": facts}
            return json.dumps(told, default=_plain)
        case Reset(reason, game):
            table = game.table
            return json.dumps({"version": table.version, "cursor": table.cursor, "reset": reason})
        case Ended(reason, version):
            return json.dumps({"version": version, "end": reason})


def _plain(value: object) -> object:
    return getattr(value, "value", str(value))
