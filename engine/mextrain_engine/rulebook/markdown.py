"""The rulebook as one page of markdown: ``docs/rules.md``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mextrain_engine.presets import PRESETS
from mextrain_engine.rulebook.model import Condition, OptionValue, Rule
from mextrain_engine.rulebook.options import OPTIONS, OptionEntry
from mextrain_engine.rulebook.preset_table import preset_cells
from mextrain_engine.rulebook.sections import SECTIONS
from mextrain_engine.rulebook.sources import (
    CORNER_CASES,
    DECISIONS,
    DOCUMENTS,
    SENTENCES,
    TRADITIONS,
)
from mextrain_engine.rulebook.support import is_played

_INTRO = """\
# The rules

Generated from `engine/mextrain_engine/rulebook` by `make docs-rules`; do not edit.

Every sentence has an id that stays. `describe(rules, seats)` picks the sentences that hold at a
table and fills in its numbers; `ExplainRules` and `mextrain rules PRESET` show them. Names in
`{braces}` are filled in. *Where* says under which option values a sentence holds; nothing there
means always. *Sources* are sentences of the source documents (`1A.10`, with their lines), corner
cases (`C3`), decisions (`D4`) and tags of other traditions; all are listed below.
"""

MAIN_PRESETS = ("thoughtco", "masters", "wikihow", "ehow", "pagat", "modern")
"""The columns of the preset table; the others are written as changes of these."""


def render() -> str:
    """Return the whole page, ending in a newline."""
    parts = (
        _INTRO,
        *(_section_lines()),
        *_options(),
        *_presets(),
        *_corner_cases(),
        *_decisions(),
        *_sources(),
        *_traditions(),
    )
    return "\n".join(parts).rstrip("\n") + "\n"


def _section_lines() -> Iterator[str]:
    for section in SECTIONS:
        yield f"## {section.title}\n"
        yield from _table(
            ("id", "rule", "where", "options", "sources"),
            [_rule_row(rule) for rule in section.rules],
        )


def _rule_row(rule: Rule) -> tuple[str, ...]:
    return (
        f"`{rule.id}`",
        rule.text,
        _where(rule.when, rule.given),
        ", ".join(f"`{name}`" for name in rule.options),
        ", ".join(_reference(source) for source in rule.sources),
    )


def _where(when: Condition, given: Sequence[str]) -> str:
    conditions = [
        f"`{option}` = {' or '.join(f'`{_written(value)}`' for value in values)}"
        for option, values in when.items()
    ]
    return "; ".join((*conditions, *(f"*{name}*" for name in given)))


def _reference(source: str) -> str:
    lines = SENTENCES[source].lines if source in SENTENCES else ""
    return f"{source} ({lines})" if lines else source


def _written(value: OptionValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _options() -> Iterator[str]:
    yield "## Options\n"
    yield "A value in italics has a place in the type and is not played by this version.\n"
    yield from _table(
        ("number", "option", "value", "who plays it"),
        [row for entry in OPTIONS for row in _option_rows(entry)],
    )


def _option_rows(entry: OptionEntry) -> Iterator[tuple[str, ...]]:
    for place, value in enumerate(entry.values):
        text = f"`{value.value}`" if is_played(entry.option, value.value) else f"*{value.value}*"
        first = (entry.number, f"`{entry.option}`") if place == 0 else ("", "")
        yield (*first, text, value.who)


def _presets() -> Iterator[str]:
    yield "## Presets\n"
    columns = [preset_cells(PRESETS[name]) for name in MAIN_PRESETS]
    yield from _table(
        ("option", *MAIN_PRESETS),
        [(f"`{option}`", *(f"`{column[option]}`" for column in columns)) for option in columns[0]],
    )
    yield "### Sub-presets\n"
    yield "What differs from the preset whose name they begin with (`spruce`: `thoughtco`).\n"
    yield from _table(
        ("preset", "changes"),
        [(f"`{name}`", _changes(name)) for name in PRESETS if name not in MAIN_PRESETS],
    )


def _changes(name: str) -> str:
    base = next((main for main in MAIN_PRESETS if name.startswith(main)), "thoughtco")
    before, after = preset_cells(PRESETS[base]), preset_cells(PRESETS[name])
    return ", ".join(
        f"`{option}` = `{value}`" for option, value in after.items() if value != before[option]
    )


def _corner_cases() -> Iterator[str]:
    yield "## Corner cases\n"
    yield from _table(
        ("id", "question", "who says what", "decision"),
        [(case.id, case.question, case.said, case.decision) for case in CORNER_CASES],
    )


def _decisions() -> Iterator[str]:
    yield "## Decisions\n"
    yield "On what the corner cases leave open.\n"
    yield from _table(("id", "decision"), [(one.id, one.text) for one in DECISIONS])


def _sources() -> Iterator[str]:
    yield "## Source documents\n"
    yield (
        "Four articles, read in translations and put into English; what a translation garbled was "
        "recovered from its original. *Stated*: the source says so. *Recovered*: from the original "
        "or a sibling text. *Inferred*: no source says it. *Unresolved*: several readings.\n"
    )
    for document in DOCUMENTS:
        yield f"### {document.id} {document.title}: preset `{document.preset}`\n"
        yield from _table(
            ("id", "lines", "what it says", "certainty"),
            [(one.id, one.lines, one.text, one.certainty) for one in document.sentences],
        )


def _traditions() -> Iterator[str]:
    yield "## Tags of traditions\n"
    yield from _table(("tag", "tradition"), list(TRADITIONS.items()))


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield _row(head)
    yield "|" + " --- |" * len(head)
    yield from (_row(row) for row in rows)
    yield ""


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
