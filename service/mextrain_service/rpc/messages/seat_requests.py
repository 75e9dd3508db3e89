"""Seats as a request writes them."""

from __future__ import annotations

from collections.abc import Sequence

from mextrain.v1 import game_pb2

from mextrain_engine import MAX_SEATS, MIN_SEATS
from mextrain_service.application.model import (
    BotLevel,
    PlayerId,
    SeatHolder,
    SeatKind,
)
from mextrain_service.application.tokens import FIRST_GENERATION
from mextrain_service.rpc.messages.checking import (
    DUPLICATE,
    MAX_ID_CHARACTERS,
    OUT_OF_RANGE,
    REQUIRED,
    Checked,
)
from mextrain_service.rpc.messages.games import BOT_LEVELS

_NOBODY = PlayerId("")
_OPEN = SeatHolder(SeatKind.OPEN, _NOBODY, token_generation=0)


def seats_of(checked: Checked, messages: Sequence[game_pb2.Seat]) -> tuple[SeatHolder, ...]:
    """Read the seats of a request, in their order."""
    if not MIN_SEATS <= len(messages) <= MAX_SEATS:
        found = f"{MIN_SEATS} to {MAX_SEATS} seats, not {len(messages)}"
        checked.found("seats", OUT_OF_RANGE if messages else REQUIRED, found)
        return ()
    holders = tuple(_seat(checked, f"seats[{seat}]", each) for seat, each in enumerate(messages))
    _require_different_players(checked, holders)
    return holders


def _seat(checked: Checked, field: str, message: game_pb2.Seat) -> SeatHolder:
    match message.WhichOneof("holder"):
        case "person":
            return _person(checked, f"{field}.person", message.person)
        case "bot":
            return _bot(checked, f"{field}.bot", message.bot)
        case "open":
            return _OPEN
        case _:
            checked.found(field, REQUIRED, "a person, a bot, or an open seat")
            return _OPEN


def _person(checked: Checked, field: str, message: game_pb2.Person) -> SeatHolder:
    player_id = checked.text(
        f"{field}.player_id", message.player_id, MAX_ID_CHARACTERS, required=True
    )
    return SeatHolder(
        kind=SeatKind.PERSON,
        player_id=PlayerId(player_id),
        display_name=checked.name(f"{field}.display_name", message.display_name),
        token_generation=FIRST_GENERATION,
    )


def _bot(checked: Checked, field: str, message: game_pb2.Bot) -> SeatHolder:
    return SeatHolder(
        kind=SeatKind.BOT,
        player_id=_NOBODY,
        display_name=checked.name(f"{field}.display_name", message.display_name),
        bot_level=checked.member(f"{field}.level", BOT_LEVELS, message.level, BotLevel.GREEDY),
        token_generation=0,
    )


def _require_different_players(checked: Checked, holders: Sequence[SeatHolder]) -> None:
    """Note every seat whose player sits on an earlier one: a credential must mean one seat."""
    seen: set[PlayerId] = set()
    for seat, holder in enumerate(holders):
        if holder.player_id and holder.player_id in seen:
            found = "a player may hold only one seat"
            checked.found(f"seats[{seat}].person.player_id", DUPLICATE, found)
        seen.add(holder.player_id)
