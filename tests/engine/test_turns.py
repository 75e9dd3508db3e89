"""Ordinary turns: where a tile may go, drawing, passing, markers."""

from __future__ import annotations

import pytest

from mextrain_engine import (
    MEXICAN,
    IllegalMoveError,
    PassCause,
    Phase,
    RuleSet,
    State,
    apply,
    explain,
    new_game,
    parse_move,
    preset,
    skip_turn,
    tile,
)
from mextrain_engine.events import (
    MarkerPlaced,
    MarkerRemoved,
    Passed,
    TileDrawn,
    TilePlayed,
    TurnStarted,
)
from tests.engine.table import do, live, moves, table

MODERN = RuleSet()
TRAINS = {0: [12, 5], 1: [12, 7], MEXICAN: [12, 9]}


def reason(state: State, text: str, seat: int | None = None) -> tuple[str, dict[str, str]]:
    refusal = explain(state, parse_move(text), seat)
    assert refusal is not None
    return refusal.reason.value, dict(refusal.facts)


def test_tile_goes_on_own_mexican_or_marked_train() -> None:
    hands = ["9-5 7-5 9-9", "1-1"]
    assert moves(table(MODERN, hands, trains=TRAINS)) == ["9-5@M", "9-9@M", "7-5@0", "9-5@0"]
    marked = table(MODERN, hands, trains=TRAINS, marked=[1])
    assert moves(marked) == ["9-5@M", "9-9@M", "7-5@0", "9-5@0", "7-5@1"]


def test_plain_tile_ends_the_turn() -> None:
    state, events = do(table(MODERN, ["9-5 7-7", "1-1"], trains=TRAINS, boneyard="3-3"), "9-5@0")
    assert (TilePlayed(0, tile(9, 5), 0, 9), TurnStarted(1, first=False)) == events
    assert (1, bytes([12, 5, 9])) == (live(state).turn, live(state).trains[0])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("9-5@1", ("TRAIN_CLOSED", {"train": "1"})),
        ("8-8@0", ("TILE_NOT_IN_HAND", {"tile": "8-8"})),
        ("15-1@0", ("TILE_NOT_IN_SET", {"tile": "15-1", "max_pip": "12"})),
        ("9-5@2", ("NO_SUCH_TRAIN", {"train": "2", "seats": "2"})),
        ("7-1@0", ("ENDS_DO_NOT_MATCH", {"tile": "7-1", "train": "0", "end": "5"})),
        ("7-1@M", ("ENDS_DO_NOT_MATCH", {"tile": "7-1", "train": "M", "end": "9"})),
        ("draw", ("PLAY_EXISTS", {"plays": "2", "example": "9-5@M"})),
        ("pass", ("PLAY_EXISTS", {"plays": "2", "example": "9-5@M"})),
        ("call", ("CALL_NOT_USED", {})),
    ],
)
def test_move_is_refused_with_its_reason_and_facts(
    text: str, expected: tuple[str, dict[str, str]]
) -> None:
    state = table(MODERN, ["9-5 7-1", "1-1"], trains=TRAINS, boneyard="3-3")
    assert expected == reason(state, text)
    with pytest.raises(IllegalMoveError, match=expected[0]):
        apply(state, parse_move(text))


def test_move_is_refused_when_it_is_not_the_seats_turn() -> None:
    state = table(MODERN, ["9-5", "1-1"], trains=TRAINS)
    assert reason(state, "1-1@1", 1) == ("NOT_YOUR_TURN", {"turn": "0"})
    assert moves(state, 1) == []


def test_move_is_refused_when_no_round_is_live() -> None:
    state = new_game(MODERN, 2)
    assert reason(state, "pass") == ("ROUND_NOT_DEALT", {})
    assert moves(state) == []
    over = State(MODERN, 2, Phase.FINISHED, (), None)
    assert reason(over, "pass") == ("GAME_FINISHED", {})


def test_closed_trains_are_named_in_words_of_the_player() -> None:
    state = table(MODERN, ["9-5 7-1", "1-1"], trains=TRAINS)
    refusal = explain(state, parse_move("7-1@0"))
    assert refusal is not None
    assert refusal.message == "7-1 does not fit: your own train ends in 5."


def test_seat_that_cannot_play_draws_then_plays_what_fits() -> None:
    state = table(MODERN, ["8-8 8-1", "1-1"], trains=TRAINS, boneyard="5-3 2-2")
    assert moves(state) == ["draw"]
    assert reason(state, "pass") == ("DRAW_FIRST", {})
    state, events = do(state, "draw")
    assert (TileDrawn(0, tile(5, 3)),) == events
    assert moves(state) == ["5-3@0"]


def test_seat_that_cannot_play_what_it_drew_passes_and_is_marked() -> None:
    state, _ = do(table(MODERN, ["8-8", "1-1"], trains=TRAINS, boneyard="4-3 2-2"), "draw")
    assert moves(state) == ["pass"]
    assert reason(state, "draw") == ("ALREADY_DREW", {"drawn": "1"})
    state, events = do(state, "pass")
    assert (Passed(0, PassCause.UNABLE), MarkerPlaced(0), TurnStarted(1, first=False)) == events


def test_marker_is_placed_once() -> None:
    state = table(MODERN, ["8-8", "7-1 1-1"], trains=TRAINS, marked=[0])
    assert reason(state, "draw") == ("BONEYARD_EMPTY", {})
    assert MarkerPlaced(0) not in do(state, "pass").events


