"""Each method does what the contract says when all is well."""

from __future__ import annotations

import hashlib

import pytest
from mextrain.v1 import game_pb2, rule_options_pb2, rule_set_pb2, view_pb2
from mextrain.v1 import game_service_pb2 as pb

from mextrain_engine import PRESETS, permutation
from mextrain_service.application.create_game import id_of_bytes
from tests.rpc.games import dealt_out, first_turn, seat_all
from tests.rpc.serving import Client, House, bots, persons


async def test_create_game_returns_the_game_before_its_first_deal(platform: Client) -> None:
    made = await platform.create_game(pb.CreateGameRequest(preset="thoughtco", seats=persons(4)))
    assert len(made.game.game_id) == 22
    assert made.game.rules.name == "thoughtco"
    assert made.game.view.version == 0
    assert made.game.view.phase == view_pb2.PHASE_AWAITING_DEAL
    assert not made.game.view.HasField("round")
    assert [seat.person.player_id for seat in made.game.seats] == [
        f"account-{seat}" for seat in range(4)
    ]


async def test_create_game_gives_a_token_to_each_person_and_none_to_bots(platform: Client) -> None:
    seats = [*bots(1), *persons(2), game_pb2.Seat(open=game_pb2.OpenSeat())]
    made = await platform.create_game(pb.CreateGameRequest(seats=seats))
    assert [token.seat for token in made.seat_tokens] == [1, 2]
    assert not made.HasField("spectator_token")


async def test_create_game_gives_a_spectator_token_when_the_table_has_spectators(
    platform: Client,
) -> None:
    policy = game_pb2.TablePolicy(spectators=True)
    made = await platform.create_game(pb.CreateGameRequest(seats=persons(2), policy=policy))
    assert made.spectator_token.token
    assert not made.spectator_token.HasField("seat")


async def test_create_game_takes_options_that_differ_from_the_preset(platform: Client) -> None:
    overrides = rule_set_pb2.RuleSet(
        double_blank_value=25,
        drawn_tile=rule_options_pb2.DRAWN_TILE_MAY_KEEP,
        hand_size_by_players=[rule_set_pb2.PlayerStep(min_players=2, max_players=3, value=9)],
    )
    request = pb.CreateGameRequest(seats=persons(3), overrides=overrides)
    rules = (await platform.create_game(request)).game.rules
    assert rules.name == "custom"
    assert rules.double_blank_value == 25
    assert rules.drawn_tile == rule_options_pb2.DRAWN_TILE_MAY_KEEP
    assert [(s.min_players, s.max_players, s.value) for s in rules.hand_size_by_players] == [
        (2, 3, 9), (4, 4, 15), (5, 6, 12), (7, 8, 10)
    ]  # fmt: skip


async def test_get_game_shows_each_seat_its_own_hand_and_account_only(platform: Client) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    games = [await seated.seats[seat].get_game(seated.game_id) for seat in range(3)]
    assert [game.view.seat for game in games] == [0, 1, 2]
    assert [len(game.view.hand) for game in games] == [15, 15, 15]
    hands = [{(tile.high, tile.low) for tile in game.view.hand} for game in games]
    assert len(set.union(*hands)) == 45
    assert [seat.person.player_id for seat in games[1].seats] == ["", "account-1", ""]
    assert [seat.person.display_name for seat in games[1].seats] == [
        "Player 0", "Player 1", "Player 2"
    ]  # fmt: skip


async def test_get_game_shows_the_platform_the_table_without_a_hand(platform: Client) -> None:
    seated = await seat_all(platform)
    await platform.deal(seated.game_id)
    game = await platform.get_game(seated.game_id)
    assert not game.view.HasField("seat")
    assert list(game.view.hand) == []
    assert list(game.view.round.hand_counts) == [15, 15, 15]


async def test_get_game_carries_the_time_of_the_server(platform: Client, house: House) -> None:
    seated = await seat_all(platform)
    house.clock.advance(5)
    game = await platform.get_game(seated.game_id)
    assert game.view.server_time.ToMilliseconds() == house.clock.now_ms()
    assert game.view.server_time.ToMilliseconds() - game.create_time.ToMilliseconds() == 5_000


async def test_deal_round_is_bound_by_the_commitment_that_was_shown_before(
    platform: Client,
) -> None:
    seated = await seat_all(platform)
    before = await platform.get_game(seated.game_id)
    assert [(each.number, each.seed) for each in before.commitments] == [(1, b"")]
    dealt = await seated.platform.deal(seated.game_id)
    assert dealt.game.commitments[0].commitment == before.commitments[0].commitment
    assert dealt.game.commitments[0].seed == b""


