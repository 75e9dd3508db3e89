"""The Python client on a real service: what it answers, what it raises, what it repeats."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from mextrain.v1.game_pb2 import Bot, BotLevel, Person, Seat, TablePolicy
from mextrain.v1.game_service_pb2 import CreateGameResponse
from mextrain.v1.rule_options_pb2 import DRAWN_TILE_MAY_KEEP, ROUNDS_FIXED
from mextrain.v1.rule_set_pb2 import PlayerStep, RuleSet
from mextrain.v1.view_pb2 import Phase

from mextrain_client import MextrainClient, MextrainError, format_move, format_tile
from mextrain_engine import PRESETS, set_size
from mextrain_engine.rulebook import describe
from mextrain_service.local.discovery import Running
from mextrain_service.rpc.messages.rules import rule_set_message

PAIR = (
    Seat(person=Person(player_id="ada", display_name="Ada")),
    Seat(person=Person(player_id="bea", display_name="Bea")),
)


def created_and_dealt(platform: MextrainClient) -> CreateGameResponse:
    created = platform.create_game(PAIR, fixed_seed=7, policy=TablePolicy(spectators=True))
    platform.deal_round(created.game.game_id)
    return created


def refused(call: Callable[[], object]) -> MextrainError:
    with pytest.raises(MextrainError) as error:
        call()
    return error.value


def test_presets_are_those_of_the_engine(platform: MextrainClient) -> None:
    presets = {preset.name: preset.rules for preset in platform.list_presets().presets}

    assert {name: rule_set_message(rules) for name, rules in PRESETS.items()} == presets


def test_explanation_is_that_of_the_rulebook(platform: MextrainClient) -> None:
    overrides = RuleSet(double_blank_value=25)
    explained = platform.explain_rules("pagat", overrides=overrides, players=5)

    chapters = describe(PRESETS["pagat"].override(double_blank_value=25), 5)
    assert [(chapter.title, [each.text for each in chapter.sentences]) for chapter in chapters] == [
        (chapter.title, [each.text for each in chapter.sentences]) for chapter in explained.chapters
    ]


def test_rules_of_a_game_are_explained_as_they_are(platform: MextrainClient) -> None:
    for name, rules in PRESETS.items():
        message = rule_set_message(rules)
        explained = platform.explain_rules(name, overrides=message, players=4)
        assert message == explained.rules


def test_created_game_has_the_rules_the_names_and_a_token_for_each_seat(
    platform: MextrainClient,
) -> None:
    steps = [
        PlayerStep(min_players=2, max_players=4, value=9),
        PlayerStep(min_players=5, max_players=10, value=8),
    ]
    robot = Seat(bot=Bot(level=BotLevel.BOT_LEVEL_RANDOM, display_name="Robo"))
    created = platform.create_game(
        [*PAIR, robot],
        preset="ehow",
        overrides=RuleSet(drawn_tile=DRAWN_TILE_MAY_KEEP, hand_size_by_players=steps),
    )

    game = created.game
    assert DRAWN_TILE_MAY_KEEP == game.rules.drawn_tile
    assert steps == list(game.rules.hand_size_by_players)
    assert "Robo" == game.seats[2].bot.display_name
    assert [0, 1] == [access.seat for access in created.seat_tokens]
    assert not created.HasField("spectator_token")
    assert not game.fixed_seed
    assert Phase.PHASE_AWAITING_DEAL == game.view.phase
    assert [1] == [commitment.number for commitment in game.commitments]


def test_seat_sees_its_own_hand_and_only_counts_of_the_others(
    platform: MextrainClient, service: Running
) -> None:
    created = created_and_dealt(platform)
    game_id = created.game.game_id

    hands = []
    for access in created.seat_tokens:
        with MextrainClient(service.endpoint, access.token) as client:
            view = client.get_game(game_id).game.view
            assert access.seat == view.seat
            hands.append(set(map(format_tile, view.hand)))
    with MextrainClient(service.endpoint, created.spectator_token.token) as watcher:
        watched = watcher.get_game(game_id).game.view

    assert [15, 15] == [len(hand) for hand in hands]
    assert not hands[0] & hands[1]
    assert [] == list(watched.hand)
    assert [15, 15] == list(watched.round.hand_counts)
    assert set_size(12) == 1 + sum(watched.round.hand_counts) + watched.round.boneyard_count


@pytest.mark.parametrize("as_text", [False, True])
def test_seat_plays_what_it_is_told_it_may(
    platform: MextrainClient, service: Running, *, as_text: bool
) -> None:
    created = created_and_dealt(platform)
    game_id = created.game.game_id
    with MextrainClient(service.endpoint, created.seat_tokens[0].token) as ada:
        before = ada.get_game(game_id).game.view
        legal = ada.list_legal_moves(game_id)
        move = legal.moves[0]
        played = ada.play_move(
            game_id, format_move(move) if as_text else move, expected_version=legal.version
        )

    assert before.version == legal.version
    assert before.version + 1 == played.view.version
    (laid,) = (event.tile_played for event in played.events if event.HasField("tile_played"))
    assert (move.play_tile.tile, move.play_tile.train) == (laid.tile, laid.train)
    hand = set(map(format_tile, before.hand))
    assert {format_tile(entry.tile) for entry in legal.unplayable_tiles} <= hand


def test_error_has_the_reason_the_sentence_and_the_facts(
    platform: MextrainClient, service: Running
) -> None:
    created = created_and_dealt(platform)
    with MextrainClient(service.endpoint, created.seat_tokens[1].token) as bea:
        error = refused(lambda: bea.play_move(created.game.game_id, "draw"))
        legal = bea.list_legal_moves(created.game.game_id)

    assert "NOT_YOUR_TURN" == error.reason
    assert error.facts["turn"] == "0"
    assert error.retry_after is None
    assert error.message in str(error)
    assert [] == list(legal.moves)
    assert error.message == legal.refusal.message


def test_error_names_each_problem_when_the_rules_cannot_be_played(
    platform: MextrainClient,
) -> None:
    overrides = RuleSet(double_blank_value=101, rounds=ROUNDS_FIXED, round_count=0)
    error = refused(lambda: platform.create_game(PAIR, overrides=overrides))

    assert "RULE_SET_INVALID" == error.reason
    assert {"double_blank_value", "round_count"} <= {
        option.rpartition(".")[2] for option, _ in error.problems
    }


def test_error_says_that_a_credential_is_missing_or_wrong(service: Running) -> None:
    with MextrainClient(service.endpoint) as nobody, MextrainClient(service.endpoint, "x") as liar:
        assert "UNAUTHENTICATED" == refused(lambda: nobody.create_game(PAIR)).reason
        assert "TOKEN_INVALID" == refused(lambda: liar.create_game(PAIR)).reason
