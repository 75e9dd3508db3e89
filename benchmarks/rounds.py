"""One round of four people, recorded once and then played in as many games as are wanted.

Games with the same fixed seed are dealt alike, so what was legal in one is legal in all.
"""

from __future__ import annotations

import random
import uuid
from collections.abc import Generator
from dataclasses import dataclass, field

from google.protobuf import json_format
from google.protobuf.message import Message
from mextrain.v1 import game_pb2, game_service_pb2, move_pb2, view_pb2

from benchmarks.wire import Lane, Request, drive, json_request, request

SEED = 7
SEEDS = tuple(range(7, 15))
"""Games are dealt in so many ways, so that what a worker remembers of one helps few others."""
MODERN_PLAYERS = 8
"""The default rules seat no more; larger tables play by those of ThoughtCo."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A move of the recorded round.

    Attributes:
        seat: who makes it.
        move: the move as the contract has it.
        version: the game's version before it.
    """

    seat: int
    move: move_pb2.Move
    version: int


@dataclass(slots=True)
class Table:
    """A game at the service.

    Attributes:
        game_id: its id; empty until it is created.
        tokens: of its seats, in their order.
        seed: games of one seed are dealt alike.
    """

    game_id: str = ""
    tokens: list[str] = field(default_factory=list)
    seed: int = SEED


def tables_of_all_seeds(count: int) -> list[Table]:
    """Return so many tables, to be dealt in all the ways by turns."""
    return [Table(seed=SEEDS[number % len(SEEDS)]) for number in range(count)]


def call(method: str, message: Message, token: str) -> Request:
    """Return a call of the game service."""
    return request(f"/mextrain.v1.GameService/{method}", message.SerializeToString(), token)


def creating(table: Table, key: str, players: int = 4) -> Lane:
    """Create a game of people who play in no other one."""
    seats = [
        game_pb2.Seat(person=game_pb2.Person(player_id=f"{uuid.uuid4()}")) for _ in range(players)
    ]
    creation = game_service_pb2.CreateGameRequest(
        preset="modern" if players <= MODERN_PLAYERS else "thoughtco",
        seats=seats,
        request_id=_request_id(),
        fixed_seed=table.seed,
    )
    answer = yield call("CreateGame", creation, key)
    created = game_service_pb2.CreateGameResponse.FromString(answer)
    table.game_id = created.game.game_id
    table.tokens = [token.token for token in created.seat_tokens]


def opening(table: Table, key: str, players: int = 4) -> Lane:
    """Create a game and deal its first round; two calls."""
    yield from creating(table, key, players)
    yield _deal(table, key)


def playing(table: Table, turns: list[Turn]) -> Lane:
    """Make the moves of a recorded round, as the client makes them."""
    requests = [play_request(table, turn) for turn in turns]
    for each in requests:  # noqa: UP028 - what a lane is sent cannot be passed on to a list
        yield each


def in_json(table: Table, turns: list[Turn]) -> Lane:
    """Make the moves of a recorded round, as JSON."""
    messages = [move_request(table, turn) for turn in turns]
    requests = []
    for turn, message in zip(turns, messages, strict=True):
        message.game_id = ""
        body = json_format.MessageToJson(message, indent=None).encode()
        requests.append(
            json_request(f"/v1/games/{table.game_id}:play", body, table.tokens[turn.seat])
        )
    for each in requests:  # noqa: UP028 - what a lane is sent cannot be passed on to a list
        yield each


def reading(table: Table, method: str, times: int) -> Lane:
    """Ask the same of a game over and over, each time for the next seat."""
    message: Message = game_service_pb2.GetGameRequest(game_id=table.game_id)
    if method == "ListLegalMoves":
        message = game_service_pb2.ListLegalMovesRequest(game_id=table.game_id)
    requests = [call(method, message, token) for token in table.tokens]
    for time in range(times):
        yield requests[time % len(requests)]


def recorded(port: int, key: str, players: int = 4, seed: int = SEED) -> list[Turn]:
    """Play one round at random at the service, and return its moves.

    Args:
        port: of the service.
        key: of the platform.
        players: how many sit there.
        seed: of the deal; the moves are legal in each game that is dealt alike.
    """
    table = Table(seed=seed)
    turns: list[Turn] = []
    drive(port, [exploring(table, key, players, turns)])
    return turns


def whole_match(port: int, key: str, players: int = 4) -> tuple[Table, int]:
    """Play a match at random to its end; return it and how many moves it took."""
    table = Table()
    turns: list[Turn] = []
    drive(port, [_playing_on(table, key, players, turns)])
    return table, len(turns)


def _playing_on(table: Table, key: str, players: int, turns: list[Turn]) -> Lane:
    yield from opening(table, key, players)
    while True:
        phase = yield from _round_at_random(table, turns)
        if phase == view_pb2.PHASE_FINISHED:
            return
        yield _deal(table, key)


def exploring(table: Table, key: str, players: int, turns: list[Turn]) -> Lane:
    """Create a game, and play one round of it at random; note its moves in ``turns``."""
    yield from opening(table, key, players)
    yield from _round_at_random(table, turns)


def _round_at_random(
    table: Table, turns: list[Turn]
) -> Generator[Request, bytes, view_pb2.Phase.ValueType]:
    """Make moves until the round is over; return the phase after it."""
    rng = random.Random(SEED)
    answer = yield call(
        "GetGame", game_service_pb2.GetGameRequest(game_id=table.game_id), table.tokens[0]
    )
    view = game_service_pb2.GetGameResponse.FromString(answer).game.view
    while view.phase == view_pb2.PHASE_PLAYING:
        seat = view.round.turn
        listing = game_service_pb2.ListLegalMovesRequest(game_id=table.game_id)
        answer = yield call("ListLegalMoves", listing, table.tokens[seat])
        moves = game_service_pb2.ListLegalMovesResponse.FromString(answer).moves
        turn = Turn(seat, rng.choice(moves), view.version)
        turns.append(turn)
        answer = yield play_request(table, turn)
        view = game_service_pb2.PlayMoveResponse.FromString(answer).view
    return view.phase


def _deal(table: Table, key: str) -> Request:
    message = game_service_pb2.DealRoundRequest(game_id=table.game_id, request_id=_request_id())
    return call("DealRound", message, key)


def play_request(table: Table, turn: Turn) -> Request:
    """Return the call that makes a move of a recorded round."""
    return call("PlayMove", move_request(table, turn), table.tokens[turn.seat])


def move_request(table: Table, turn: Turn) -> game_service_pb2.PlayMoveRequest:
    """Return the message of that call."""
    return game_service_pb2.PlayMoveRequest(
        game_id=table.game_id,
        moves=[turn.move],
        request_id=_request_id(),
        expected_version=turn.version,
    )


def _request_id() -> str:
    return str(uuid.uuid4())