async def test_seed_is_shown_when_the_round_is_over_and_explains_the_deal(
    platform: Client,
) -> None:
    seated = await seat_all(platform, preset="ehow", seats=[*persons(1), *bots(2)])
    dealt = await platform.deal(seated.game_id)
    first = await seated.seats[0].get_game(seated.game_id)
    dealt_hand = sorted((tile.high, tile.low) for tile in first.view.hand)
    committed = dealt.game.commitments[0].commitment
    await _play_out(seated.seats[0], seated.game_id)
    over = await platform.get_game(seated.game_id)
    seed = over.commitments[0].seed
    assert hashlib.sha256(seed).digest() == committed
    tiles = [(high, low) for high in range(13) for low in range(high + 1)]
    order = [tiles[place] for place in permutation(seed, len(tiles))]
    assert set(dealt_hand) <= set(order[:15]) | {(12, 12)}


async def test_play_move_returns_the_table_and_what_happened(platform: Client) -> None:
    seated = await seat_all(platform)
    dealt = await platform.deal(seated.game_id)
    seat = seated.seats[first_turn(dealt.game)]
    move = (await seat.legal_moves(seated.game_id)).moves[0]
    request = pb.PlayMoveRequest(game_id=seated.game_id, moves=[move])
    played = await seat.stub.PlayMove(request, metadata=seat.metadata)
    assert played.view.version == dealt.game.view.version + 1
    assert played.events[0].version == played.view.version
    assert played.events[0].WhichOneof("fact") in ("tile_played", "tile_drawn")


async def test_play_move_takes_every_form_of_a_move(platform: Client) -> None:
    seated = await seat_all(platform)
    dealt = await platform.deal(seated.game_id)
    seat = seated.seats[first_turn(dealt.game)]
    first = (await seat.legal_moves(seated.game_id)).moves[0].play_tile
    turned = pb.PlayMoveRequest(game_id=seated.game_id)
    turned.moves.add().play_tile.tile.MergeFrom(
        type(first.tile)(high=first.tile.low, low=first.tile.high)
    )
    turned.moves[0].play_tile.train.CopyFrom(first.train)
    turned.moves.add().pass_turn.SetInParent()
    played = await seat.stub.PlayMove(turned, metadata=seat.metadata)
    assert [event.WhichOneof("fact") for event in played.events][:2] == [
        "tile_played",
        "turn_passed",
    ]


async def test_list_legal_moves_says_of_every_other_tile_why_it_cannot_go(platform: Client) -> None:
    seated = await seat_all(platform)
    dealt = await platform.deal(seated.game_id)
    seat = seated.seats[first_turn(dealt.game)]
    hand = (await seat.get_game(seated.game_id)).view.hand
    answer = await seat.legal_moves(seated.game_id)
    playable = {
        (move.play_tile.tile.high, move.play_tile.tile.low)
        for move in answer.moves
        if move.HasField("play_tile")
    }
    unplayable = {(each.tile.high, each.tile.low) for each in answer.unplayable_tiles}
    assert {(tile.high, tile.low) for tile in hand} == playable | unplayable
    assert not playable & unplayable
    assert all(each.refusal.message and each.refusal.reason for each in answer.unplayable_tiles)
    assert not answer.HasField("refusal")


async def test_list_legal_moves_says_why_nothing_may_be_done_when_it_is_not_the_turn(
    platform: Client,
) -> None:
    seated = await seat_all(platform)
    turn = first_turn((await platform.deal(seated.game_id)).game)
    answer = await seated.seats[(turn + 1) % 3].legal_moves(seated.game_id)
    assert list(answer.moves) == []
    assert list(answer.unplayable_tiles) == []
    assert answer.refusal.facts["turn"] == str(turn)


@pytest.mark.parametrize("level", game_pb2.BotLevel.values())
async def test_suggest_move_names_a_legal_move_and_the_same_one_again(
    level: game_pb2.BotLevel.ValueType, platform: Client
) -> None:
    seated = await seat_all(platform)
    dealt = await platform.deal(seated.game_id)
    seat = seated.seats[first_turn(dealt.game)]
    legal = (await seat.legal_moves(seated.game_id)).moves
    answer = await seat.suggest(seated.game_id, level)
    assert answer.move in legal
    assert answer.version == dealt.game.view.version
    assert not answer.HasField("refusal")
    assert await seat.suggest(seated.game_id, level) == answer


async def test_suggest_move_says_why_nothing_may_be_done_when_it_is_not_the_turn(
    platform: Client,
) -> None:
    seated = await seat_all(platform)
    turn = first_turn((await platform.deal(seated.game_id)).game)
    answer = await seated.seats[(turn + 1) % 3].suggest(seated.game_id)
    assert not answer.HasField("move")
    assert answer.refusal.facts["turn"] == str(turn)


