"""``mextrain watch``: a game as it happens, line by line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated

import typer
from google.protobuf.json_format import MessageToDict
from mextrain.v1.game_pb2 import Seat
from mextrain.v1.game_service_pb2 import WatchGameResponse
from mextrain.v1.watch_pb2 import EndReason

from mextrain_client import MextrainClient
from mextrain_service.cli.complaints import CliError
from mextrain_service.cli.connection import EndpointOption, KeyOption
from mextrain_service.cli.drawing import tell_all
from mextrain_service.local.discovery import find_running

_ENDS = {
    EndReason.END_REASON_FINISHED: "The match is over.",
    EndReason.END_REASON_DELETED: "The game is gone.",
}


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
        names = _names(client.get_game(game).game.seats)
        from_start = after == "start"
        cursor, version = ("", 0) if from_start else (after, None)
        for update in client.watch_game(game, cursor, after_version=version):
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


def _names(seats: Iterable[Seat]) -> list[str]:
    """Return what each seat is called."""
    given = (seat.person.display_name or seat.bot.display_name for seat in seats)
    return [name or f"Seat {seat}" for seat, name in enumerate(given)]


def _in_words(update: WatchGameResponse, names: list[str]) -> str:
    match update.WhichOneof("update"):
        case "events":
            return "\n".join(tell_all(update.events.events, names))
        case "reset":
            game = update.reset.game
            return f"{game.game_id} at version {game.view.version}"
        case _:
            return _ENDS.get(update.end.reason, "There is nothing more to hear.")


def _as_json(update: WatchGameResponse) -> str:
    return json.dumps(MessageToDict(update))
