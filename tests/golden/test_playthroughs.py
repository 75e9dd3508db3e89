"""Kept records replay for ever, and what each viewer sees of them does not change unnoticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from mextrain_engine import PRESETS, RULES_REVISION, format_record, parse_record
from tests.golden.playthrough import kept, playthrough, print_of


def test_every_preset_has_a_record_of_a_whole_round() -> None:
    assert sorted(PRESETS) == [path.stem for path in kept()]


@pytest.mark.parametrize("path", kept(), ids=lambda path: path.stem)
def test_record_replays_to_the_kept_views(path: Path) -> None:
    text = path.read_text()
    assert print_of(path).read_text() == playthrough(text), "run `make golden` and read the diff"
    assert text == format_record(parse_record(text))
    assert RULES_REVISION == parse_record(text).revision
