"""The page of rules is the one that the rulebook writes."""

from pathlib import Path

from mextrain_engine.rulebook import RULES
from mextrain_engine.rulebook.markdown import render

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"


def test_page_is_what_the_rulebook_writes() -> None:
    written = PAGE.read_text(encoding="utf-8")

    assert render() == written, "docs/rules.md has drifted: make docs-rules"


def test_page_has_every_rule() -> None:
    page = render()

    assert not [rule_id for rule_id in RULES if f"| `{rule_id}` |" not in page]


def test_page_cells_have_no_open_end() -> None:
    rows = [line for line in render().splitlines() if line.startswith("|")]

    assert not [row for row in rows if not row.endswith(" |") and not row.endswith("-|")]
