"""Games to test on: made over the wire, or stored in the very position that a test needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grpc import StatusCode, aio
from mextrain.v1 import game_pb2, view_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_engine import State
from mextrain_service.application.chain import first_link, new_stamp
from mextrain_service.application.model import (
    GameId,
    HostedGame,
    PlatformId,
    PlayerId,
    SeatHolder,
    SeatKind,
    TablePolicy,
)
from tests.rpc.serving import Client, House, persons
from tests.storage.library import Redis

STORED_ID = GameId("R6d1nC5sQkqJv0T2bWm3xA")
SECRET = bytes(range(32))
CREATED_MS = 1_796_000_000_000


@dataclass(frozen=True, slots=True)
class Seated:
    """A game and everyone who has a credential for it.

    Attributes:
        game_id: its name.
        platform: its owner.
        seats: the persons' clients, by seat.
        spectator: whoever may watch; the platform where nobody may.
    """

    game_id: str
    platform: Client
    seats: Mapping[int, Client]
    spectator: Client


async def seat_all(platform: Client, **fields: Any) -> Seated:
    """Create a game over the wire, by default of three persons with a fixed seed."""
    whole = {"seats": persons(3), "fixed_seed": 7, **fields}
    made = await platform.create_game(pb.CreateGameRequest(**whole))
    spectator = made.spectator_token.token
    return Seated(
        game_id=made.game.game_id,
        platform=platform,
        seats={each.seat: platform.bearing(each.token) for each in made.seat_tokens},
        spectator=platform.bearing(spectator) if spectator else platform,
    )


async def gone_on(
    client: Client, game_id: str, waits: Callable[[game_pb2.Game], bool] | None = None
) -> game_pb2.Game:
    """Return a game when its table has done what it does by itself.

    Args:
        client: who looks.
        game_id: the game.
        waits: tells whether that is so; by default, when no round is live.
    """
    waits = waits or (lambda game: game.view.phase != view_pb2.PHASE_PLAYING)
    watching = client.watch(game_id)
    while not waits(game := await client.get_game(game_id)):
        try:
            await watching.read()
        except aio.AioRpcError as error:
            if error.code() is not StatusCode.RESOURCE_EXHAUSTED:
                raise
            watching = client.watch(game_id)  # on a busy machine this reader is the slow one
    watching.cancel()
    return game


async def dealt_out(client: Client, game_id: str) -> game_pb2.Game:
    """Deal a round of a table that plays by itself, and return the game after that round."""
    await client.deal(game_id)
    return await gone_on(client, game_id)


def hosted(
    state: State,
    *,
    holders: Sequence[SeatHolder] = (),
    policy: TablePolicy | None = None,
    secret: bytes = SECRET,
) -> HostedGame:
    """Return a game in this position, at version 0; a person sits on each seat by default."""
    people = tuple(person(seat) for seat in range(state.seats))
    return HostedGame(
        game_id=STORED_ID,
        platform_id=PlatformId("acme"),
        version=0,
        link=first_link(STORED_ID, CREATED_MS),
        stamp=new_stamp(),
        seats=tuple(holders) or people,
        policy=policy or TablePolicy(),
        secret=secret,
        state=state,
        receipts=(),
        creation=None,
        created_ms=CREATED_MS,
        updated_ms=CREATED_MS,
    )


async def store(house: House, platform: Client, game: HostedGame) -> Seated:
    """Store a game as it is and return the credentials for it."""
    await house.index().note(None, game)
    await house.store().create(game)
    tokens, now_ms = house.tokens(), house.clock.now_ms()
    return Seated(
        game_id=game.game_id,
        platform=platform,
        seats={
            seat: platform.bearing(tokens.seat_token(game.game_id, seat, 1, now_ms).token)
            for seat in range(len(game.seats))
        },
        spectator=platform.bearing(tokens.spectator_token(game.game_id, now_ms).token),
    )


def person(seat: int) -> SeatHolder:
    """Return someone who sits on a seat."""
    return SeatHolder(SeatKind.PERSON, PlayerId(f"account-{seat}"), f"Player {seat}")


async def stored_bytes(redis: Redis, pattern: str = "*") -> dict[Any, Any]:
    """Return what is stored under such keys, as bytes; but for feeds, which are told beside."""
    beside = (b"mt:feed:", b"mt:outbox:")
    keys: list[Any] = sorted(await redis.keys(pattern))
    return {key: await redis.dump(key) for key in keys if not key.startswith(beside)}


def first_turn(view_of: game_pb2.Game | pb.PlayMoveResponse) -> int:
    """Return the seat to move."""
    return view_of.view.round.turn
