"""Lists of games: whose, in what state, page by page, and only what the games themselves say."""

from __future__ import annotations

import pytest
from mextrain.v1 import game_pb2, rule_options_pb2
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.rule_set_pb2 import RuleSet

from mextrain_service.application.list_games import DOUBTFUL_MS
from tests.rpc.games import dealt_out, seat_all
from tests.rpc.refusing import refusal_of
from tests.rpc.serving import Client, House, bots, persons

OPEN = game_pb2.Seat(open=game_pb2.OpenSeat())


def _seats(*players: str) -> list[game_pb2.Seat]:
    people = [game_pb2.Seat(person=game_pb2.Person(player_id=player)) for player in players]
    return [*people, *bots(1)]


async def _game(platform: Client, house: House, *players: str) -> str:
    """Create a game of these players and a bot, a second after the one before."""
    house.clock.advance(1)
    made = await platform.create_game(pb.CreateGameRequest(seats=_seats(*players)))
    return made.game.game_id


def _names(answer: pb.ListGamesResponse) -> list[str]:
    return [game.game_id for game in answer.games]


async def test_platform_lists_its_games_the_latest_first(
    platform: Client, rival: Client, house: House
) -> None:
    games = [await _game(platform, house, f"p{number}") for number in range(4)]
    await _game(rival, house, "p0")
    assert games[::-1] == _names(await platform.list_games())


async def test_platform_lists_the_games_of_a_player(
    platform: Client, rival: Client, house: House
) -> None:
    first = await _game(platform, house, "ada", "bea")
    await _game(platform, house, "bea")
    last = await _game(platform, house, "cleo", "ada")
    await _game(rival, house, "ada")
    answer = await platform.list_games(player_id="ada")
    assert [last, first] == _names(answer)
    assert [1, 0] == [game.seat for game in answer.games]
    assert ["cleo", "ada"] == [seat.person.player_id for seat in answer.games[0].seats[:2]]


@pytest.mark.parametrize("size", [1, 2, 3, 100])
async def test_pages_of_any_size_are_the_same_list(
    platform: Client, house: House, size: int
) -> None:
    games = [await _game(platform, house, "ada") for _ in range(7)]
    found: list[str] = []
    token = ""
    while True:
        page = await platform.list_games(player_id="ada", page_size=size, page_token=token)
        assert len(page.games) <= size
        found.extend(_names(page))
        token = page.next_page_token
        if not token:
            break
    assert games[::-1] == found


async def test_seat_lists_the_games_of_its_own_player(platform: Client, house: House) -> None:
    seated = await seat_all(platform, seats=_seats("ada", "bea"))
    other = await _game(platform, house, "bea")
    await _game(platform, house, "ada")
    answer = await seated.seats[1].list_games()
    assert [other, seated.game_id] == _names(answer)
    assert [["bea"], ["", "bea"]] == [
        [seat.person.player_id for seat in game.seats if seat.HasField("person")]
        for game in answer.games
    ]
    refused = await refusal_of(seated.seats[1].list_games(player_id="ada"))
    assert "PERMISSION_DENIED" == refused.reason


async def test_seat_without_an_account_has_no_list(platform: Client) -> None:
    made = await platform.create_game(pb.CreateGameRequest(seats=[*persons(1), OPEN]))
    invited = platform.bearing(made.invitations[0].token)
    claimed = await invited.claim(made.game.game_id, 1)
    call = platform.bearing(claimed.seat_token.token).list_games()
    assert "PERMISSION_DENIED" == (await refusal_of(call)).reason


async def test_games_are_listed_by_where_they_stand(platform: Client, house: House) -> None:
    running = await _game(platform, house, "ada")
    made = await platform.create_game(pb.CreateGameRequest(seats=[*_seats("ada"), OPEN]))
    over = await platform.create_game(
        pb.CreateGameRequest(
            overrides=RuleSet(rounds=rule_options_pb2.ROUNDS_FIXED, round_count=1),
            seats=_seats("ada"),
        )
    )
    await platform.resign(over.game.game_id, 0)
    await dealt_out(platform, over.game.game_id)
    states = {
        game_pb2.GAME_STATE_OPEN: made.game.game_id,
        game_pb2.GAME_STATE_RUNNING: running,
        game_pb2.GAME_STATE_FINISHED: over.game.game_id,
    }
    for state, expected in states.items():
        for fields in ({}, {"player_id": "ada"}):
            answer = await platform.list_games(state=state, **fields)
            assert [(expected, state)] == [(game.game_id, game.state) for game in answer.games]


async def test_player_who_claims_a_seat_has_the_game_on_its_list_and_who_is_replaced_has_not(
    platform: Client, house: House
) -> None:
    made = await platform.create_game(pb.CreateGameRequest(seats=[*persons(1), OPEN]))
    game_id = made.game.game_id
    await platform.claim(game_id, 1, player_id="nina")
    assert [game_id] == _names(await platform.list_games(player_id="nina"))
    await platform.substitute(game_id, 1, person=game_pb2.Person(player_id="otto"))
    assert [game_id] == _names(await platform.list_games(player_id="otto"))
    assert [] == _names(await platform.list_games(player_id="nina"))


async def test_game_that_is_gone_is_on_no_list_and_is_dropped_in_time(
    platform: Client, house: House
) -> None:
    game_id = await _game(platform, house, "ada")
    await platform.delete(game_id)
    assert [] == _names(await platform.list_games())
    assert await house.redis.keys("mt:games:*")
    house.clock.advance(DOUBTFUL_MS / 1_000 + 1)
    await platform.list_games()
    await platform.list_games(player_id="ada")
    assert [] == await house.redis.keys("mt:games:*")
    assert [] == await house.redis.keys("mt:player:*")


async def test_summary_tells_whose_turn_it_is_and_until_when(
    platform: Client, house: House
) -> None:
    clock = game_pb2.TurnClock()
    clock.per_turn.FromSeconds(86_400)
    policy = game_pb2.TablePolicy(clock=clock)
    seated = await seat_all(platform, seats=persons(2), policy=policy)
    game = (await platform.deal(seated.game_id)).game
    (summary,) = (await platform.list_games()).games
    assert (game.view.round.turn, 1, game.view.version) == (
        summary.turn,
        summary.round_number,
        summary.version,
    )
    assert game.view.turn_deadline == summary.turn_deadline
    assert ("modern", game.view.total_rounds) == (summary.rules_name, summary.total_rounds)
    assert not summary.HasField("seat")


@pytest.mark.parametrize("token", ["x", "eHh4", "%%%", "YWJjOjE6Zw=="])
async def test_token_of_another_list_is_refused(platform: Client, house: House, token: str) -> None:
    for _ in range(2):
        await _game(platform, house, "ada")
    page = await platform.list_games(page_size=1)
    for call in (
        platform.list_games(page_token=token),
        platform.list_games(page_token=page.next_page_token, player_id="ada"),
        platform.list_games(page_token=page.next_page_token, state=game_pb2.GAME_STATE_OPEN),
    ):
        refused = await refusal_of(call)
        assert [("page_token", "MALFORMED")] == list(refused.violations)


async def test_state_that_there_is_not_is_refused(platform: Client) -> None:
    refused = await refusal_of(platform.list_games(state=9))
    assert [("state", "UNKNOWN_VALUE")] == list(refused.violations)
