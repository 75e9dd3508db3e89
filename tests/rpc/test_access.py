"""Who may do what, beside the matrix: what the table says, what credentials are worth."""

from __future__ import annotations

import pytest
from mextrain.v1 import game_pb2

from mextrain_engine import RuleSet
from mextrain_service.application.model import BotLevel, SeatHolder, SeatKind
from tests.engine.table import table
from tests.rpc.calls import CALLS
from tests.rpc.games import hosted, person, seat_all, store, stored_bytes
from tests.rpc.refusing import refusal_of
from tests.rpc.serving import Client, House

WATCHED = game_pb2.TablePolicy(spectators=True)


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
        refused = await refusal_of(CALLS[method](client, "A" * 22, 0))
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
