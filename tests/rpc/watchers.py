"""Those who watch in tests, and what it takes to watch, to move and to wait."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest
from google.protobuf.duration_pb2 import Duration
from mextrain.v1 import event_pb2, game_pb2, watch_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_engine import MEXICAN, play
from mextrain_service.application.chain import new_stamp
from mextrain_service.application.draft import Draft
from mextrain_service.application.model import (
    GameId,
    HostedGame,
    Moved,
    PlatformId,
    SeatChange,
)
from mextrain_service.application.outages import Moment
from mextrain_service.storage.keys import game_keys
from tests.polling import until
from tests.rpc.games import Seated
from tests.rpc.serving import (
    Client,
    House,
    Watching,
)

WATCHED = game_pb2.TablePolicy(spectators=True, auto_call=True)
ACME = PlatformId("acme")
DELETED = watch_pb2.END_REASON_DELETED
SOON = Duration(nanos=20_000_000)

Response = pb.WatchGameResponse


@dataclass
class Watcher:
    """Someone who watches, loses the stream at times, and goes on where it ended.

    Attributes:
        clients: whom to watch through, by turns, each with the same credential.
        events: all that was told.
        version: the version up to which everything was told.
        end: the last message, once there was one.
    """

    clients: Sequence[Client]
    game_id: str
    chance: random.Random
    events: list[event_pb2.Event] = field(default_factory=list)
    version: int = 0
    cursor: str = ""
    end: watch_pb2.WatchEnd | None = None

    async def watch(self) -> None:
        """Watch until the end, over as many streams as it takes."""
        while self.end is None:
            stream = self.chance.choice(self.clients).watch(
                self.game_id, after_version=0, cursor=self.cursor
            )
            patience = self.chance.randrange(1, 12)
            async for message in stream:
                self.hear(message)
                patience -= 1
                if not patience and self.end is None:
                    break
            stream.cancel()

    def hear(self, message: Response) -> None:
        match message.WhichOneof("update"):
            case "events":
                assert message.events.version > self.version, "nothing is told twice"
                self.events += message.events.events
                self.version = message.events.version
                self.cursor = message.events.cursor
            case "heartbeat":
                assert message.heartbeat.version == self.version
            case "end":
                self.end = message.end
            case _:
                pytest.fail(f"not to be told: {message}")


async def make_move(seated: Seated) -> pb.PlayMoveResponse:
    """Make the first legal move of the seat to move."""
    game = await seated.platform.get_game(seated.game_id)
    mover = seated.seats[game.view.round.turn]
    legal = await mover.legal_moves(seated.game_id)
    return await mover.play_moves(seated.game_id, legal.moves[0])


async def here(client: Client, game_id: str) -> str:
    """Return the cursor of the game as it is."""
    return (await client.get_game(game_id)).view.cursor


async def break_log(house: House, game_id: GameId) -> None:
    """Commit the next version of a game with an entry that cannot have led to it."""
    store = house.store()
    game: HostedGame = await store.load(game_id)
    assert game.state.round is not None
    impossible = Moved(game.state.round.turn, play(0, MEXICAN))
    after = replace(game, version=game.version + 1, stamp=new_stamp())
    await store.commit(after, base=game, entries=[impossible])


async def rotate(house: House, game_id: GameId, seat: int) -> None:
    """Give a seat another token, as far as the game has a part in it."""
    store = house.store()
    game: HostedGame = await store.load(game_id)
    holder = game.seats[seat]
    renewed = replace(holder, token_generation=holder.token_generation + 1)
    table = Draft(game)
    table.change_seat(seat, SeatChange.TOKEN_ROTATED, renewed)
    after = table.changed_game(Moment(game.updated_ms))
    await store.commit(after, base=game, entries=table.entries)


def everywhere(reader: Client, nobodies: Iterable[Client]) -> list[Client]:
    """Return the same caller as a client of each worker."""
    return [Client(at.stub, at.channel, reader.metadata) for at in nobodies]


@asynccontextmanager
async def watching(client: Client, game_id: str, **fields: object) -> AsyncIterator[Watching]:
    stream = client.watch(game_id, **fields)
    try:
        yield stream
    finally:
        stream.cancel()


async def next_of(stream: Watching) -> Response:
    """Return the next message, within a time that is long."""
    async with asyncio.timeout(100):  # `wait_for` may lose a cancellation to a message
        message = await stream.read()
    assert isinstance(message, Response), "the stream has ended"
    return message


async def rest_of(stream: Watching) -> AsyncIterator[Response]:
    """Yield all that is still to come."""
    while True:
        async with asyncio.timeout(100):
            message = await stream.read()
        if not isinstance(message, Response):
            return
        yield message


async def first_of(stream: Watching) -> Response:
    """Return the first message, be it that there is none."""
    try:
        return await anext(aiter(stream))
    finally:
        stream.cancel()


async def _listeners(house: House, game_id: str) -> int:
    channel = game_keys(GameId(game_id)).channel
    answer = await house.command("PUBSUB", "SHARDNUMSUB", channel)
    return int(answer[1])


async def until_listeners(house: House, game_id: str, count: int) -> None:
    """Wait until so many connections listen for a game."""

    async def there() -> bool:
        return count == await _listeners(house, game_id)

    await until(there)
