"""Games with open seats, and what becomes of seats, in tests."""

from __future__ import annotations

from typing import Any

from mextrain.v1 import event_pb2, game_pb2
from mextrain.v1 import game_service_pb2 as pb

from tests.rpc.games import Seated, seat_all
from tests.rpc.serving import Client, persons

OPEN = game_pb2.Seat(open=game_pb2.OpenSeat())
LONG_ID = "2d0b1f6e-6e0a-4b5a"


async def with_open_seat(platform: Client, **fields: Any) -> tuple[pb.CreateGameResponse, Client]:
    """Create a game of a person and an open seat; return it with a client that is invited."""
    request = pb.CreateGameRequest(seats=[*persons(1), OPEN], fixed_seed=7, **fields)
    made = await platform.create_game(request)
    return made, platform.bearing(made.invitations[0].token)


def seat_changes(events: Any) -> list[tuple[int, str]]:
    """Return what became of seats by these events."""
    return [
        (
            event.seat_changed.seat,
            event_pb2.SeatChange.Name(event.seat_changed.change).removeprefix("SEAT_CHANGE_"),
        )
        for event in events
        if event.HasField("seat_changed")
    ]


def holder_of(seat: game_pb2.Seat) -> str:
    return str(seat.WhichOneof("holder"))


async def dealt(platform: Client, **policy: Any) -> tuple[Seated, int]:
    """Return a game of two persons with a round under way, and the seat to move."""
    table = game_pb2.TablePolicy(**policy)
    seated = await seat_all(platform, seats=persons(2), policy=table)
    game = (await platform.deal(seated.game_id)).game
    return seated, game.view.round.turn


async def some_turn(client: Client, game_id: str) -> list[Any]:
    """Return one legal move, in notation."""
    legal = (await client.legal_moves(game_id)).moves
    kind = str(legal[0].WhichOneof("action"))
    if kind != "play_tile":
        return [{"draw_tile": "draw", "pass_turn": "pass", "call_last_tile": "call"}[kind]]
    tile, train = legal[0].play_tile.tile, legal[0].play_tile.train
    place = "M" if train.WhichOneof("train") == "mexican" else train.seat
    return [f"{tile.high}-{tile.low}@{place}"]
