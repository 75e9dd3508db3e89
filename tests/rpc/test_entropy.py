"""What players add to the chance of a deal: once each, in time, and to be checked by anyone."""

from __future__ import annotations

import pytest
from mextrain.v1 import event_pb2, game_pb2, rule_options_pb2
from mextrain.v1.rule_set_pb2 import RuleSet

from mextrain_engine import RecordedDeal, deal, new_game, parse_record, preset, set_size
from mextrain_engine.fairness import permutation
from mextrain_engine.record import replay
from mextrain_engine.tiles import tiles_in
from tests.rpc.games import Seated, gone_on, seat_all
from tests.rpc.refusing import refusal_of
from tests.rpc.serving import Client, persons

ADDED = {0: b"my dog ate it", 2: bytes(range(32))}


async def _added(platform: Client) -> Seated:
    """Return a game whose first deal two of three seats have added to."""
    seated = await seat_all(platform)
    for seat, entropy in ADDED.items():
        await seated.seats[seat].add_entropy(seated.game_id, seat, entropy, round=1)
    return seated


def _parts(commitment: object) -> dict[int, bytes]:
    return {each.seat: each.entropy for each in commitment.entropy}  # type: ignore[attr-defined]


async def test_entropy_of_players_changes_the_deal(platform: Client) -> None:
    seated = await _added(platform)
    plain = await seat_all(platform)
    for game in (seated, plain):
        await platform.deal(game.game_id)
    hands = [(await game.seats[0].get_game(game.game_id)).view.hand for game in (seated, plain)]
    assert list(hands[0]) != list(hands[1])


async def test_anyone_can_check_a_deal_that_players_added_to(platform: Client) -> None:
    seated = await _added(platform)
    await platform.deal(seated.game_id)
    dealt = (await seated.seats[1].get_game(seated.game_id)).view.hand
    for seat in range(3):
        await platform.resign(seated.game_id, seat)
    game = await gone_on(platform, seated.game_id)
    assert ADDED == _parts(game.commitments[0])
    size = set_size(preset("modern").max_pip(3))
    order = permutation(game.commitments[0].seed, size, [ADDED[0], ADDED[2]])
    state = deal(new_game(preset("modern"), 3), order).state
    assert state.round is not None
    expected = list(tiles_in(state.round.hands[1]))
    assert expected == sorted(tile.high * (tile.high + 1) // 2 + tile.low for tile in dealt)


async def test_what_was_added_is_shown_with_the_deal_and_not_before(platform: Client) -> None:
    seated = await _added(platform)
    assert {} == _parts((await platform.get_game(seated.game_id)).commitments[0])
    events = (await platform.events(seated.game_id)).events
    assert [event_pb2.EntropyAdded(seat=seat) for seat in ADDED] == [
        event.entropy_added for event in events
    ]
    game = (await platform.deal(seated.game_id)).game
    assert [ADDED, {}] == [_parts(each) for each in game.commitments]


async def test_record_names_what_was_added_and_replays_by_it(platform: Client) -> None:
    seated = await _added(platform)
    await platform.deal(seated.game_id)
    for seat in range(3):
        await platform.resign(seated.game_id, seat)
    game = await gone_on(platform, seated.game_id)
    record = parse_record((await platform.export(seated.game_id)).record)
    assert isinstance(record.entries[0], RecordedDeal)
    assert (ADDED[0], ADDED[2]) == record.entries[0].entropy
    points = list(replay(record))[-1].step.state.results[0].points
    assert points == tuple(game.results[0].points)


async def test_entropy_during_a_round_is_for_the_next_one(platform: Client) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    answer = await seated.seats[1].add_entropy(seated.game_id, 1, b"dice")
    assert 2 == answer.round
    assert 2 == len(answer.game.commitments)


async def test_entropy_is_refused_when_the_game_went_on_from_the_version_seen(
    platform: Client,
) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    late = seated.seats[1].add_entropy(seated.game_id, 1, b"dice", expected_version=0)
    refused = await refusal_of(late)
    assert ("STALE_VERSION", "0") == (refused.reason, refused.facts["expected_version"])
    assert refused.view is not None


async def test_seat_adds_to_a_deal_once(platform: Client) -> None:
    seated = await _added(platform)
    refused = await refusal_of(seated.seats[0].add_entropy(seated.game_id, 0, b"more"))
    assert ("ENTROPY_ADDED", {"round": "1"}) == (refused.reason, dict(refused.facts))
    await platform.deal(seated.game_id)
    assert 2 == (await seated.seats[0].add_entropy(seated.game_id, 0, b"more")).round


async def test_entropy_is_answered_the_same_again_under_its_request_id(platform: Client) -> None:
    seated = await seat_all(platform)
    calls = [
        seated.seats[0].add_entropy(seated.game_id, 0, b"dice", request_id="roll") for _ in "ab"
    ]
    assert await calls[0] == await calls[1]
    other = seated.seats[0].add_entropy(seated.game_id, 0, b"other", request_id="roll")
    assert "REQUEST_ID_REUSED" == (await refusal_of(other)).reason


async def test_entropy_for_a_round_that_is_not_next_is_refused(platform: Client) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    refused = await refusal_of(seated.seats[0].add_entropy(seated.game_id, 0, b"late", round=1))
    assert ("ROUND_NOT_NEXT", {"round": "1", "next": "2"}) == (
        refused.reason,
        dict(refused.facts),
    )


async def test_entropy_is_refused_when_no_further_round_is_dealt(platform: Client) -> None:
    one_round = RuleSet(rounds=rule_options_pb2.ROUNDS_FIXED, round_count=1)
    seated = await seat_all(platform, overrides=one_round)
    await platform.deal(seated.game_id)
    refused = await refusal_of(seated.seats[0].add_entropy(seated.game_id, 0, b"late"))
    assert ("ROUND_NOT_NEXT", {"round": "0", "next": "0"}) == (
        refused.reason,
        dict(refused.facts),
    )


@pytest.mark.parametrize(("entropy", "code"), [(b"", "REQUIRED"), (bytes(33), "OUT_OF_RANGE")])
async def test_entropy_of_no_length_is_refused(platform: Client, entropy: bytes, code: str) -> None:
    seated = await seat_all(platform)
    refused = await refusal_of(seated.seats[0].add_entropy(seated.game_id, 0, entropy))
    assert (("entropy", code),) == refused.violations


async def test_seat_adds_for_itself_only(platform: Client) -> None:
    policy = game_pb2.TablePolicy()
    seated = await seat_all(platform, seats=persons(2), policy=policy)
    refused = await refusal_of(seated.seats[0].add_entropy(seated.game_id, 1, b"dice"))
    assert "SEAT_NOT_YOURS" == refused.reason
