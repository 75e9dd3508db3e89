"""Requests that change a seat, as commands of their use cases."""

from __future__ import annotations

from mextrain.v1 import game_service_pb2 as pb

from mextrain_engine import MAX_SEATS
from mextrain_service.application.add_entropy import AddEntropyCommand
from mextrain_service.application.claim_seat import ClaimSeatCommand
from mextrain_service.application.model import MAX_ENTROPY_BYTES, BotLevel, PlayerId
from mextrain_service.application.resign_seat import ResignSeatCommand
from mextrain_service.application.seats import NewHolder
from mextrain_service.application.substitute_seat import (
    HolderReturns,
    Substitute,
    SubstituteSeatCommand,
)
from mextrain_service.rpc.messages.checking import (
    MAX_ID_CHARACTERS,
    OUT_OF_RANGE,
    REQUIRED,
    Checked,
)
from mextrain_service.rpc.messages.games import BOT_LEVELS
from mextrain_service.rpc.messages.requests import expected_version

MAX_ROUND = 50
"""The most rounds that a match has."""


def claim_seat_command(request: pb.ClaimSeatRequest) -> ClaimSeatCommand:
    """Read a ClaimSeatRequest.

    Raises:
        InvalidRequestError: with every violation.
    """
    checked = Checked()
    player_id = checked.text("player_id", request.player_id, MAX_ID_CHARACTERS)
    command = ClaimSeatCommand(
        game_id=checked.game_id("game_id", request.game_id),
        seat=_seat(checked, request.seat),
        player_id=PlayerId(player_id) if player_id else None,
        display_name=checked.name("display_name", request.display_name),
        request_id=checked.request_id("request_id", request.request_id),
        expected_version=expected_version(checked, request),
    )
    checked.finish()
    return command


def resign_seat_command(request: pb.ResignSeatRequest) -> ResignSeatCommand:
    """Read a ResignSeatRequest.

    Raises:
        InvalidRequestError: with every violation.
    """
    checked = Checked()
    command = ResignSeatCommand(
        game_id=checked.game_id("game_id", request.game_id),
        seat=_seat(checked, request.seat),
        request_id=checked.request_id("request_id", request.request_id),
        expected_version=expected_version(checked, request),
    )
    checked.finish()
    return command


def substitute_seat_command(request: pb.SubstituteSeatRequest) -> SubstituteSeatCommand:
    """Read a SubstituteSeatRequest.

    Raises:
        InvalidRequestError: with every violation.
    """
    checked = Checked()
    command = SubstituteSeatCommand(
        game_id=checked.game_id("game_id", request.game_id),
        seat=_seat(checked, request.seat),
        substitute=_substitute(checked, request),
        request_id=checked.request_id("request_id", request.request_id),
        expected_version=expected_version(checked, request),
    )
    checked.finish()
    return command


def add_entropy_command(request: pb.AddEntropyRequest) -> AddEntropyCommand:
    """Read an AddEntropyRequest.

    Raises:
        InvalidRequestError: with every violation.
    """
    checked = Checked()
    if not 1 <= len(request.entropy) <= MAX_ENTROPY_BYTES:
        code = OUT_OF_RANGE if request.entropy else REQUIRED
        checked.found("entropy", code, f"1 to {MAX_ENTROPY_BYTES} bytes")
    command = AddEntropyCommand(
        game_id=checked.game_id("game_id", request.game_id),
        seat=_seat(checked, request.seat),
        entropy=request.entropy,
        number=checked.number("round", request.round, 0, MAX_ROUND),
        request_id=checked.request_id("request_id", request.request_id),
        expected_version=expected_version(checked, request),
    )
    checked.finish()
    return command


def _seat(checked: Checked, seat: int) -> int:
    return checked.number("seat", seat, 0, MAX_SEATS - 1)


def _substitute(checked: Checked, request: pb.SubstituteSeatRequest) -> Substitute:
    match request.WhichOneof("substitute"):
        case "bot":
            return checked.member("bot.level", BOT_LEVELS, request.bot.level, BotLevel.GREEDY)
        case "person":
            person = request.person
            player_id = checked.text(
                "person.player_id", person.player_id, MAX_ID_CHARACTERS, required=True
            )
            name = checked.name("person.display_name", person.display_name)
            return NewHolder(PlayerId(player_id), name)
        case "holder" if request.holder:
            return HolderReturns()
        case _:
            checked.found("substitute", REQUIRED, "a bot, a person, or the holder")
            return HolderReturns()
