"""How each method of the contract is called, for tests that call all of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

from mextrain.v1 import game_pb2
from mextrain.v1 import game_service_pb2 as pb

from tests.rpc.serving import Client

PEOPLE = (
    game_pb2.Seat(person=game_pb2.Person(player_id="ann")),
    game_pb2.Seat(person=game_pb2.Person(player_id="bob")),
)

Call = Callable[[Client, str, int], Awaitable[object]]


def _plays(client: Client, game_id: str, seat: int) -> Awaitable[object]:
    return client.play(game_id, "0-0@M", seat=seat)


async def _first_of(stream: Any) -> object:
    """Return the first message of a stream, and end it."""
    try:
        return await anext(aiter(stream))
    finally:
        stream.cancel()


async def _asks_nothing(client: Client, *_: object) -> None:
    """Open a stream of many seats and leave it at that; what tokens open, its own tests say."""
    call: Any = cast("Any", client.stub).PlayGames(metadata=client.metadata)
    await call.done_writing()
    async for message in call:
        raise AssertionError(message)


CALLS: dict[str, Call] = {
    "CreateGame": lambda client, *_: client.create_game(pb.CreateGameRequest(seats=PEOPLE)),
    "ListGames": lambda client, *_: client.list_games(),
    "GetGame": lambda client, game_id, _: client.get_game(game_id),
    "ClaimSeat": lambda client, game_id, seat: client.claim(game_id, seat),
    "ResignSeat": lambda client, game_id, seat: client.resign(game_id, seat),
    "SubstituteSeat": lambda client, game_id, seat: client.stand_in(game_id, seat),
    "AddEntropy": lambda client, game_id, seat: client.add_entropy(game_id, seat, b"dice"),
    "DealRound": lambda client, game_id, _: client.deal(game_id),
    "PlayMove": _plays,
    "ListLegalMoves": lambda client, game_id, _: client.legal_moves(game_id),
    "SuggestMove": lambda client, game_id, _: client.suggest(game_id),
    "GetScore": lambda client, game_id, _: client.score(game_id),
    "WatchGame": lambda client, game_id, _: _first_of(client.watch(game_id)),
    "WatchGames": lambda client, *_: _first_of(client.watch_games()),
    "PlayGames": _asks_nothing,
    "ListEvents": lambda client, game_id, _: client.events(game_id),
    "ExportGame": lambda client, game_id, _: client.export(game_id),
    "DeleteGame": lambda client, game_id, _: client.delete(game_id),
    "ListPresets": lambda client, *_: client.stub.ListPresets(
        pb.ListPresetsRequest(), metadata=client.metadata
    ),
    "ExplainRules": lambda client, *_: client.stub.ExplainRules(
        pb.ExplainRulesRequest(), metadata=client.metadata
    ),
    "InspectGame": lambda client, game_id, _: client.inspect(game_id),
}
"""What calls a method for a game, meaning a seat where the method has one."""
