"""Lists of games: what is asked for, a game on one, and the token that leads to the next page."""

from __future__ import annotations

import base64
import binascii
import hashlib

from mextrain.v1 import game_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.application.list_games import (
    GamePage,
    GameState,
    GameSummary,
    ListGamesQuery,
)
from mextrain_service.application.model import GameId, PlayerId
from mextrain_service.application.ports import ListedGame
from mextrain_service.rpc.messages.checking import (
    MALFORMED,
    MAX_ID_CHARACTERS,
    UNKNOWN_VALUE,
    Checked,
)
from mextrain_service.rpc.messages.enums import EnumPair
from mextrain_service.rpc.messages.games import seat_messages
from mextrain_service.rpc.messages.times import timestamp
from mextrain_service.rpc.messages.views import PHASES

GAME_STATES = EnumPair(GameState, game_pb2.GameState.DESCRIPTOR)

DEFAULT_PAGE_SIZE = 50
MAX_PAGE_SIZE = 100
_ANY_SIZE = 2**31 - 1
_LIST_CHARACTERS = 8


def list_games_query(request: pb.ListGamesRequest) -> ListGamesQuery:
    """Read a ListGamesRequest.

    Raises:
        InvalidRequestError: with every violation.
    """
    checked = Checked()
    player_id = checked.text("player_id", request.player_id, MAX_ID_CHARACTERS)
    size = checked.number("page_size", request.page_size, 0, _ANY_SIZE)
    query = ListGamesQuery(
        player_id=PlayerId(player_id) if player_id else None,
        state=_state(checked, request),
        page_size=min(size or DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE),
        after=_after(checked, request),
    )
    checked.finish()
    return query


def list_games_message(request: pb.ListGamesRequest, page: GamePage) -> pb.ListGamesResponse:
    """Return a page of a list."""
    return pb.ListGamesResponse(
        games=[_summary(game) for game in page.games],
        next_page_token="" if page.next_after is None else _token(request, page.next_after),
        server_time=timestamp(page.server_time_ms),
    )


def _summary(game: GameSummary) -> game_pb2.GameSummary:
    deadline_ms = game.turn_deadline_ms
    return game_pb2.GameSummary(
        game_id=game.game_id,
        state=GAME_STATES.wire[game.state],
        rules_name=game.rules_name,
        seats=seat_messages(game.seats),
        seat=game.seat,
        version=game.version,
        phase=PHASES.wire[game.phase],
        round_number=game.round_number,
        total_rounds=game.total_rounds,
        turn=game.turn,
        turn_deadline=None if deadline_ms is None else timestamp(deadline_ms),
        create_time=timestamp(game.created_ms),
        update_time=timestamp(game.updated_ms),
    )


def _state(checked: Checked, request: pb.ListGamesRequest) -> GameState | None:
    if request.state and request.state not in GAME_STATES.member:
        checked.found("state", UNKNOWN_VALUE, f"unknown enum value {request.state}")
    return GAME_STATES.member.get(request.state)


def _after(checked: Checked, request: pb.ListGamesRequest) -> ListedGame | None:
    """Return where the page before ended; a token is good for its own list only."""
    if not request.page_token:
        return None
    try:
        text = base64.urlsafe_b64decode(request.page_token.encode()).decode()
        _, listed_ms, game_id = text.split(":")
        after = ListedGame(GameId(game_id), int(listed_ms))
    except (ValueError, binascii.Error):
        after = None
    if after is None or _token(request, after) != request.page_token:
        checked.found("page_token", MALFORMED, "invalid page token; use one of the same list")
        return None
    return after


def _token(request: pb.ListGamesRequest, after: ListedGame) -> str:
    whose = hashlib.sha256(f"{request.state}:{request.player_id}".encode()).hexdigest()
    text = f"{whose[:_LIST_CHARACTERS]}:{after.listed_ms}:{after.game_id}"
    return base64.urlsafe_b64encode(text.encode()).decode()
