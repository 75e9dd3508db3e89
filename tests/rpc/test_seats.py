"""Seats are taken once and left for good, and their tokens are replaced."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from mextrain.v1 import event_pb2, game_pb2, view_pb2
from mextrain.v1 import game_service_pb2 as pb

from tests.rpc.games import dealt_out, gone_on, seat_all, stored_bytes
from tests.rpc.refusing import refusal_of
from tests.rpc.seating import (
    LONG_ID,
    OPEN,
    dealt,
    holder_of,
    seat_changes,
    some_turn,
    with_open_seat,
)
from tests.rpc.serving import Client, House, bots, persons, worker


async def test_new_game_has_an_invitation_for_each_open_seat(platform: Client) -> None:
    request = pb.CreateGameRequest(seats=[OPEN, *persons(1), OPEN])
    made = await platform.create_game(request)
    assert [0, 2] == [each.seat for each in made.invitations]
    assert [1] == [each.seat for each in made.seat_tokens]
    assert ["open", "person", "open"] == [holder_of(seat) for seat in made.game.seats]


async def test_round_is_not_dealt_while_a_seat_is_open(platform: Client) -> None:
    made, invited = await with_open_seat(platform)
    refused = await refusal_of(platform.deal(made.game.game_id))
    assert ("SEAT_OPEN", {"seat": "1"}) == (refused.reason, dict(refused.facts))
    await invited.claim(made.game.game_id, 1)
    assert view_pb2.PHASE_PLAYING == (await platform.deal(made.game.game_id)).game.view.phase


async def test_invitation_takes_the_seat_and_gives_a_token_for_it(platform: Client) -> None:
    made, invited = await with_open_seat(platform)
    claimed = await invited.claim(made.game.game_id, 1, display_name="Bea")
    assert [(1, "CLAIMED")] == seat_changes(claimed.events)
    assert (1, 1) == (claimed.game.view.seat, claimed.game.view.version)
    assert "Bea" == claimed.game.seats[1].person.display_name
    bea = platform.bearing(claimed.seat_token.token)
    assert 1 == (await bea.get_game(made.game.game_id)).view.seat


async def test_invited_sees_the_table_until_the_seat_is_taken(platform: Client) -> None:
    made, invited = await with_open_seat(platform)
    game = await invited.get_game(made.game.game_id)
    assert not game.view.HasField("seat")
    assert "" == game.seats[0].person.player_id
    await invited.claim(made.game.game_id, 1)
    assert "TOKEN_SUPERSEDED" == (await refusal_of(invited.get_game(made.game.game_id))).reason


@pytest.mark.parametrize("workers", [1, 2])
async def test_racing_claims_of_a_seat_give_it_to_exactly_one(
    platform: Client, house: House, workers: int
) -> None:
    made, invited = await with_open_seat(platform)
    async with worker(house) as other:
        second = invited if workers == 1 else Client(other.stub, other.channel, invited.metadata)
        calls = [
            client.claim(made.game.game_id, 1, display_name=f"Racer {number}")
            for number, client in enumerate([invited, second] * 4)
        ]
        answers = await asyncio.gather(*calls, return_exceptions=True)
    won = [answer for answer in answers if isinstance(answer, pb.ClaimSeatResponse)]
    assert 1 == len(won)
    refused = [await refusal_of(_raised(each)) for each in answers if each is not won[0]]
    assert {("ALREADY_EXISTS", "SEAT_TAKEN")} == {(each.code, each.reason) for each in refused}
    seat = (await platform.get_game(made.game.game_id)).seats[1]
    assert won[0].game.seats[1].person.display_name == seat.person.display_name


async def _raised(error: Any) -> None:
    raise error


async def test_claim_is_answered_the_same_again_under_its_request_id(platform: Client) -> None:
    made, invited = await with_open_seat(platform)
    first = await invited.claim(made.game.game_id, 1, display_name="Bea", request_id="mine")
    again = await invited.claim(made.game.game_id, 1, display_name="Bea", request_id="mine")
    assert first == again
    other = await refusal_of(invited.claim(made.game.game_id, 1, request_id="another"))
    assert "SEAT_TAKEN" == other.reason
    reused = invited.claim(made.game.game_id, 1, display_name="Eve", request_id="mine")
    assert "REQUEST_ID_REUSED" == (await refusal_of(reused)).reason


async def test_platform_takes_an_open_seat_for_a_player(platform: Client) -> None:
    made, invited = await with_open_seat(platform)
    claimed = await platform.claim(made.game.game_id, 1, player_id="account-9", display_name="Nina")
    assert "account-9" == claimed.game.seats[1].person.player_id
    assert not claimed.game.view.HasField("seat")
    nina = platform.bearing(claimed.seat_token.token)
    assert "account-9" == (await nina.get_game(made.game.game_id)).seats[1].person.player_id
    late = await refusal_of(invited.claim(made.game.game_id, 1))
    assert ("SEAT_TAKEN", {"seat": "1"}) == (late.reason, dict(late.facts))


async def test_player_sits_on_one_seat_of_a_game_only(platform: Client) -> None:
    made, _ = await with_open_seat(platform)
    refused = await refusal_of(platform.claim(made.game.game_id, 1, player_id="account-0"))
    assert ("PLAYER_SEATED", {"seat": "0"}) == (refused.reason, dict(refused.facts))


async def test_only_a_platform_says_for_whom_a_seat_is_taken(
    platform: Client, house: House
) -> None:
    made, invited = await with_open_seat(platform)
    before = await stored_bytes(house.redis, "mt:{*")
    ada = platform.bearing(made.seat_tokens[0].token)
    for client, seat in ((invited, 1), (ada, 0)):
        refused = await refusal_of(client.claim(made.game.game_id, seat, player_id="account-9"))
        assert "PERMISSION_DENIED" == refused.reason
    assert before == await stored_bytes(house.redis, "mt:{*")


async def test_invitation_is_for_its_own_seat_and_for_nothing_else(platform: Client) -> None:
    request = pb.CreateGameRequest(seats=[OPEN, OPEN, *persons(1)])
    made = await platform.create_game(request)
    game_id = made.game.game_id
    invited = platform.bearing(made.invitations[0].token)
    other = await refusal_of(invited.claim(game_id, 1))
    assert ("SEAT_NOT_YOURS", {"seat": "1", "your_seat": "0"}) == (other.reason, dict(other.facts))
    for call in (invited.deal(game_id), invited.play(game_id, "draw"), invited.resign(game_id, 0)):
        assert "PERMISSION_DENIED" == (await refusal_of(call)).reason


async def test_open_seat_needs_a_player_from_a_platform(platform: Client) -> None:
    made, _ = await with_open_seat(platform)
    refused = await refusal_of(platform.claim(made.game.game_id, 1))
    assert (("player_id", "REQUIRED"),) == refused.violations


async def test_repeated_creation_issues_the_same_invitations_after_the_seat_was_taken(
    platform: Client,
) -> None:
    request = pb.CreateGameRequest(seats=[*persons(1), OPEN], request_id="table")
    first = await platform.create_game(request)
    await platform.bearing(first.invitations[0].token).claim(first.game.game_id, 1)
    assert first == await platform.create_game(request)


# Tokens


async def test_new_token_ends_the_one_before(platform: Client) -> None:
    seated = await seat_all(platform)
    old = seated.seats[0]
    answer = await old.claim(seated.game_id, 0)
    assert [(0, "TOKEN_ROTATED")] == seat_changes(answer.events)
    new = platform.bearing(answer.seat_token.token)
    assert 0 == (await new.get_game(seated.game_id)).view.seat
    for call in (old.get_game(seated.game_id), old.claim(seated.game_id, 0)):
        assert "TOKEN_SUPERSEDED" == (await refusal_of(call)).reason


async def test_platform_gets_a_new_token_for_a_player_who_lost_it(platform: Client) -> None:
    seated = await seat_all(platform)
    answer = await platform.claim(seated.game_id, 2)
    assert 2 == answer.seat_token.seat
    assert "TOKEN_SUPERSEDED" == (await refusal_of(seated.seats[2].get_game(seated.game_id))).reason
    assert (
        seated.game_id
        == (await platform.bearing(answer.seat_token.token).get_game(seated.game_id)).game_id
    )


async def test_lost_answer_of_a_rotation_is_had_with_the_old_token_and_the_request_id(
    platform: Client,
) -> None:
    seated = await seat_all(platform)
    first = await seated.seats[0].claim(seated.game_id, 0, request_id=LONG_ID)
    again = await seated.seats[0].claim(seated.game_id, 0, request_id=LONG_ID)
    assert first.seat_token == again.seat_token
    guessed = seated.seats[0].claim(seated.game_id, 0, request_id=LONG_ID[::-1])
    assert "TOKEN_SUPERSEDED" == (await refusal_of(guessed)).reason


async def test_request_id_that_could_be_guessed_gives_the_old_token_nothing(
    platform: Client,
) -> None:
    seated = await seat_all(platform)
    await seated.seats[0].claim(seated.game_id, 0, request_id="1")
    again = seated.seats[0].claim(seated.game_id, 0, request_id="1")
    assert "TOKEN_SUPERSEDED" == (await refusal_of(again)).reason


async def test_old_token_gives_nothing_when_the_seat_has_gone_to_somebody_else_since(
    platform: Client,
) -> None:
    seated = await seat_all(platform)
    await seated.seats[0].claim(seated.game_id, 0, request_id=LONG_ID)
    await platform.substitute(seated.game_id, 0, person=game_pb2.Person(player_id="account-9"))
    again = seated.seats[0].claim(seated.game_id, 0, request_id=LONG_ID)
    assert "TOKEN_SUPERSEDED" == (await refusal_of(again)).reason


async def test_token_that_replaced_the_oldest_gives_nothing_after_the_seat_was_reassigned(
    platform: Client,
) -> None:
    seated = await seat_all(platform)
    first = await seated.seats[0].claim(seated.game_id, 0, request_id=LONG_ID)
    middle = platform.bearing(first.seat_token.token)
    await platform.substitute(seated.game_id, 0, person=game_pb2.Person(player_id="account-9"))
    again = middle.claim(seated.game_id, 0, request_id=LONG_ID)
    assert "TOKEN_SUPERSEDED" == (await refusal_of(again)).reason


async def test_racing_rotations_leave_one_token_that_is_good(platform: Client) -> None:
    seated = await seat_all(platform)
    calls = [seated.seats[0].claim(seated.game_id, 0) for _ in range(4)]
    answers = await asyncio.gather(*calls, return_exceptions=True)
    tokens = [each.seat_token.token for each in answers if isinstance(each, pb.ClaimSeatResponse)]
    good = [token for token in tokens if await _is_good(platform.bearing(token), seated.game_id)]
    assert 1 == len(good)


async def _is_good(client: Client, game_id: str) -> bool:
    answers = await asyncio.gather(client.get_game(game_id), return_exceptions=True)
    return isinstance(answers[0], game_pb2.Game)


# Resigning


async def test_resigned_seat_is_played_on_by_a_bot(platform: Client) -> None:
    seated, turn = await dealt(platform)
    answer = await seated.seats[turn].resign(seated.game_id, turn)
    assert (turn, "RESIGNED") == seat_changes(answer.events)[0]
    assert answer.game.seats[turn].resigned
    other = 1 - turn
    assert (view_pb2.PHASE_PLAYING, other) == (
        answer.game.view.phase,
        answer.game.view.round.turn,
    )
    moved = await seated.seats[other].play(
        seated.game_id, *await some_turn(seated.seats[other], seated.game_id)
    )
    assert any(event.version > answer.game.view.version for event in moved.events)


async def test_resigned_seat_is_skipped_when_the_table_says_so(platform: Client) -> None:
    seated, turn = await dealt(platform, resigned_seats=game_pb2.RESIGNED_SEATS_SKIP)
    answer = await seated.seats[turn].resign(seated.game_id, turn)
    passed = [event.turn_passed for event in answer.events if event.HasField("turn_passed")]
    assert [(turn, event_pb2.PASS_CAUSE_SKIPPED)] == [(each.seat, each.cause) for each in passed]
    assert 1 - turn == answer.game.view.round.turn


@pytest.mark.parametrize("how", ["BOT", "SKIP"])
async def test_round_ends_when_everyone_has_resigned(platform: Client, how: str) -> None:
    value = game_pb2.ResignedSeats.Value(f"RESIGNED_SEATS_{how}")
    seated, _ = await dealt(platform, resigned_seats=value)
    await platform.resign(seated.game_id, 0)
    await platform.resign(seated.game_id, 1)
    game = await gone_on(platform, seated.game_id)
    assert view_pb2.PHASE_AWAITING_DEAL == game.view.phase
    assert 1 == len(game.results)


async def test_resignation_is_final(platform: Client) -> None:
    seated, turn = await dealt(platform, deal_by=game_pb2.DEAL_BY_SEATS)
    gone = seated.seats[turn]
    await gone.resign(seated.game_id, turn)
    for call in (
        gone.resign(seated.game_id, turn),
        gone.play(seated.game_id, "draw"),
        gone.claim(seated.game_id, turn),
        gone.substitute(seated.game_id, turn, holder=True),
        gone.stand_in(seated.game_id, turn),
        gone.add_entropy(seated.game_id, turn, b"dice"),
        gone.deal(seated.game_id),
        platform.claim(seated.game_id, turn),
    ):
        assert "SEAT_RESIGNED" == (await refusal_of(call)).reason
    assert (await gone.get_game(seated.game_id)).seats[turn].resigned


async def test_resignation_is_answered_the_same_again_under_its_request_id(
    platform: Client,
) -> None:
    seated, turn = await dealt(platform)
    calls = [seated.seats[turn].resign(seated.game_id, turn, request_id="bye") for _ in range(3)]
    answers = [await call for call in calls]
    assert answers[0] == answers[1] == answers[2]


async def test_seat_without_a_person_cannot_be_resigned(platform: Client) -> None:
    made = await platform.create_game(pb.CreateGameRequest(seats=[*bots(1), OPEN]))
    for seat in (0, 1):
        refused = await refusal_of(platform.resign(made.game.game_id, seat))
        assert ("SEAT_NOT_HELD", {"seat": str(seat)}) == (refused.reason, dict(refused.facts))


async def test_seat_that_the_game_does_not_have_is_named(platform: Client) -> None:
    seated = await seat_all(platform)
    refused = await refusal_of(platform.resign(seated.game_id, 3))
    assert (("seat", "OUT_OF_RANGE"),) == refused.violations


async def test_nobody_leaves_a_match_that_is_over(platform: Client) -> None:
    request = pb.CreateGameRequest(
        preset="masters_single", seats=[*persons(1), *bots(1)], fixed_seed=3
    )
    made = await platform.create_game(request)
    game_id = made.game.game_id
    await platform.stand_in(game_id, 0)
    game = made.game
    while game.view.phase != view_pb2.PHASE_FINISHED:
        game = await dealt_out(platform, game_id)
    for call in (platform.resign(game_id, 0), platform.stand_in(game_id, 0)):
        assert "GAME_FINISHED" == (await refusal_of(call)).reason
