"""What holds for every level: legal, repeatable, and from nothing but a view."""

from __future__ import annotations

import ast
import inspect
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from mextrain_engine import (
    PASS,
    PRESETS,
    Move,
    Phase,
    RuleSet,
    State,
    View,
    apply,
    deal,
    legal_moves,
    new_game,
    observe,
    preset,
    set_size,
    skip_turn,
    tiles_in,
)
from mextrain_engine.tiles import mask_of
from mextrain_service import bots
from mextrain_service.application.bots import BotPlayer
from mextrain_service.application.model import BotLevel
from mextrain_service.bots import SeatBots, at_random, greedy, lazy, planner
from mextrain_service.bots.planner import MOST_WORK

LEVELS_OF_PLAY = list(BotLevel)


def positions(name: str, seats: int, seed: int) -> list[State]:
    """Return every position of one round of random play."""
    chance = random.Random(seed)
    rules = preset(name)
    tiles = list(range(set_size(rules.max_pip(seats))))
    chance.shuffle(tiles)
    state = deal(new_game(rules, seats), tiles).state
    found = []
    while state.phase is Phase.PLAYING:
        found.append(state)
        state = apply(state, chance.choice(legal_moves(state))).state
    return found


def dealt_anew(state: State, viewer: int, seed: int) -> State:
    """Return a state that looks the same to the viewer: all that it cannot see is mixed."""
    round_ = state.round
    assert round_ is not None
    others = [seat for seat in range(state.seats) if seat != viewer]
    hidden = [t for seat in others for t in tiles_in(round_.hands[seat])] + list(round_.boneyard)
    random.Random(seed).shuffle(hidden)
    hands = list(round_.hands)
    for seat in others:
        count = hands[seat].bit_count()
        hands[seat], hidden = mask_of(hidden[:count]), hidden[count:]
    mixed = round_._replace(hands=tuple(hands), boneyard=bytes(hidden))
    return state._replace(round=mixed)


@pytest.mark.parametrize("level", LEVELS_OF_PLAY)
@pytest.mark.parametrize("name", PRESETS)
def test_bot_chooses_a_legal_move_at_every_position(name: str, level: BotLevel) -> None:
    step = 8 if level is BotLevel.PLANNER else 1
    for state in positions(name, seats=3, seed=1)[::step]:
        assert state.round is not None
        legal = legal_moves(state)
        view = observe(state, state.round.turn)
        assert SeatBots().choose(view, legal, level, 5, state.rules) in legal


@pytest.mark.parametrize("level", LEVELS_OF_PLAY)
def test_bot_chooses_the_same_when_what_it_cannot_see_differs(level: BotLevel) -> None:
    step = 8 if level is BotLevel.PLANNER else 1
    for number, state in enumerate(positions("modern", seats=4, seed=2)[::step]):
        assert state.round is not None
        seat = state.round.turn
        other = dealt_anew(state, seat, seed=number)
        legal = legal_moves(state)
        assert observe(state, seat) == observe(other, seat)
        rules = state.rules
        assert SeatBots().choose(observe(state, seat), legal, level, 9, rules) == SeatBots().choose(
            observe(other, seat), legal, level, 9, rules
        )


@pytest.mark.parametrize("choose", [lazy.choose, at_random.choose, greedy.choose, planner.choose])
def test_bots_are_handed_a_view_and_what_everyone_knows(choose: Callable[..., Move]) -> None:
    taken = [each.annotation for each in inspect.signature(choose).parameters.values()]

    assert ["View", "Sequence[Move]", "int"] == taken[:3]
    assert taken[3:] in ([], ["RuleSet"])


def test_bots_import_nothing_that_could_hold_a_hidden_tile_but_to_imagine_one() -> None:
    forbidden = {"State", "Round", "Step", "apply", "deal", "observe", "new_game"}
    imagining = {"determinization.py", "playouts.py", "planner.py"}
    for path in Path(bots.__file__).parent.glob("*.py"):
        if path.name in imagining:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                assert not forbidden & {alias.name for alias in node.names}, path.name


def test_bots_are_the_players_that_the_application_asks_for() -> None:
    player: BotPlayer = SeatBots()
    assert player is not None


def test_pass_level_passes_whenever_it_may() -> None:
    view = View(2, Phase.PLAYING, 13, (), None, 0, ())
    moves = legal_moves(positions("modern", 2, 4)[0])

    assert PASS == SeatBots().choose(view, [*moves, PASS], BotLevel.PASS, 0, preset("modern"))
    assert moves[0] == SeatBots().choose(view, moves, BotLevel.PASS, 0, preset("modern"))


def test_random_level_makes_every_legal_move_when_seeds_differ() -> None:
    state = next(s for s in positions("modern", 4, 3) if len(legal_moves(s)) > 3)
    assert state.round is not None
    legal = legal_moves(state)
    view = observe(state, state.round.turn)

    assert set(legal) == {
        SeatBots().choose(view, legal, BotLevel.RANDOM, seed, state.rules) for seed in range(200)
    }


@pytest.mark.parametrize("level", [BotLevel.GREEDY, BotLevel.PLANNER])
@pytest.mark.parametrize(("seats", "hand"), [(2, 90), (2, 20), (4, 40), (14, 13)])
def test_thought_stops_often_and_is_bounded_when_hands_are_huge(
    seats: int, hand: int, level: BotLevel
) -> None:
    rules = RuleSet(
        min_players=seats,
        max_players=seats,
        max_pip_by_players=(18,) * 13,
        hand_size_by_players=(hand,) * 13,
        round_count=19,
    )
    tiles = list(range(set_size(18)))
    random.Random(hand).shuffle(tiles)
    state = deal(new_game(rules, seats), tiles).state
    for _ in range(3 * seats):
        assert state.round is not None
        legal = legal_moves(state)
        view = observe(state, state.round.turn)
        works = list(SeatBots().think(view, legal, level, 3, rules))
        assert max(works, default=0) <= 4_000
        assert sum(works) <= 1.5 * MOST_WORK, "what is begun at one table is finished"
        state = skip_turn(state).state
