"""Who may do what: every method, every kind of caller, the own game and others."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from mextrain.v1 import game_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_engine import RuleSet
from mextrain_service.application.model import BotLevel, SeatHolder, SeatKind
from tests.engine.table import table
from tests.transport.games import Seated, hosted, person, seat_all, store, stored_bytes
from tests.transport.refusing import refusal_of
from tests.transport.serving import Client, House, persons

Call = Callable[[Client, str], Awaitable[object]]


async def first_of(stream: Any) -> object:
    """Return the first message of a stream, and end it."""
    try:
        return await anext(aiter(stream))
    finally:
        stream.cancel()


METHODS: dict[str, Call] = {
    "CreateGame": lambda client, _: client.create_game(pb.CreateGameRequest(seats=persons(2))),
    "GetGame": lambda client, game_id: client.get_game(game_id),
    "GetScore": lambda client, game_id: client.score(game_id),
    "DealRound": lambda client, game_id: client.deal(game_id),
    "ListGames": lambda client, _: client.list_games(),
    "ClaimSeat": lambda client, game_id: client.claim(game_id, 0),
    "ResignSeat": lambda client, game_id: client.resign(game_id, 0),
    "SubstituteSeat": lambda client, game_id: client.stand_in(game_id, 0),
    "AddEntropy": lambda client, game_id: client.add_entropy(game_id, 0, b"dice"),
    "PlayMove": lambda client, game_id: client.play(game_id, "0-0@M"),
    "ListLegalMoves": lambda client, game_id: client.legal_moves(game_id),
    "SuggestMove": lambda client, game_id: client.suggest(game_id),
    "WatchGame": lambda client, game_id: first_of(client.watch(game_id)),
    "WatchGames": lambda client, _: first_of(client.watch_games()),
    "ListEvents": lambda client, game_id: client.events(game_id),
    "ExportGame": lambda client, game_id: client.export(game_id),
    "DeleteGame": lambda client, game_id: client.delete(game_id),
    "ListPresets": lambda client, _: client.stub.ListPresets(
        pb.ListPresetsRequest(), metadata=client.metadata
    ),
    "ExplainRules": lambda client, _: client.stub.ExplainRules(
        pb.ExplainRulesRequest(), metadata=client.metadata
    ),
}

OK = "OK"
DENIED = "PERMISSION_DENIED"
ABSENT = "GAME_NOT_FOUND"
UNKNOWN = "UNAUTHENTICATED"
ILLEGAL = "ROUND_NOT_DEALT"

CALLERS = ("platform", "rival", "seat", "seat_of_other_game", "spectator", "nobody")
MATRIX: dict[str, tuple[str, ...]] = {
    "CreateGame": (OK, OK, DENIED, DENIED, DENIED, UNKNOWN),
    "GetGame": (OK, ABSENT, OK, ABSENT, OK, UNKNOWN),
    "GetScore": (OK, ABSENT, OK, ABSENT, OK, UNKNOWN),
    "DealRound": (OK, ABSENT, DENIED, ABSENT, DENIED, UNKNOWN),
    "ListGames": (OK, OK, OK, OK, DENIED, UNKNOWN),
    "ClaimSeat": (OK, ABSENT, OK, ABSENT, DENIED, UNKNOWN),
    "ResignSeat": (OK, ABSENT, OK, ABSENT, DENIED, UNKNOWN),
    "SubstituteSeat": (OK, ABSENT, OK, ABSENT, DENIED, UNKNOWN),
    "AddEntropy": (DENIED, DENIED, OK, ABSENT, DENIED, UNKNOWN),
    "PlayMove": (DENIED, DENIED, ILLEGAL, ABSENT, DENIED, UNKNOWN),
    "ListLegalMoves": (DENIED, DENIED, OK, ABSENT, DENIED, UNKNOWN),
    "SuggestMove": (DENIED, DENIED, OK, ABSENT, DENIED, UNKNOWN),
    "WatchGame": (OK, ABSENT, OK, ABSENT, OK, UNKNOWN),
    "WatchGames": (OK, OK, DENIED, DENIED, DENIED, UNKNOWN),
    "ListEvents": (OK, ABSENT, OK, ABSENT, OK, UNKNOWN),
    "ExportGame": (OK, ABSENT, OK, ABSENT, OK, UNKNOWN),
    "DeleteGame": (OK, ABSENT, DENIED, DENIED, DENIED, UNKNOWN),
    "ListPresets": (OK, OK, OK, OK, OK, OK),
    "ExplainRules": (OK, OK, OK, OK, OK, OK),
}
CELLS = [
    (method, caller, expected)
    for method, row in MATRIX.items()
    for caller, expected in zip(CALLERS, row, strict=True)
]

WATCHED = game_pb2.TablePolicy(spectators=True)


async def _clients(platform: Client, rival: Client, nobody: Client) -> tuple[Seated, list[Client]]:
    seated = await seat_all(platform, policy=WATCHED)
    other = await seat_all(platform, policy=WATCHED)
    clients = [platform, rival, seated.seats[0], other.seats[0], seated.spectator, nobody]
    return seated, clients


@pytest.mark.parametrize(("method", "caller", "expected"), CELLS)
async def test_method_is_for_those_of_the_matrix(
    method: str, caller: str, expected: str, platform: Client, rival: Client, nobody: Client
) -> None:
    seated, clients = await _clients(platform, rival, nobody)
    call = METHODS[method](clients[CALLERS.index(caller)], seated.game_id)
    if expected == OK:
        await call
    else:
        assert expected == (await refusal_of(call)).reason


def test_matrix_has_a_row_for_every_method_of_the_contract() -> None:
    service = pb.DESCRIPTOR.services_by_name["GameService"]
    assert set(service.methods_by_name) == set(MATRIX)


async def test_game_of_another_platform_looks_like_no_game_at_all(
    platform: Client, rival: Client
) -> None:
    seated = await seat_all(platform)
    there = await refusal_of(rival.get_game(seated.game_id))
    nowhere = await refusal_of(rival.get_game("A" * 22))
    assert (there.code, there.reason, there.message) == (
        nowhere.code,
        nowhere.reason,
        nowhere.message,
    )
    assert (dict(there.facts), dict(nowhere.facts)) == (
        {"game_id": seated.game_id},
        {"game_id": "A" * 22},
    )


async def test_seat_may_deal_when_the_table_says_so(platform: Client) -> None:
    policy = game_pb2.TablePolicy(deal_by=game_pb2.DEAL_BY_SEATS)
    seated = await seat_all(platform, policy=policy)
    assert (await seated.seats[2].deal(seated.game_id)).game.view.version == 1


async def test_move_for_another_seat_than_that_of_the_token_is_refused(
    platform: Client, house: House
) -> None:
    seated = await seat_all(platform)
    turn = (await platform.deal(seated.game_id)).game.view.round.turn
    other = (turn + 1) % 3
    before = await stored_bytes(house.redis)
    refused = await refusal_of(seated.seats[other].play(seated.game_id, "draw", seat=turn))
    assert (refused.code, refused.reason) == ("PERMISSION_DENIED", "SEAT_NOT_YOURS")
    assert dict(refused.facts) == {"seat": str(turn), "your_seat": str(other)}
    assert before == await stored_bytes(house.redis)


async def test_token_of_an_earlier_generation_is_refused(platform: Client, house: House) -> None:
    state = table(RuleSet(), ("12-5", "11-1"), boneyard=None)
    renewed = SeatHolder(SeatKind.PERSON, person(0).player_id, token_generation=2)
    seated = await store(house, platform, hosted(state, holders=[renewed, person(1)]))
    refused = await refusal_of(seated.seats[0].get_game(seated.game_id))
    assert (refused.code, refused.reason) == ("UNAUTHENTICATED", "TOKEN_SUPERSEDED")


async def test_token_of_a_seat_that_a_bot_took_is_refused(platform: Client, house: House) -> None:
    state = table(RuleSet(), ("12-5", "11-1"), boneyard=None, turn=1)
    bot = SeatHolder(SeatKind.BOT, person(0).player_id, "", BotLevel.GREEDY)
    seated = await store(house, platform, hosted(state, holders=[bot, person(1)]))
    refused = await refusal_of(seated.seats[0].play(seated.game_id, "12-5@0"))
    assert refused.reason == "TOKEN_SUPERSEDED"


async def test_spectator_is_refused_when_the_table_has_none(platform: Client, house: House) -> None:
    state = table(RuleSet(), ("12-5", "11-1"), boneyard=None)
    seated = await store(house, platform, hosted(state))
    refused = await refusal_of(seated.spectator.get_game(seated.game_id))
    assert (refused.code, refused.reason) == ("PERMISSION_DENIED", "SPECTATORS_NOT_ALLOWED")


async def test_spectator_sees_no_hand(platform: Client) -> None:
    seated = await seat_all(platform, policy=WATCHED)
    await platform.deal(seated.game_id)
    game = await seated.spectator.get_game(seated.game_id)
    assert list(game.view.hand) == []
    assert not game.view.HasField("seat")
    assert [seat.person.player_id for seat in game.seats] == ["", "", ""]


@pytest.mark.parametrize(
    ("authorization", "cause"),
    [
        ("", "malformed"),
        ("Bearer ", "malformed"),
        ("Basic dXNlcjpwYXNz", "malformed"),
        ("Bearer not-a-token", "malformed"),
        ("Bearer mxk_acme", "malformed"),
        ("Bearer a.b.c", "malformed"),
        ("Bearer " + "x" * 2000, "malformed"),
        ("Bearer mxk_acme_" + "A" * 43, "unknown_key"),
        ("Bearer mxk_nobody_" + "A" * 43, "unknown_key"),
    ],
)
async def test_credential_that_proves_nothing_is_refused_everywhere(
    authorization: str, cause: str, nobody: Client
) -> None:
    client = Client(nobody.stub, nobody.channel, (("authorization", authorization),))
    for method in ("CreateGame", "GetGame", "ListPresets"):
        refused = await refusal_of(METHODS[method](client, "A" * 22))
        assert (refused.code, refused.reason) == ("UNAUTHENTICATED", "TOKEN_INVALID")
        assert dict(refused.facts) == {"cause": cause}


async def test_expired_token_is_refused_with_the_moment(platform: Client, house: House) -> None:
    seated = await seat_all(platform)
    await seated.seats[0].get_game(seated.game_id)
    house.clock.advance(3_600)
    refused = await refusal_of(seated.seats[0].get_game(seated.game_id))
    assert (refused.code, refused.reason) == ("UNAUTHENTICATED", "TOKEN_EXPIRED")
    assert dict(refused.facts) == {"expire_time": "2026-11-30T01:53:20Z"}


async def test_altered_token_is_refused_as_forged(platform: Client, house: House) -> None:
    seated = await seat_all(platform)
    header, claims, signature = seated.seats[0].metadata[0][1].split(".")
    forged = Client(
        platform.stub,
        platform.channel,
        (("authorization", f"{header}.{claims}.{signature[::-1]}"),),
    )
    before = await stored_bytes(house.redis)
    refused = await refusal_of(forged.play(seated.game_id, "draw"))
    assert (refused.reason, dict(refused.facts)) == ("TOKEN_INVALID", {"cause": "forged"})
    assert before == await stored_bytes(house.redis)


async def test_two_credentials_in_one_call_are_refused(platform: Client) -> None:
    twice = Client(platform.stub, platform.channel, platform.metadata * 2)
    assert (await refusal_of(twice.get_game("A" * 22))).reason == "TOKEN_INVALID"
