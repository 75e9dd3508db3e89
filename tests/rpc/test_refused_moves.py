"""Moves that the rules refuse: over the wire, with reason and facts, and without a trace."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from mextrain_engine import MEXICAN, Owed, RuleSet, State, mask_of, new_game
from tests.engine.table import table
from tests.rpc.games import hosted, store, stored_bytes
from tests.rpc.refusing import refusal_of
from tests.rpc.serving import Client, House

RULES = RuleSet()
CALLING = RULES.override(last_tile_call="required")
HANDS = ("12-5 9-4 3-3", "11-1 10-2 8-0", "7-6 6-2 4-1")
TRAINS = {0: (12, 7), 1: (12, 9), 2: (12, 6)}


def _table(rules: RuleSet = RULES, **fields: Any) -> State:
    """Return a live round of which every tile is somewhere: by default in the boneyard."""
    whole = {"trains": TRAINS, "boneyard": None, **fields}
    return table(rules, HANDS, **whole)


def _without_boneyard(**fields: Any) -> State:
    """Return the same with the boneyard in the hand of the last seat."""
    state = _table(**fields)
    assert state.round is not None
    *hands, last = state.round.hands
    hoard = last | mask_of(state.round.boneyard)
    return state._replace(round=state.round._replace(hands=(*hands, hoard), boneyard=b""))


@dataclass(frozen=True, slots=True)
class Case:
    """A move that is refused.

    Attributes:
        name: what is wrong with it.
        moves: in notation.
        reason: the stable reason.
        facts: what is said of it.
        state: the position.
        seat: who makes it.
    """

    name: str
    moves: tuple[str, ...]
    reason: str
    facts: Mapping[str, str]
    state: State = field(default_factory=_table)
    seat: int = 0


CASES = (
    Case("not_your_turn", ("11-1@1",), "NOT_YOUR_TURN", {"turn": "0"}, seat=1),
    Case("tile_not_in_hand", ("12-6@0",), "TILE_NOT_IN_HAND", {"tile": "12-6"}),
    Case("tile_not_in_set", ("15-3@0",), "TILE_NOT_IN_SET", {"tile": "15-3", "max_pip": "12"}),
    Case("no_such_train", ("12-5@9",), "NO_SUCH_TRAIN", {"train": "9", "seats": "3"}),
    Case(
        "ends_do_not_match",
        ("9-4@0",),
        "ENDS_DO_NOT_MATCH",
        {"tile": "9-4", "train": "0", "end": "7"},
    ),
    Case("closed_train", ("9-4@1",), "TRAIN_CLOSED", {"train": "1"}),
    Case(
        "open_double_to_cover_first",
        ("12-5@M",),
        "OPEN_DOUBLE_FIRST",
        {"train": "2", "pip": "6"},
        _table(trains={**TRAINS, 2: (12, 6, 6)}, open_doubles=(2,)),
    ),
    Case(
        "own_double_to_cover_first",
        ("12-5@M",),
        "COVER_YOUR_DOUBLE",
        {"train": "0", "pip": "3"},
        table(
            RULES.override(double_followup_where="double_only"),
            ("12-5 9-3 4-2", *HANDS[1:]),
            trains={0: (12, 3, 3)},
            boneyard=None,
            open_doubles=(0,),
            owed=Owed.COVER,
            owed_train=0,
            laid=1,
            doubles=1,
        ),
    ),
    Case("draw_while_a_play_exists", ("draw",), "PLAY_EXISTS", {"plays": "1"}),
    Case("pass_while_a_play_exists", ("pass",), "PLAY_EXISTS", {"plays": "1"}),
    Case(
        "pass_before_drawing",
        ("pass",),
        "DRAW_FIRST",
        {},
        _table(trains={**TRAINS, MEXICAN: (12, 10)}),
    ),
    Case(
        "draw_twice",
        ("draw",),
        "ALREADY_DREW",
        {"drawn": "1"},
        _table(trains={**TRAINS, MEXICAN: (12, 10)}, drawn=1),
    ),
    Case(
        "draw_from_nothing",
        ("draw",),
        "BONEYARD_EMPTY",
        {},
        _without_boneyard(trains={**TRAINS, MEXICAN: (12, 10)}),
    ),
    Case("call_without_need", ("call",), "CALL_NOT_USED", {}),
    Case("call_too_early", ("call",), "CALL_NOT_DUE", {}, _table(CALLING)),
    Case(
        "first_turn_elsewhere",
        ("12-5@M",),
        "FIRST_TURN_OWN_TRAIN",
        {"train": "M"},
        _table(trains={}, begun=0),
    ),
    Case("round_not_dealt", ("draw",), "ROUND_NOT_DEALT", {}, new_game(RULES, 3)),
    Case(
        "second_of_several",
        ("12-5@M", "9-4@0"),
        "NOT_YOUR_TURN",
        {"index": "1", "move": "9-4@0"},
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
async def test_refused_move_says_why_and_changes_nothing(
    case: Case, platform: Client, house: House
) -> None:
    seated = await store(house, platform, hosted(case.state))
    before = await stored_bytes(house.redis)
    refused = await refusal_of(seated.seats[case.seat].play(seated.game_id, *case.moves))
    assert (refused.code, refused.reason) == ("FAILED_PRECONDITION", case.reason)
    assert dict(case.facts).items() <= dict(refused.facts).items()
    assert refused.message
    assert refused.retry_after_s is None
    assert before == await stored_bytes(house.redis)
