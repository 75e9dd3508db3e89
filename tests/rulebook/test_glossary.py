"""The words: each once, in order, and the names beside them are real."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split("|"))
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith(("| term", "| ---"))
]
SOURCES = "\n".join(
    path.read_text(encoding="utf-8")
    for folder, pattern in (("engine", "*.py"), ("service", "*.py"), ("proto", "*.proto"))
    for path in (ROOT / folder).rglob(pattern)
)
NAMES = set(re.findall(r"\w+", SOURCES))


def test_words_are_unique_and_in_order() -> None:
    words = [row[0].lower() for row in ROWS]

    assert sorted(set(words)) == words


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_word_has_names_that_are_in_the_sources(row: tuple[str, str, str]) -> None:
    names = re.findall(r"`(\w+)`", row[1])

    assert names
    assert set() == set(names) - NAMES


def test_no_source_calls_the_hub_an_engine() -> None:
    assert not re.findall(r"engine (?:double|tile)|engine_(?:rule|source|search)", SOURCES)
