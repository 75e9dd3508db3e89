"""Tables that deal by themselves, and what they show of hands and seeds."""

from __future__ import annotations

from typing import Any

import pytest
from mextrain.v1 import game_pb2, view_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_engine import commitment
from tests.rpc.games import dealt_out, gone_on, seat_all, stored_bytes
from tests.rpc.refusing import refusal_of
from tests.rpc.serving import Client, House, bots, persons
from tests.rpc.timing import enforced

OPEN = game_pb2.Seat(open=game_pb2.OpenSeat())
AUTOMATIC = game_pb2.TablePolicy(deal_by=game_pb2.DEAL_BY_AUTOMATIC)


async def _finished_round(client: Client, game: game_pb2.Game) -> pb.PlayMoveResponse:
    """Make the first legal move of the only person until a round is over."""
    while True:
        legal = (await client.legal_moves(game.game_id)).moves
        answer = await client.play_moves(game.game_id, legal[0])
        if any(event.HasField("round_ended") for event in answer.events):
            return answer


def _kinds(events: Any) -> list[str]:
    return [str(event.WhichOneof("fact")) for event in events]


async def test_first_round_is_dealt_with_the_game_when_no_seat_is_open(platform: Client) -> None:
    made = await platform.create_game(
        pb.CreateGameRequest(seats=persons(2), policy=AUTOMATIC, fixed_seed=7)
    )
    assert (1, view_pb2.PHASE_PLAYING) == (made.game.view.version, made.game.view.phase)
    events = (await platform.events(made.game.game_id)).events
    assert ["round_dealt", "hub_laid", "turn_started"] == _kinds(events)


async def test_repeated_creation_shows_the_game_as_it_was_dealt(platform: Client) -> None:
    request = pb.CreateGameRequest(seats=persons(2), policy=AUTOMATIC, request_id="table")
    first = await platform.create_game(request)
    seat = platform.bearing(first.seat_tokens[first.game.view.round.turn].token)
    legal = (await seat.legal_moves(first.game.game_id)).moves
    await seat.play_moves(first.game.game_id, legal[0])
    assert first == await platform.create_game(request)


async def test_first_round_is_dealt_as_the_last_seat_is_taken(platform: Client) -> None:
    request = pb.CreateGameRequest(seats=[*persons(1), OPEN, OPEN], policy=AUTOMATIC)
    made = await platform.create_game(request)
    game_id = made.game.game_id
    first, second = (platform.bearing(each.token) for each in made.invitations)
    early = await first.claim(game_id, 1)
    assert view_pb2.PHASE_AWAITING_DEAL == early.game.view.phase
    last = await second.claim(game_id, 2)
    assert ["seat_changed", "round_dealt", "hub_laid", "turn_started"] == _kinds(last.events)
    assert last.game.view.hand


async def test_next_round_is_dealt_in_the_commit_that_ends_one(platform: Client) -> None:
    seats = [*persons(1), *bots(1)]
    seated = await seat_all(platform, seats=seats, policy=AUTOMATIC)
    game = await platform.get_game(seated.game_id)
    answer = await _finished_round(seated.seats[0], game)
    kinds = _kinds(answer.events)
    assert "round_dealt" in kinds[kinds.index("round_ended") :]
    assert (2, view_pb2.PHASE_PLAYING) == (answer.view.round.number, answer.view.phase)


async def test_match_of_bots_is_dealt_and_played_on_to_its_end(
    platform: Client, house: House
) -> None:
    request = pb.CreateGameRequest(
        preset="masters_match13", seats=bots(2), policy=AUTOMATIC, fixed_seed=7
    )
    made = await platform.create_game(request)
    game = await gone_on(platform, made.game.game_id, _over)
    assert game.view.total_rounds == len(game.results)
    assert [] == await enforced(house)


async def test_seats_do_not_deal_at_a_table_that_deals_by_itself(platform: Client) -> None:
    seated = await seat_all(platform, policy=AUTOMATIC)
    assert "PERMISSION_DENIED" == (await refusal_of(seated.seats[0].deal(seated.game_id))).reason
    assert "ROUND_IN_PROGRESS" == (await refusal_of(platform.deal(seated.game_id))).reason


def _over(game: game_pb2.Game) -> bool:
    return game.view.phase == view_pb2.PHASE_FINISHED


# Hands and seeds


async def _after_round_1(platform: Client, shown: game_pb2.HandsShown.ValueType) -> game_pb2.Game:
    """Return a match of two bots after its first round."""
    policy = game_pb2.TablePolicy(hands_shown=shown)
    seated = await seat_all(platform, seats=bots(2), policy=policy, preset="masters_match13")
    return await dealt_out(platform, seated.game_id)


async def test_hands_and_seed_are_shown_after_the_round(platform: Client) -> None:
    game = await _after_round_1(platform, game_pb2.HANDS_SHOWN_UNSPECIFIED)
    assert 2 == len(game.view.round.shown_hands)
    assert commitment(game.commitments[0].seed) == game.commitments[0].commitment
    assert b"" == game.commitments[1].seed


async def test_hands_and_seeds_are_kept_until_the_match_is_over_when_the_table_says_so(
    platform: Client, house: House
) -> None:
    game = await _after_round_1(platform, game_pb2.HANDS_SHOWN_AFTER_GAME)
    secret = await stored_bytes(house.redis, "mt:{*")
    assert secret
    assert [] == list(game.view.round.shown_hands)
    assert {b""} == {each.seed for each in game.commitments}
    assert (await platform.export(game.game_id)).redacted
    while game.view.phase != view_pb2.PHASE_FINISHED:
        game = await dealt_out(platform, game.game_id)
    assert 2 == len(game.view.round.shown_hands)
    assert all(commitment(each.seed) == each.commitment for each in game.commitments)
    assert not (await platform.export(game.game_id)).redacted


@pytest.mark.parametrize("dealt", [False, True])
async def test_commitment_of_the_next_round_is_shown_before_it_is_dealt(
    platform: Client, dealt: bool
) -> None:
    seated = await seat_all(platform)
    game = await platform.get_game(seated.game_id)
    if dealt:
        game = (await platform.deal(seated.game_id)).game
    assert [1, 2][: 1 + dealt] == [each.number for each in game.commitments]
