"""The Python client on a real service: what it reads, what it raises, what it repeats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from mextrain_engine import (
    DRAW,
    PRESETS,
    Move,
    Phase,
    RuleSet,
    by_players,
    events,
    parse_move,
    set_size,
)
from mextrain_engine.rulebook import describe
from mextrain_service.client import Bot, Created, MextrainClient, MextrainError, Person, Policy
from mextrain_service.client.errors import from_rpc_error
from mextrain_service.client.repeating import call_patiently, pause_s
from mextrain_service.client.rules_proto import read_rules, write_rules
from mextrain_service.local.discovery import Running

PAIR = (Person("ada", "Ada"), Person("bea", "Bea"))


def created_and_dealt(platform: MextrainClient) -> Created:
    created = platform.create_game(PAIR, fixed_seed=7, policy=Policy(spectators=True))
    platform.deal_round(created.game.game_id)
    return created


def refused(call: Callable[[], object]) -> MextrainError:
    with pytest.raises(MextrainError) as error:
        call()
    return error.value


def test_client_reads_every_preset_as_the_engine_has_it(platform: MextrainClient) -> None:
    presets = {preset.name: preset.rules for preset in platform.list_presets()}

    assert PRESETS == presets


def test_client_reads_an_explanation_as_the_rulebook_has_it(platform: MextrainClient) -> None:
    chapters = platform.explain_rules("pagat", overrides={"double_blank_value": 25}, players=5)

    rules = PRESETS["pagat"].override(double_blank_value=25)
    assert describe(rules, 5) == chapters


def test_created_game_has_the_rules_the_names_and_a_token_for_each_seat(
    platform: MextrainClient,
) -> None:
    created = platform.create_game(
        [*PAIR, Bot("random", "Robo")],
        preset="ehow",
        overrides={"drawn_tile": "may_keep", "hand_size_by_players": by_players({4: 9, 10: 8})},
    )

    rules = created.game.rules
    assert "may_keep" == rules.drawn_tile.value
    assert 9 == rules.hand_size(3)
    assert ("Ada", "Bea", "Robo") == created.game.names
    assert {0, 1} == set(created.seat_tokens)
    assert created.spectator_token is None
    assert not created.game.fixed_seed
    assert Phase.AWAITING_DEAL is created.game.table.view.phase
    assert {1} == set(created.game.commitments)


def test_seat_sees_its_own_hand_and_only_counts_of_the_others(
    platform: MextrainClient, service: Running
) -> None:
    created = created_and_dealt(platform)
    game_id = created.game.game_id

    hands = []
    for seat, token in created.seat_tokens.items():
        with MextrainClient(service.endpoint, token) as client:
            view = client.get_game(game_id).table.view
            assert seat == view.seat
            hands.append(set(view.hand))
    assert created.spectator_token is not None
    with MextrainClient(service.endpoint, created.spectator_token) as watcher:
        watched = watcher.get_game(game_id).table.view

    assert [15, 15] == [len(hand) for hand in hands]
    assert not hands[0] & hands[1]
    assert () == watched.hand
    assert watched.round is not None
    assert (15, 15) == watched.round.hand_counts
    assert set_size(12) == 1 + sum(watched.round.hand_counts) + watched.round.boneyard_count


def test_seat_plays_what_it_is_told_it_may(platform: MextrainClient, service: Running) -> None:
    created = created_and_dealt(platform)
    game_id = created.game.game_id
    with MextrainClient(service.endpoint, created.seat_tokens[0]) as ada:
        before = ada.get_game(game_id).table
        legal = ada.legal_moves(game_id)
        changed = ada.play(game_id, [legal.moves[0]], expected_version=legal.version)

    assert before.version == legal.version
    assert before.version + 1 == changed.table.version
    assert legal.moves[0] in {
        DRAW if isinstance(event, events.TileDrawn) else Move(0, event.train, event.tile)  # type: ignore[arg-type]
        for event in changed.events
        if isinstance(event, (events.TileDrawn, events.TilePlayed))
    }
    assert {entry.tile for entry in legal.unplayable} <= set(before.view.hand)


def test_error_has_the_reason_the_sentence_and_the_facts(
    platform: MextrainClient, service: Running
) -> None:
    created = created_and_dealt(platform)
    with MextrainClient(service.endpoint, created.seat_tokens[1]) as bea:
        error = refused(lambda: bea.play(created.game.game_id, [parse_move("draw")]))
        legal = bea.legal_moves(created.game.game_id)

    assert "NOT_YOUR_TURN" == error.reason
    assert error.facts["turn"] == "0"
    assert error.retry_after is None
    assert error.message in str(error)
    assert () == legal.moves
    assert legal.refusal is not None
    assert "NOT_YOUR_TURN" == legal.refusal.reason.value


def test_error_names_each_problem_when_the_rules_cannot_be_played(
    platform: MextrainClient,
) -> None:
    error = refused(
        lambda: platform.create_game(
            PAIR, overrides={"double_blank_value": 101, "rounds": "fixed", "round_count": 0}
        )
    )

    assert "RULE_SET_INVALID" == error.reason
    assert {"double_blank_value", "round_count"} <= {
        option.rpartition(".")[2] for option, _ in error.problems
    }


def test_error_says_that_nothing_answers_when_nothing_does() -> None:
    with MextrainClient("127.0.0.1:1", "key", patience_s=0) as client:
        error = refused(client.list_presets)

    assert "UNAVAILABLE" == error.reason
    assert "Nothing answers at 127.0.0.1:1." == error.message


class _CutOff(grpc.RpcError):
    """What a stub raises: a code, and what the service says about it if it got to that."""

    def __init__(self, code: grpc.StatusCode, status: Status | None = None) -> None:
        super().__init__()
        self._code = code
        self._status = status

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return "CANCELLED"

    def trailing_metadata(self) -> tuple[Any, ...]:
        if self._status is None:
            return ()
        return (("grpc-status-details-bin", self._status.SerializeToString()),)


@pytest.mark.parametrize(
    ("code", "retry_after"),
    [
        (grpc.StatusCode.CANCELLED, 0.0),
        (grpc.StatusCode.UNAVAILABLE, 0.0),
        (grpc.StatusCode.DEADLINE_EXCEEDED, 0.0),
        (grpc.StatusCode.UNIMPLEMENTED, None),
    ],
)
def test_call_may_be_made_again_when_it_was_cut_off_without_a_reason(
    code: grpc.StatusCode, retry_after: float | None
) -> None:
    error = from_rpc_error(_CutOff(code), "here:1")

    assert retry_after == error.retry_after
    assert code.name == error.reason


def test_call_may_be_made_again_when_the_service_was_the_first_to_see_its_deadline_pass() -> None:
    said = Status(code=grpc.StatusCode.DEADLINE_EXCEEDED.value[0], message="too long")
    said.details.add().Pack(ErrorInfo(reason="DEADLINE_EXCEEDED", domain="mextrain"))

    error = from_rpc_error(_CutOff(grpc.StatusCode.DEADLINE_EXCEEDED, said), "here:1")

    assert "too long" == error.message
    assert 0.0 == error.retry_after


def test_error_says_that_a_credential_is_missing_or_wrong(service: Running) -> None:
    with MextrainClient(service.endpoint) as nobody, MextrainClient(service.endpoint, "x") as liar:
        assert "UNAUTHENTICATED" == refused(lambda: nobody.create_game(PAIR)).reason
        assert "TOKEN_INVALID" == refused(lambda: liar.create_game(PAIR)).reason


@pytest.mark.parametrize("name", PRESETS)
def test_rules_survive_being_written_and_read(name: str) -> None:
    rules = PRESETS[name]
    options = {
        option: getattr(rules, option)
        for option in RuleSet.__dataclass_fields__
        if getattr(rules, option) is not None
    }

    assert rules == read_rules(write_rules(options))


@pytest.mark.parametrize("changes", [{"colour": 1}, {"drawn_tile": "sometimes"}])
def test_option_that_does_not_exist_is_refused_before_any_call(changes: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"there is no option|is no value"):
        write_rules(changes)


def test_repeating_stops_when_a_call_succeeds() -> None:
    failures = [MextrainError("CONTENTION", "busy", retry_after=0.001)] * 3

    def call() -> str:
        if failures:
            raise failures.pop()
        return "done"

    assert "done" == call_patiently(call, patience_s=5)


def test_repeating_is_not_tried_when_it_cannot_help() -> None:
    calls = []

    def call() -> None:
        calls.append(1)
        raise MextrainError("NOT_YOUR_TURN", "no")

    assert "NOT_YOUR_TURN" == refused(lambda: call_patiently(call, patience_s=5)).reason
    assert [1] == calls


def test_pause_is_the_one_that_the_service_asks_for_when_it_does() -> None:
    assert {0.4} == {pause_s(0.4, own_s=2.0) for _ in range(100)}


def test_pauses_are_spread_when_the_service_does_not_say() -> None:
    pauses = {pause_s(0.0, own_s=2.0) for _ in range(100)}
    assert 0.0 <= min(pauses) <= max(pauses) <= 2.0
    assert len(pauses) > 50


def test_repeating_gives_up_when_the_time_is_up() -> None:
    def call() -> None:
        raise MextrainError("STORE_UNAVAILABLE", "away", retry_after=60)

    assert "STORE_UNAVAILABLE" == refused(lambda: call_patiently(call, patience_s=0.01)).reason