def test_seat_draws_until_it_can_play_when_the_rules_say_so() -> None:
    rules = MODERN.override(draw_count="until_playable")
    state, _ = do(
        table(rules, ["8-8", "1-1"], trains=TRAINS, boneyard="4-3 2-2 5-1"), "draw", "draw", "draw"
    )
    assert moves(state) == ["5-1@0"]


def test_drawn_tile_may_be_kept_when_the_rules_allow_it() -> None:
    rules = MODERN.override(drawn_tile="may_keep")
    state, _ = do(table(rules, ["8-8", "1-1 7-3"], trains=TRAINS, boneyard="5-3 2-2"), "draw")
    assert moves(state) == ["5-3@0", "pass"]
    state, events = do(state, "pass")
    assert Passed(0, PassCause.UNABLE) in events
    assert live(state).markers == 0b01


def test_own_play_takes_the_marker_off() -> None:
    state, events = do(table(MODERN, ["5-1 5-5 2-2", "1-1"], trains=TRAINS, marked=[0]), "5-5@0")
    assert MarkerRemoved(0) in events
    assert live(state).markers == 0


def test_play_elsewhere_leaves_the_marker() -> None:
    hands = ["9-1 2-2", "1-1"]
    assert live(do(table(MODERN, hands, trains=TRAINS, marked=[0]), "9-1@M").state).markers == 0b01
    any_play = MODERN.override(marker_clear="any_play")
    assert live(do(table(any_play, hands, trains=TRAINS, marked=[0]), "9-1@M").state).markers == 0


def test_play_of_another_leaves_the_marker_on_the_train() -> None:
    state = table(MODERN, ["7-1 2-2", "1-1"], trains=TRAINS, marked=[1])
    assert live(do(state, "7-1@1").state).markers == 0b10


def test_trains_of_others_are_never_open_in_a_private_game() -> None:
    state = table(preset("wikihow_private"), ["7-1 2-2", "1-1"], trains=TRAINS, marked=[1])
    assert moves(
        table(
            preset("wikihow_private"), ["7-1 2-2", "1-1"], trains=TRAINS, marked=[1], boneyard="3-3"
        )
    ) == ["draw"]
    assert reason(state, "7-1@1") == ("OPPONENT_TRAINS_NEVER", {"train": "1"})


def test_skipped_seat_draws_is_marked_and_loses_its_turn_though_it_could_play() -> None:
    state = table(MODERN, ["5-1 2-2", "1-1"], trains=TRAINS, boneyard="6-6 3-3")
    playable, events = skip_turn(state)
    assert (Passed(0, PassCause.SKIPPED), MarkerPlaced(0)) == events[-3:-1]
    assert (3, 1) == (live(playable).hands[0].bit_count(), live(playable).turn)
    drew, _ = do(table(MODERN, ["8-8", "1-1"], trains=TRAINS, boneyard="4-3 2-2"), "draw")
    assert 1 == len([e for e in skip_turn(drew).events if isinstance(e, MarkerPlaced)])
    assert 2 == live(skip_turn(drew).state).hands[0].bit_count()


def test_skip_is_refused_when_no_round_is_live() -> None:
    with pytest.raises(IllegalMoveError, match="ROUND_NOT_DEALT"):
        skip_turn(new_game(MODERN, 2))


def test_round_is_over_when_a_seat_goes_out() -> None:
    state, _ = do(table(MODERN, ["5-1", "1-1 0-0"], trains=TRAINS), "5-1@0")
    assert Phase.AWAITING_DEAL is state.phase
    assert state.results[0].points == (0, 52)


def test_round_goes_on_while_a_closed_train_could_be_opened() -> None:
    state = table(MODERN, ["8-8", "5-6 3-3"], trains=TRAINS, turn=1)
    assert moves(state) == ["pass"]
    state, _ = do(state, "pass")
    assert (state.phase, moves(state)) == (Phase.PLAYING, ["pass"])
    state, _ = do(state, "pass")
    assert moves(state) == ["6-5@0"]


def test_round_is_blocked_when_no_tile_fits_anywhere() -> None:
    state, events = do(table(MODERN, ["8-8 5-1", "3-3"], trains={**TRAINS, 1: [12, 4]}), "5-1@0")
    assert Phase.AWAITING_DEAL is state.phase
    assert (
        state.results[0].end.value,
        state.results[0].out,
        state.results[0].points,
    ) == ("blocked", 0, (16, 6))
    assert not [e for e in events if isinstance(e, TurnStarted)]


def test_private_trains_do_not_keep_a_round_alive() -> None:
    hands = ["8-8 5-1", "1-0"]
    private = table(preset("wikihow_private"), hands, trains={**TRAINS, 1: [12, 4]})
    assert Phase.AWAITING_DEAL is do(private, "5-1@0").state.phase
    assert (
        Phase.PLAYING
        is do(table(MODERN, hands, trains={**TRAINS, 1: [12, 4]}), "5-1@0").state.phase
    )


def test_train_that_nobody_may_start_does_not_keep_a_round_alive() -> None:
    rules = MODERN.override(mark_when_unstarted=False)
    hands, trains = ["8-8", "12-1 3-3"], {1: [12, 4], MEXICAN: [12, 9]}
    assert Phase.AWAITING_DEAL is do(table(rules, hands, trains=trains), "pass").state.phase
    assert Phase.PLAYING is do(table(MODERN, hands, trains=trains), "pass").state.phase