async def test_suggestion_of_a_planner_can_be_played(platform: Client) -> None:
    seated = await seat_all(platform, preset="ehow", seats=[*persons(1), *bots(2)])
    await platform.deal(seated.game_id)
    seat = seated.seats[0]
    while (answer := await seat.suggest(seated.game_id, game_pb2.BOT_LEVEL_PLANNER)).HasField(
        "move"
    ):
        request = pb.PlayMoveRequest(game_id=seated.game_id, moves=[answer.move])
        await seat.stub.PlayMove(request, metadata=seat.metadata)
    assert (await seat.get_game(seated.game_id)).view.phase == view_pb2.PHASE_FINISHED


async def test_get_score_counts_the_rounds_that_are_over(platform: Client) -> None:
    seated = await seat_all(platform, preset="ehow", seats=bots(3))
    before = await platform.score(seated.game_id)
    assert not before.score.finished
    assert list(before.score.rounds) == []
    game = await dealt_out(platform, seated.game_id)
    after = await platform.score(seated.game_id)
    assert game.view.phase == view_pb2.PHASE_FINISHED
    assert after.score.finished
    assert [each.total for each in after.score.standings] == list(after.score.rounds[0].points)
    assert list(after.score.winners) == [
        each.seat for each in after.score.standings if each.place == 1
    ]


async def test_list_presets_lists_every_preset_with_a_summary(nobody: Client) -> None:
    answer = await nobody.stub.ListPresets(pb.ListPresetsRequest())
    assert [preset.name for preset in answer.presets] == list(PRESETS)
    assert all(preset.summary and preset.rules.name == preset.name for preset in answer.presets)


async def test_explain_rules_gives_each_sentence_its_rule_and_options(nobody: Client) -> None:
    answer = await nobody.stub.ExplainRules(pb.ExplainRulesRequest(preset="pagat", players=4))
    assert answer.rules.name == "pagat"
    sentences = [each for chapter in answer.chapters for each in chapter.sentences]
    assert len(sentences) > 20
    assert all(each.rule_id and each.text for each in sentences)
    assert any("hub_rule" in each.options for each in sentences)


async def test_bots_play_on_until_a_person_is_to_move(platform: Client) -> None:
    seated = await seat_all(platform, seats=[*bots(1), *persons(1), *bots(2)])
    dealt = await platform.deal(seated.game_id)
    assert dealt.game.view.round.turn == 1
    assert {
        event.turn_started.seat for event in dealt.events if event.HasField("turn_started")
    } >= {0, 1}


async def test_same_fixed_seed_and_moves_give_the_same_match(platform: Client) -> None:
    outcomes = []
    for _ in range(2):
        seated = await seat_all(platform, preset="masters_match13", seats=bots(3), fixed_seed=11)
        points = []
        for _ in range(13):
            await dealt_out(platform, seated.game_id)
        answer = await platform.score(seated.game_id)
        points = [list(each.points) for each in answer.score.rounds]
        outcomes.append((answer.version, points))
    assert outcomes[0] == outcomes[1]


async def test_forced_moves_are_made_by_the_service_when_the_table_says_so(
    platform: Client,
) -> None:
    policy = game_pb2.TablePolicy(auto_forced_moves=True, deal_by=game_pb2.DEAL_BY_SEATS)
    seated = await seat_all(platform, policy=policy, preset="ehow")
    game = (await seated.seats[0].deal(seated.game_id)).game
    while game.view.phase == view_pb2.PHASE_PLAYING:
        seat = seated.seats[game.view.round.turn]
        legal = (await seat.legal_moves(seated.game_id)).moves
        assert len(legal) > 1
        request = pb.PlayMoveRequest(game_id=seated.game_id, moves=[legal[0]])
        game.view.CopyFrom((await seat.stub.PlayMove(request, metadata=seat.metadata)).view)


async def _play_out(seat: Client, game_id: str) -> None:
    """Play the first legal move of the only person until the round is over."""
    while legal := (await seat.legal_moves(game_id)).moves:
        request = pb.PlayMoveRequest(game_id=game_id, moves=[legal[0]])
        await seat.stub.PlayMove(request, metadata=seat.metadata)


def test_game_id_begins_with_a_letter_so_that_it_is_no_option_of_a_command() -> None:
    ids = [id_of_bytes(bytes((first, *range(15)))) for first in range(256)]
    assert all(each[0].isalpha() and len(each) == 22 for each in ids)
    assert 128 == len(set(ids))
