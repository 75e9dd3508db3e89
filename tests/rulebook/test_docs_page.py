"""The page of rules is the one that its tool writes."""

from pathlib import Path

from mextrain_engine import RuleSet
from mextrain_engine.rulebook import RULES
from tools.rules_page import is_played, page, preset_cells

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"


def test_page_is_what_the_rulebook_writes() -> None:
    written = PAGE.read_text(encoding="utf-8")

    assert page() == written, "docs/rules.md has drifted: make docs-rules"


def test_page_has_every_rule() -> None:
    text = page()

    assert not [rule_id for rule_id in RULES if f"| `{rule_id}` |" not in text]


def test_page_cells_have_no_open_end() -> None:
    rows = [line for line in page().splitlines() if line.startswith("|")]

    assert not [row for row in rows if not row.endswith(" |") and not row.endswith("-|")]


def test_value_that_the_engine_refuses_counts_as_not_played() -> None:
    assert is_played("hub_rule", "descending")
    assert not is_played("tie_break", "extra_round")
    assert not is_played("blanks_wild", "true")


def test_text_that_stands_for_numbers_counts_as_played() -> None:
    assert is_played("double_blank_value", "0 to 100")


def test_table_by_players_is_written_as_its_runs() -> None:
    assert "2-4: 15, 5-6: 12, 7-8: 10" == preset_cells(RuleSet())["hand_size_by_players"]
