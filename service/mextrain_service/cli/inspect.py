"""``mextrain inspect``: how a game is, for those who run the service."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import grpc
import typer
from google.protobuf.json_format import MessageToDict

from mextrain_client import MextrainClient
from mextrain_service.cli.complaints import CliError
from mextrain_service.local.discovery import find_running


def register(app: typer.Typer) -> None:
    """Add the command to the root."""
    app.command("inspect")(_inspect)


def _inspect(
    game_id: Annotated[str, typer.Argument(help="Which game.")],
    endpoint: Annotated[
        str,
        typer.Option(
            envvar="MEXTRAIN_ENDPOINT",
            metavar="HOST:PORT",
            help="Which service. Without it: the one that runs on this machine.",
        ),
    ] = "",
    key: Annotated[
        str, typer.Option(envvar="MEXTRAIN_OPERATOR_KEY", help="The key of an operator.")
    ] = "",
    reveal_hands: Annotated[
        bool,
        typer.Option(
            "--reveal-hands", help="Show the live hands too: takes such a key, and is logged."
        ),
    ] = False,
    ca: Annotated[
        Path | None, typer.Option(help="Certificates to trust, PEM; connects with TLS.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the whole answer as JSON.")
    ] = False,
) -> None:
    """Show versions, clocks, seats, sizes and recent errors of a game, and no hand."""
    if not key:
        raise CliError(
            "Inspecting a game takes the key of an operator.",
            "Give it with --key or MEXTRAIN_OPERATOR_KEY; `mextrain keys operator NAME` makes one.",
        )
    with MextrainClient(endpoint or _own_endpoint(), key, tls=_tls(ca)) as client:
        answer = client.inspect_game(game_id, reveal_hands=reveal_hands)
    found = MessageToDict(answer, preserving_proto_field_name=True)
    if as_json:
        print(json.dumps(found))
        return
    for line in _lines(game_id, found):
        print(line)


def _own_endpoint() -> str:
    running = find_running()
    if running is None:
        raise CliError("No service runs on this machine.", "Name one with --endpoint.")
    return running.endpoint


def _tls(authorities: Path | None) -> grpc.ChannelCredentials | None:
    if authorities is None:
        return None
    try:
        return grpc.ssl_channel_credentials(authorities.read_bytes())
    except OSError as error:
        raise CliError(f"{authorities} cannot be read: {error.strerror}.") from None


def _lines(game_id: str, found: dict[str, Any]) -> Iterator[str]:
    game, stored = found.get("game"), found.get("stored", {})
    if game is None:
        yield f"{game_id}: what is stored cannot be read"
    else:
        yield from _game_lines(game_id, found["platform_id"], game)
        yield from _seat_lines(game["seats"], found["token_generations"], found.get("hands", []))
    sizes = ", ".join(
        f"{name} {stored.get(f'{name}_bytes', 0):,} bytes" for name in ("snapshot", "log", "memory")
    )
    yield f"stored    {sizes}, {stored.get('idempotency_records', 0)} idempotency records"
    yield f"expires   {stored.get('expire_time', 'never')}"
    yield f"faults    {', '.join(stored.get('faults', [])) or 'none'}"
    for error in found.get("recent_errors", []):
        reason = error["reason"].removeprefix("ERROR_REASON_")
        yield f"error     {error['time']} {error['method']} {reason} ({error.get('call_id', '')})"


def _game_lines(game_id: str, platform_id: str, game: dict[str, Any]) -> Iterator[str]:
    view = game["view"]
    round_ = view.get("round", {})
    yield f"game      {game_id} of {platform_id}, rules {game['rules'].get('name', '?')}"
    yield f"version   {view.get('version', 0)}, {view['phase'].removeprefix('PHASE_').lower()}"
    if round_:
        yield f"round     {round_.get('number', 0)}, turn of seat {round_.get('turn', 0)}"
    yield f"changed   {game['update_time']}, made {game['create_time']}"
    if "turn_deadline" in view:
        yield f"deadline  {view['turn_deadline']}"
    if game.get("banks"):
        yield f"banks     {', '.join(game['banks'])}"


def _seat_lines(
    seats: list[dict[str, Any]], generations: list[int], hands: list[dict[str, Any]]
) -> Iterator[str]:
    for number, (seat, generation) in enumerate(zip(seats, generations, strict=True)):
        holder = seat.get("person") or seat.get("bot") or {}
        kind = "person" if "person" in seat else "bot" if "bot" in seat else "open"
        facts = [
            kind,
            holder.get("player_id", ""),
            f"token {generation}" if kind == "person" else "",
            "resigned" if seat.get("resigned") else "",
            f"missed {seat['missed_turns']}" if seat.get("missed_turns") else "",
            "a bot stands in" if "stand_in" in seat else "",
        ]
        yield f"seat {number:<4} {', '.join(filter(None, facts))}"
        if number < len(hands):
            tiles = (
                f"{tile.get('high', 0)}-{tile.get('low', 0)}" for tile in hands[number]["tiles"]
            )
            yield f"  hand    {' '.join(tiles)}"
