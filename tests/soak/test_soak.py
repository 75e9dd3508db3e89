from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.report import problems
from tests.soak.soak import Options, soak


@pytest.mark.timeout(300)
def test_service_keeps_its_promises_while_workers_die_and_watchers_drop(tmp_path: Path) -> None:
    options = Options(seconds=8, workers=3, matches=8, seed=4, kill_every_s=1.5, think_s=0.02)
    outcome = soak(options, tmp_path)
    assert () == problems(outcome)
    tally = outcome.tally
    assert tally.acknowledged > options.matches
    assert tally.killed
    assert tally.repeated
    assert tally.drops
    assert tally.facts
