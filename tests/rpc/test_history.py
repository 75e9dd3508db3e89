"""What happened is told page by page, as a record, and not any more once a game was removed."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from mextrain.v1 import event_pb2, game_pb2, rule_options_pb2, rule_set_pb2, view_pb2

from mextrain_engine import Phase, Record, format_record, parse_record, replay
from mextrain_service.application.model import GameId
from tests.rpc.games import Seated, dealt_out, gone_on, seat_all, stored_bytes
from tests.rpc.refusing import refusal_of
from tests.rpc.serving import Client, House, bots, persons

WATCHED = game_pb2.TablePolicy(spectators=True, auto_call=True)


async def play_some(seated: Seated, moves: int, chance: random.Random) -> list[event_pb2.Event]:
    """Play so many moves at random, deals where they are due; return what the platform saw."""
    seen: list[event_pb2.Event] = []
    game = await seated.platform.get_game(seated.game_id)
    for _ in range(moves):
        if game.view.phase == view_pb2.PHASE_FINISHED:
            break
        if game.view.phase == view_pb2.PHASE_AWAITING_DEAL:
            seen += (await seated.platform.deal(seated.game_id)).events
        else:
            mover = seated.seats[game.view.round.turn]
            legal = list((await mover.legal_moves(seated.game_id)).moves)
            await mover.play_moves(seated.game_id, chance.choice(legal))
        game = await seated.platform.get_game(seated.game_id)
    return seen


async def all_events(client: Client, game_id: str, **fields: object) -> list[event_pb2.Event]:
    """Return the whole history, page by page."""
    events: list[event_pb2.Event] = []
    token = ""
    while True:
        page = await client.events(game_id, page_token=token, **fields)
        events += page.events
        token = page.next_page_token
        if not token:
            return events


async def test_history_is_what_each_move_was_answered_with(platform: Client) -> None:
    seated = await seat_all(platform, policy=WATCHED)
    dealt = await platform.deal(seated.game_id)
    answered = list(dealt.events)
    turn = dealt.game.view.round.turn
    for _ in range(30):
        legal = await seated.seats[turn].legal_moves(seated.game_id)
        moved = await seated.seats[turn].play_moves(seated.game_id, legal.moves[0])
        answered += moved.events if turn == 0 else []
        if moved.view.phase != view_pb2.PHASE_PLAYING:
            break
        turn = moved.view.round.turn
    listed = await all_events(seated.seats[0], seated.game_id)
    own = [
        event
        for event in listed
        if event.version == 1 or any(event.version == each.version for each in answered)
    ]
    public = dealt.events[0]
    assert [public.round_dealt] == [own[0].round_dealt]
    assert [event for event in answered if event.version > 1] == [
        event for event in own if event.version > 1
    ]


@pytest.mark.parametrize("page_size", [1, 7, 500, 100_000])
async def test_pages_add_up_to_the_history_whatever_their_size(
    page_size: int, platform: Client
) -> None:
    seated = await seat_all(platform, seats=bots(4))
    await dealt_out(platform, seated.game_id)
    whole = await all_events(platform, seated.game_id)
    assert whole == await all_events(platform, seated.game_id, page_size=page_size)
    assert sorted(event.version for event in whole) == [event.version for event in whole]


async def test_history_after_a_version_is_the_rest_of_it(platform: Client) -> None:
    seated = await seat_all(platform, seats=bots(3))
    await dealt_out(platform, seated.game_id)
    whole = await all_events(platform, seated.game_id)
    for version in (0, 1, 17, whole[-1].version, 10_000):
        rest = await all_events(platform, seated.game_id, after_version=version, page_size=50)
        assert [event for event in whole if event.version > version] == rest


@pytest.mark.parametrize("token", ["x", "====", "YQ==", "bnVsbDowOjE="])
async def test_page_token_of_something_else_is_refused(token: str, platform: Client) -> None:
    seated = await seat_all(platform)
    refused = await refusal_of(platform.events(seated.game_id, page_token=token))
    assert ("page_token", "MALFORMED") in refused.violations


async def test_page_token_is_good_for_its_own_history_only(platform: Client) -> None:
    seated = await seat_all(platform, seats=bots(3))
    await dealt_out(platform, seated.game_id)
    token = (await platform.events(seated.game_id, page_size=3)).next_page_token
    refused = await refusal_of(
        platform.events(seated.game_id, after_version=1, page_size=3, page_token=token)
    )
    assert "FIELD_INVALID" == refused.reason


async def test_record_of_a_game_replays_to_the_state_that_is_stored(
    platform: Client, house: House
) -> None:
    seated = await seat_all(platform, seats=bots(3))
    await dealt_out(platform, seated.game_id)
    answer = await platform.export(seated.game_id)
    record = parse_record(answer.record)
    hosted = await house.store().load(GameId(seated.game_id))
    *_, last = replay(record)
    assert not answer.redacted
    assert (hosted.version, hosted.state) == (answer.version, last.step.state)
    assert answer.record == format_record(record)
    game = await platform.get_game(seated.game_id)
    assert f"commitment={game.commitments[0].commitment.hex()}" in answer.record
    assert f"seed={game.commitments[0].seed.hex()}" in answer.record


async def test_record_of_a_deal_that_was_void_replays_too(platform: Client, house: House) -> None:
    overrides = rule_set_pb2.RuleSet(hub_search=rule_options_pb2.HUB_SEARCH_REDEAL)
    for seed in range(6):
        seated = await seat_all(
            platform, preset="pagat", overrides=overrides, seats=bots(2), fixed_seed=seed
        )
        dealt = await platform.deal(seated.game_id)
        if any(event.HasField("deal_voided") for event in dealt.events):
            break
    else:
        pytest.fail("none of these seeds voids a deal")
    await gone_on(platform, seated.game_id)
    record = parse_record((await platform.export(seated.game_id)).record)
    hosted = await house.store().load(GameId(seated.game_id))
    *_, last = replay(record)
    rules = replace(hosted.state.rules, name=record.rules.name)  # is no part of a record
    assert hosted.state._replace(rules=rules) == last.step.state


async def test_record_of_a_live_round_hides_its_deal_from_everyone(platform: Client) -> None:
    seated = await seat_all(platform, policy=WATCHED)
    await platform.deal(seated.game_id)
    for client in (platform, seated.spectator, *seated.seats.values()):
        answer = await client.export(seated.game_id)
        record: Record = parse_record(answer.record)
        assert answer.redacted
        assert "seed=" not in answer.record
        assert "commitment=" in answer.record
        assert ("hand=" in answer.record) == (client in seated.seats.values())
        assert 1 == len(record.entries)


async def test_record_keeps_its_seeds_until_the_match_is_over_where_hands_are_shown_then(
    platform: Client,
) -> None:
    policy = game_pb2.TablePolicy(hands_shown=game_pb2.HANDS_SHOWN_AFTER_GAME)
    seated = await seat_all(
        platform,
        seats=bots(2),
        policy=policy,
        overrides={"rounds": "ROUNDS_FIXED", "round_count": 2},
    )
    await dealt_out(platform, seated.game_id)
    during = await platform.export(seated.game_id)
    await dealt_out(platform, seated.game_id)
    after = await platform.export(seated.game_id)
    assert (True, 0) == (during.redacted, during.record.count("seed="))
    assert (False, 2) == (after.redacted, after.record.count("seed="))


async def test_game_that_was_removed_is_not_there_and_leaves_only_its_receipt(
    platform: Client, house: House
) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    assert 1 == (await platform.delete(seated.game_id, request_id="once")).version
    assert "GAME_NOT_FOUND" == (await refusal_of(platform.get_game(seated.game_id))).reason
    kept = [key for key in await stored_bytes(house.redis) if seated.game_id.encode() in key]
    assert [f"mt:{{{seated.game_id}}}:d".encode()] == kept


async def test_removal_is_answered_the_same_again_under_its_request_id(
    platform: Client, rival: Client
) -> None:
    seated = await seat_all(platform)
    first = await platform.delete(seated.game_id, request_id="once")
    assert first == await platform.delete(seated.game_id, request_id="once")
    for client, request_id in ((platform, ""), (platform, "twice"), (rival, "once")):
        refused = await refusal_of(client.delete(seated.game_id, request_id=request_id))
        assert "GAME_NOT_FOUND" == refused.reason


async def test_request_id_of_a_removal_is_that_of_no_other_request(platform: Client) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id, request_id="once")
    refused = await refusal_of(platform.delete(seated.game_id, request_id="once"))
    assert "REQUEST_ID_REUSED" == refused.reason
    await platform.delete(seated.game_id, request_id="again")
    refused = await refusal_of(
        platform.delete(seated.game_id, request_id="again", expected_version=1)
    )
    assert "REQUEST_ID_REUSED" == refused.reason


async def test_game_that_moved_on_is_not_removed(platform: Client) -> None:
    seated = await seat_all(platform, seats=persons(2))
    await platform.deal(seated.game_id)
    refused = await refusal_of(platform.delete(seated.game_id, expected_version=0))
    assert ("ABORTED", "STALE_VERSION") == (refused.code, refused.reason)
    assert 1 == (await platform.get_game(seated.game_id)).view.version


async def test_history_of_a_finished_match_is_whole_for_everyone(
    platform: Client, house: House
) -> None:
    seated = await seat_all(
        platform,
        seats=bots(2),
        policy=WATCHED,
        overrides={"rounds": "ROUNDS_FIXED", "round_count": 2},
    )
    while (await platform.get_game(seated.game_id)).view.phase != view_pb2.PHASE_FINISHED:
        await dealt_out(platform, seated.game_id)
    hosted = await house.store().load(GameId(seated.game_id))
    assert Phase.FINISHED is hosted.state.phase
    listed = await all_events(seated.spectator, seated.game_id, page_size=500)
    assert listed[-1].HasField("game_ended")
    assert hosted.version == listed[-1].version
