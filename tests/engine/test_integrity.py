"""Broken states are told apart by what is broken."""

from __future__ import annotations

from typing import Any

import pytest

from mextrain_engine import Integrity, Phase, RuleSet, State, deal, integrity, new_game
from tests.engine.table import live

SOUND = deal(new_game(RuleSet(), 2), range(91)).state


def broken(**fields: Any) -> State:
    return SOUND._replace(round=live(SOUND)._replace(**fields))


@pytest.mark.parametrize(
    ("state", "flag"),
    [
        (broken(boneyard=b""), Integrity.TILE_LOST),
        (broken(boneyard=live(SOUND).boneyard + live(SOUND).boneyard[:1]), Integrity.TILE_TWICE),
        (broken(trains=(b"\x0c", b"\x0c", b"\x03")), Integrity.TRAIN_BROKEN),
        (broken(seen=0), Integrity.SEEN_WRONG),
        (broken(hands=(0,)), Integrity.SEAT_COUNT),
        (broken(turn=2), Integrity.TURN_OUT_OF_RANGE),
        (broken(open_doubles=(0,)), Integrity.OPEN_DOUBLE_WRONG),
        (broken(out=1), Integrity.OUT_WRONG),
        (SOUND._replace(phase=Phase.FINISHED), Integrity.PHASE_WRONG),
        (SOUND._replace(round=None), Integrity.PHASE_WRONG),
    ],
)
def test_broken_state_is_flagged(state: State, flag: Integrity) -> None:
    assert integrity(state) & flag


def test_sound_state_has_no_flag() -> None:
    assert Integrity.SOUND == integrity(SOUND) == integrity(new_game(RuleSet(), 2))
