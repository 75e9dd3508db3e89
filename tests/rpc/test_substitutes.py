"""Seats are handed over and back, to bots and to persons."""

from __future__ import annotations

import asyncio

import pytest
from mextrain.v1 import game_pb2, view_pb2
from mextrain.v1 import game_service_pb2 as pb

from tests.rpc.games import stored_bytes
from tests.rpc.refusing import refusal_of
from tests.rpc.seating import OPEN, dealt, holder_of, seat_changes, some_turn, with_open_seat
from tests.rpc.serving import Client, House, bots, persons, worker


async def test_stand_in_plays_until_the_person_returns_and_has_the_seat_at_once(
    platform: Client,
) -> None:
    seated, turn = await dealt(platform)
    handed = await platform.substitute(
        seated.game_id, turn, bot=game_pb2.Bot(level=game_pb2.BOT_LEVEL_RANDOM)
    )
    assert (turn, "STOOD_IN") == seat_changes(handed.events)[0]
    assert game_pb2.BOT_LEVEL_RANDOM == handed.game.seats[turn].stand_in
    assert 1 - turn == handed.game.view.round.turn
    assert not handed.HasField("seat_token")
    back = await seated.seats[turn].substitute(seated.game_id, turn, holder=True)
    assert [(turn, "RETURNED")] == seat_changes(back.events)
    assert game_pb2.BOT_LEVEL_UNSPECIFIED == back.game.seats[turn].stand_in
    assert len(back.game.view.hand) == back.game.view.round.hand_counts[turn]


async def test_person_keeps_the_token_and_sees_the_hand_while_a_bot_stands_in(
    platform: Client,
) -> None:
    seated, turn = await dealt(platform)
    await seated.seats[turn].stand_in(seated.game_id, turn)
    game = await seated.seats[turn].get_game(seated.game_id)
    assert (turn, "person") == (game.view.seat, holder_of(game.seats[turn]))
    assert list(game.view.hand)


async def test_new_token_of_a_person_ends_the_stand_in(platform: Client) -> None:
    seated, turn = await dealt(platform)
    await platform.stand_in(seated.game_id, turn)
    answer = await seated.seats[turn].claim(seated.game_id, turn)
    assert [(turn, "TOKEN_ROTATED"), (turn, "RETURNED")] == seat_changes(answer.events)
    assert game_pb2.BOT_LEVEL_UNSPECIFIED == answer.game.seats[turn].stand_in


async def test_return_without_a_stand_in_changes_nothing(platform: Client, house: House) -> None:
    seated, turn = await dealt(platform)
    before = await stored_bytes(house.redis, "mt:{*")
    answer = await seated.seats[turn].substitute(seated.game_id, turn, holder=True)
    assert [] == list(answer.events)
    assert before == await stored_bytes(house.redis, "mt:{*")


async def test_another_person_gets_the_seat_with_a_token_of_its_own(platform: Client) -> None:
    seated, turn = await dealt(platform)
    person = game_pb2.Person(player_id="account-9", display_name="Nina")
    answer = await platform.substitute(seated.game_id, turn, person=person, request_id="swap")
    assert [(turn, "REASSIGNED")] == seat_changes(answer.events)
    assert person == answer.game.seats[turn].person
    nina = platform.bearing(answer.seat_token.token)
    assert list((await nina.get_game(seated.game_id)).view.hand)
    old = await refusal_of(seated.seats[turn].get_game(seated.game_id))
    assert "TOKEN_SUPERSEDED" == old.reason
    again = await platform.substitute(seated.game_id, turn, person=person, request_id="swap")
    assert answer.seat_token == again.seat_token


@pytest.mark.parametrize("before", ["resigned", "bot", "open"])
async def test_person_can_have_any_seat_that_no_one_else_plays(
    platform: Client, before: str
) -> None:
    seats = {"resigned": persons(1), "bot": bots(1), "open": [OPEN]}[before]
    made = await platform.create_game(pb.CreateGameRequest(seats=[*seats, *persons(2)[1:]]))
    game_id = made.game.game_id
    if before == "resigned":
        await platform.resign(game_id, 0)
    person = game_pb2.Person(player_id="account-9")
    answer = await platform.substitute(game_id, 0, person=person)
    assert ("person", False) == (holder_of(answer.game.seats[0]), answer.game.seats[0].resigned)
    client = platform.bearing(answer.seat_token.token)
    assert 0 == (await client.get_game(game_id)).view.seat


async def test_open_seat_can_be_given_to_a_bot(platform: Client) -> None:
    made, invited = await with_open_seat(platform)
    answer = await platform.stand_in(made.game.game_id, 1)
    assert "bot" == holder_of(answer.game.seats[1])
    assert "SEAT_TAKEN" == (await refusal_of(invited.claim(made.game.game_id, 1))).reason
    assert view_pb2.PHASE_PLAYING == (await platform.deal(made.game.game_id)).game.view.phase


async def test_seat_gives_itself_to_nobody_else(platform: Client) -> None:
    seated, turn = await dealt(platform)
    person = game_pb2.Person(player_id="account-9")
    call = seated.seats[turn].substitute(seated.game_id, turn, person=person)
    assert "PERMISSION_DENIED" == (await refusal_of(call)).reason
    other = seated.seats[turn].stand_in(seated.game_id, 1 - turn)
    assert "SEAT_NOT_YOURS" == (await refusal_of(other)).reason


async def test_substitute_must_be_somebody(platform: Client) -> None:
    seated, turn = await dealt(platform)
    for fields in ({}, {"holder": False}):
        refused = await refusal_of(platform.substitute(seated.game_id, turn, **fields))
        assert (("substitute", "REQUIRED"),) == refused.violations


async def test_stale_version_of_a_change_of_a_seat_is_refused(platform: Client) -> None:
    seated, turn = await dealt(platform)
    for call in (
        platform.resign(seated.game_id, turn, expected_version=0),
        platform.stand_in(seated.game_id, turn, expected_version=0),
        platform.claim(seated.game_id, turn, expected_version=0),
    ):
        refused = await refusal_of(call)
        assert ("STALE_VERSION", 1) == (refused.reason, refused.view and refused.view.version)


async def test_change_of_a_seat_and_a_move_at_once_are_both_made(
    platform: Client, house: House
) -> None:
    seated, turn = await dealt(platform)
    moves = await some_turn(seated.seats[turn], seated.game_id)
    async with worker(house) as other:
        elsewhere = Client(other.stub, other.channel, platform.metadata)
        moved, handed = await asyncio.gather(
            seated.seats[turn].play(seated.game_id, *moves),
            elsewhere.stand_in(seated.game_id, 1 - turn),
        )
    events = (await platform.events(seated.game_id)).events
    assert (1 - turn, "STOOD_IN") in seat_changes(events)
    assert moved.view.version != handed.game.view.version
    versions = [event.version for event in events]
    assert sorted(versions) == versions
