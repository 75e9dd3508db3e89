"""Requests as commands of the use cases, with every violation found at once."""

from __future__ import annotations

from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.channel_pb2 import PlayMoves
from mextrain.v1.operator_service_pb2 import InspectGameRequest

from mextrain_engine import MAX_SEATS, MIN_SEATS, Move
from mextrain_service.application.chosen_rules import RulesChoice
from mextrain_service.application.create_game import CreateGameCommand
from mextrain_service.application.model import BotLevel, GameId
from mextrain_service.rpc.messages.checking import Checked
from mextrain_service.rpc.messages.games import BOT_LEVELS
from mextrain_service.rpc.messages.move_requests import moves_of
from mextrain_service.rpc.messages.policies import policy_of
from mextrain_service.rpc.messages.rules_requests import rules_of
from mextrain_service.rpc.messages.seat_requests import seats_of

MAX_VERSION = 2**31 - 1

_Versioned = (
    pb.DealRoundRequest
    | pb.PlayMoveRequest
    | pb.DeleteGameRequest
    | pb.ClaimSeatRequest
    | pb.ResignSeatRequest
    | pb.SubstituteSeatRequest
    | pb.AddEntropyRequest
    | PlayMoves
)


def create_game_command(request: pb.CreateGameRequest) -> CreateGameCommand:
    """Read a CreateGameRequest.

    Raises:
        InvalidRequestError: with every violation.
    """
    checked = Checked()
    command = CreateGameCommand(
        rules=_rules(checked, request),
        seats=seats_of(checked, request.seats),
        policy=policy_of(checked, request.policy),
        request_id=checked.request_id("request_id", request.request_id),
        fixed_seed=request.fixed_seed if request.HasField("fixed_seed") else None,
    )
    checked.finish()
    return command


def write_arguments(
    request: pb.DealRoundRequest | pb.DeleteGameRequest,
) -> tuple[GameId, str, int | None]:
    """Read a request that changes a game and says nothing more: game, request id, version.

    Raises:
        InvalidRequestError: with every violation.
    """
    checked = Checked()
    game_id = checked.game_id("game_id", request.game_id)
    request_id = checked.request_id("request_id", request.request_id)
    version = expected_version(checked, request)
    checked.finish()
    return game_id, request_id, version


def play_move_arguments(
    request: pb.PlayMoveRequest,
) -> tuple[GameId, tuple[Move, ...], str, int | None, int | None]:
    """Read a PlayMoveRequest: the game, the moves, and what ``PlayMove`` takes besides.

    Raises:
        InvalidRequestError: with every violation.
    """
    checked = Checked()
    seat = request.seat if request.HasField("seat") else None
    game_id = checked.game_id("game_id", request.game_id)
    moves = moves_of(checked, request.moves)
    request_id = checked.request_id("request_id", request.request_id)
    version = expected_version(checked, request)
    if seat is not None:
        seat = checked.number("seat", seat, 0, MAX_SEATS - 1)
    checked.finish()
    return game_id, moves, request_id, version, seat


def game_id_of(
    request: (
        pb.GetGameRequest
        | pb.GetScoreRequest
        | pb.ListLegalMovesRequest
        | pb.ExportGameRequest
        | InspectGameRequest
    ),
) -> GameId:
    """Read a request that names a game and nothing else.

    Raises:
        InvalidRequestError: the name cannot be one.
    """
    checked = Checked()
    game_id = checked.game_id("game_id", request.game_id)
    checked.finish()
    return game_id


def suggest_move_arguments(request: pb.SuggestMoveRequest) -> tuple[GameId, BotLevel]:
    """Read a SuggestMoveRequest: the game and the level.

    Raises:
        InvalidRequestError: with every violation.
    """
    checked = Checked()
    game_id = checked.game_id("game_id", request.game_id)
    level = checked.member("level", BOT_LEVELS, request.level, BotLevel.GREEDY)
    checked.finish()
    return game_id, level


def explain_rules_arguments(
    request: pb.ExplainRulesRequest,
) -> tuple[RulesChoice, int | None]:
    """Read an ExplainRulesRequest: which rules, and for how many players.

    Raises:
        InvalidRequestError: with every violation.
    """
    checked = Checked()
    players = None
    if request.HasField("players"):
        players = checked.number("players", request.players, MIN_SEATS, MAX_SEATS)
    choice = _rules(checked, request)
    checked.finish()
    return choice, players


def _rules(checked: Checked, request: pb.CreateGameRequest | pb.ExplainRulesRequest) -> RulesChoice:
    return rules_of(checked, request.preset, request.overrides)


def expected_version(checked: Checked, request: _Versioned) -> int | None:
    """Read the version that a caller last saw; None when it does not say."""
    if not request.HasField("expected_version"):
        return None
    return checked.number("expected_version", request.expected_version, 0, MAX_VERSION)
