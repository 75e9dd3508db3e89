"""Tables with clocks, and what happens at them, in tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from google.protobuf.duration_pb2 import Duration
from mextrain.v1 import event_pb2, game_pb2, view_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_service.application.enforce_deadlines import Enforced
from tests.rpc.games import Seated, seat_all
from tests.rpc.serving import Client, House, enforcer, persons

TURN_S = 30
DAY_S = 86_400
WAIT, BOT, SKIP = (
    game_pb2.ON_TIMEOUT_WAIT,
    game_pb2.ON_TIMEOUT_BOT,
    game_pb2.ON_TIMEOUT_SKIP,
)


def per_turn(seconds: float = TURN_S, **fields: Any) -> game_pb2.TablePolicy:
    """Return a policy with so much time for each turn."""
    clock = game_pb2.TurnClock(per_turn=_span(seconds), **fields)
    return game_pb2.TablePolicy(clock=clock)


def bank(seconds: float, increment_s: float = 0, **fields: Any) -> game_pb2.TablePolicy:
    """Return a policy with one bank for all turns."""
    time = game_pb2.TimeBank(initial=_span(seconds), increment=_span(increment_s))
    return game_pb2.TablePolicy(clock=game_pb2.TurnClock(bank=time, **fields))


def _span(seconds: float) -> Duration:
    span = Duration()
    span.FromMilliseconds(round(seconds * 1000))
    return span


async def dealt_with_clock(
    platform: Client, policy: game_pb2.TablePolicy, seats: Sequence[game_pb2.Seat] = ()
) -> tuple[Seated, game_pb2.Game]:
    """Return a game of two persons with a round under way."""
    seated = await seat_all(platform, seats=seats or persons(2), policy=policy)
    return seated, (await platform.deal(seated.game_id)).game


async def enforced(house: House) -> list[Enforced]:
    """Look for deadlines once, as a worker of its own, and return what was acted on."""
    found = [outcome async for outcome in enforcer(house)()]
    assert all(isinstance(each, Enforced) for each in found), found
    return [each for each in found if isinstance(each, Enforced)]


async def happened_since(platform: Client, game: game_pb2.Game) -> list[event_pb2.Event]:
    """Return what has happened since a game was seen."""
    answer = await platform.events(game.game_id, after_version=game.view.version)
    return list(answer.events)


def kinds_of(events: Sequence[event_pb2.Event]) -> list[str]:
    """Return what happened, with what became of which seat."""
    told = []
    for event in events:
        fact = str(event.WhichOneof("fact"))
        if fact == "seat_changed":
            change = event_pb2.SeatChange.Name(event.seat_changed.change)
            fact = f"{change.removeprefix('SEAT_CHANGE_')} {event.seat_changed.seat}"
        told.append(fact)
    return told


def left_s(view: view_pb2.View) -> float:
    """Return how long the seat to move has left, in seconds."""
    left = view.turn_deadline.ToDatetime() - view.server_time.ToDatetime()
    return left.total_seconds()


async def whole_turn(client: Client, game_id: str) -> pb.PlayMoveResponse:
    """Make moves until another seat is to move."""
    answer = await drawn_or_played(client, game_id)
    while answer.view.round.turn == answer.view.seat and answer.view.phase == 2:
        answer = await drawn_or_played(client, game_id)
    return answer


async def drawn_or_played(client: Client, game_id: str) -> pb.PlayMoveResponse:
    """Make the last legal move: a draw or a pass where there is one."""
    legal = (await client.legal_moves(game_id)).moves
    return await client.play_moves(game_id, legal[-1])
