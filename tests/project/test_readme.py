"""What the README shows runs as it is printed there."""

from __future__ import annotations

import doctest

from tests.project.tree import ROOT


def test_engine_examples_of_the_readme_run() -> None:
    outcome = doctest.testfile(str(ROOT / "README.md"), module_relative=False, encoding="utf-8")
    assert (0, True) == (outcome.failed, outcome.attempted > 0)
