"""No test waits by sleeping: time is handed in, events are awaited, other processes are polled."""

from __future__ import annotations

import re

from tests.project.tree import ROOT

MAY_SLEEP = {
    "tests/faults": "faults last as long as they do on the clock of other processes",
    "tests/polling.py": "other processes tell nothing: this is the one place that asks again",
    "tests/rpc/test_time_limit.py": "its time is made up",
    "tests/soak": "callers think, and workers die, at random times",
    "tests/storage": "clients come back after the pause that they are told",
}
"""Why, for each file or folder that may sleep."""

_SLEEP = re.compile(r"\bsleep\((?!0\))")
"""A sleep of no time is a turn of the event loop."""


def test_only_what_has_a_reason_sleeps() -> None:
    sleeping = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("*.py")
        if "node_modules" not in path.parts and _SLEEP.search(path.read_text(encoding="utf-8"))
    }
    for place in MAY_SLEEP:
        excused = {name for name in sleeping if name == place or name.startswith(f"{place}/")}
        assert excused, f"{place} does not sleep any more"
        sleeping -= excused
    assert set() == sleeping, "wait by tests/polling.py, or hand in the time"
