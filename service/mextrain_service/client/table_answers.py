"""Reads the answers about tables: games made, listed and dealt, and seats that change hands."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from mextrain.v1 import game_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.client.answers import (
    Changed,
    Claimed,
    Contributed,
    Created,
    Game,
    GamePage,
    GameState,
    GameSummary,
    Substituted,
)
from mextrain_service.client.event_from_proto import read_events
from mextrain_service.client.from_proto import read_game, read_moment, read_phase
from mextrain_service.client.holders import read_seat


def read_created(answer: pb.CreateGameResponse) -> Created:
    """Return a game that was created, with its tokens."""
    spectator = answer.spectator_token
    tokens = [*answer.seat_tokens, *answer.invitations]
    if answer.HasField("spectator_token"):
        tokens.append(spectator)
    return Created(
        game=read_game(answer.game),
        seat_tokens={token.seat: token.token for token in answer.seat_tokens},
        invitations={token.seat: token.token for token in answer.invitations},
        spectator_token=spectator.token if answer.HasField("spectator_token") else None,
        expires_at=min(map(_expiry, tokens), default=None),
    )


def read_game_after(answer: pb.DealRoundResponse | pb.ResignSeatResponse) -> tuple[Game, Changed]:
    """Return the game after a change, and what happened in it."""
    game = read_game(answer.game)
    return game, Changed(game.table, tuple(read_events(answer.events)))


def read_claimed(answer: pb.ClaimSeatResponse) -> Claimed:
    """Return a seat that was taken."""
    return Claimed(
        game=read_game(answer.game),
        events=tuple(read_events(answer.events)),
        token=answer.seat_token.token,
        expires_at=_expiry(answer.seat_token),
    )


def read_substituted(answer: pb.SubstituteSeatResponse) -> Substituted:
    """Return a seat that was handed over."""
    has_token = answer.HasField("seat_token")
    return Substituted(
        game=read_game(answer.game),
        events=tuple(read_events(answer.events)),
        token=answer.seat_token.token if has_token else None,
        expires_at=_expiry(answer.seat_token) if has_token else None,
    )


def read_contributed(answer: pb.AddEntropyResponse) -> Contributed:
    """Return entropy that was added."""
    return Contributed(read_game(answer.game), tuple(read_events(answer.events)), answer.round)


def read_page(answer: pb.ListGamesResponse) -> GamePage:
    """Return a part of a list of games."""
    return GamePage(
        games=tuple(_read_summary(game) for game in answer.games),
        next_page_token=answer.next_page_token,
        server_time=read_moment(answer.server_time),
    )


def _read_summary(game: game_pb2.GameSummary) -> GameSummary:
    state = game_pb2.GameState.Name(game.state).removeprefix("GAME_STATE_").lower()
    return GameSummary(
        game_id=game.game_id,
        state=cast("GameState", state),
        rules_name=game.rules_name,
        seats=tuple(read_seat(seat) for seat in game.seats),
        seat=game.seat if game.HasField("seat") else None,
        version=game.version,
        phase=read_phase(game.phase),
        round_number=game.round_number,
        total_rounds=game.total_rounds,
        turn=game.turn if game.HasField("turn") else None,
        turn_deadline=read_moment(game.turn_deadline) if game.HasField("turn_deadline") else None,
        created_at=read_moment(game.create_time),
        updated_at=read_moment(game.update_time),
    )


def _expiry(token: game_pb2.AccessToken) -> datetime:
    return read_moment(token.expire_time)
