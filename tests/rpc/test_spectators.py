"""Spectators who are kept behind see the game as it was, whatever they ask."""

from __future__ import annotations

import pytest
from mextrain.v1 import game_pb2

from mextrain_engine import Phase, parse_record
from mextrain_engine.record import replay
from tests.rpc.games import Seated, gone_on, seat_all
from tests.rpc.serving import Client, persons

DELAY = 3


async def _watched(platform: Client, delay: int = DELAY) -> tuple[Seated, list[int]]:
    """Return a game with a round dealt, and the versions at which its turns began."""
    policy = game_pb2.TablePolicy(spectators=True, spectator_delay_turns=delay)
    seated = await seat_all(platform, seats=persons(2), policy=policy)
    await platform.deal(seated.game_id)
    return seated, [1]


async def _turn(seated: Seated, starts: list[int]) -> None:
    """Let the seat to move take its whole turn."""
    game = await seated.platform.get_game(seated.game_id)
    turn = game.view.round.turn
    while True:
        legal = (await seated.seats[turn].legal_moves(seated.game_id)).moves
        answer = await seated.seats[turn].play_moves(seated.game_id, legal[-1])
        if answer.view.round.turn != turn:
            starts.append(answer.view.version)
            return


async def test_spectator_sees_the_game_as_it_was_some_turns_ago(platform: Client) -> None:
    seated, starts = await _watched(platform)
    for turns in range(1, 7):
        await _turn(seated, starts)
        expected = starts[max(0, len(starts) - DELAY)]
        game = await seated.spectator.get_game(seated.game_id)
        assert (expected, turns + 1) == (game.view.version, len(starts))
        assert expected == (await seated.spectator.score(seated.game_id)).version
        events = await seated.spectator.events(seated.game_id, page_size=500)
        assert (expected, expected) == (events.version, events.events[-1].version)
        record = parse_record((await seated.spectator.export(seated.game_id)).record)
        assert expected == len(record.entries)


async def test_seats_and_platform_are_not_kept_behind(platform: Client) -> None:
    seated, starts = await _watched(platform)
    for _ in range(4):
        await _turn(seated, starts)
    for client in (platform, *seated.seats.values()):
        assert starts[-1] == (await client.get_game(seated.game_id)).view.version


async def test_spectator_sees_the_seats_as_they_were_some_turns_ago(platform: Client) -> None:
    seated, starts = await _watched(platform, delay=100)
    await _turn(seated, starts)
    before = await seated.spectator.get_game(seated.game_id)
    assert not before.HasField("update_time")
    game_id = seated.game_id
    await platform.stand_in(game_id, 1)
    assert (await platform.get_game(game_id)).seats[1].stand_in
    assert before == await seated.spectator.get_game(game_id)
    await platform.resign(game_id, 1)
    assert (await platform.get_game(game_id)).seats[1].resigned
    assert before == await seated.spectator.get_game(game_id)


@pytest.mark.parametrize("delay", [DELAY, 100])
async def test_spectator_sees_everything_when_the_round_is_over(
    platform: Client, delay: int
) -> None:
    seated, starts = await _watched(platform, delay)
    await _turn(seated, starts)
    for seat in range(2):
        await platform.resign(seated.game_id, seat)
    whole = await gone_on(platform, seated.game_id)
    game = await seated.spectator.get_game(seated.game_id)
    assert whole.view.version == game.view.version
    assert whole.view.round.shown_hands == game.view.round.shown_hands
    record = parse_record((await seated.spectator.export(seated.game_id)).record)
    assert Phase.AWAITING_DEAL is list(replay(record))[-1].step.state.phase
