"""What the documents point at is there: files, headings, commands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.project.tree import ROOT, documents

ENTRY_DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/architecture.md",
    "docs/rules.md",
    "docs/glossary.md",
    "docs/errors.md",
    "docs/settings.md",
)


MAKE_COMMAND = re.compile(r"(?:^|`|\$ )make ([a-z0-9-]+)", re.MULTILINE)


def _tokens(path: Path) -> list[Token]:
    return MarkdownIt("commonmark").enable("table").parse(path.read_text(encoding="utf-8"))


def _links(path: Path) -> Iterator[str]:
    for block in _tokens(path):
        for token in block.children or ():
            target = token.attrs.get("href") or token.attrs.get("src")
            if target is not None:
                yield str(target)


def _anchors(path: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    tokens = _tokens(path)
    headings = (
        tokens[at + 1].content for at, token in enumerate(tokens) if token.type == "heading_open"
    )
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _make_targets() -> set[str]:
    return set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def _resolves(document: Path, link: str) -> bool:
    name, _, anchor = link.partition("#")
    target = (document.parent / name).resolve() if name else document
    if not target.exists() or not target.is_relative_to(ROOT):
        return False
    return not anchor or target.suffix != ".md" or anchor in _anchors(target)


@pytest.mark.parametrize("name", ENTRY_DOCUMENTS)
def test_entry_document_exists(name: str) -> None:
    assert (ROOT / name).is_file()


def test_every_link_between_documents_resolves() -> None:
    dead = [
        f"{document.relative_to(ROOT)} -> {link}"
        for document in documents()
        for link in _links(document)
        if not re.match(r"[a-z]+:", link) and not _resolves(document, link)
    ]
    assert dead == []


def test_every_make_command_in_a_document_is_a_target() -> None:
    unknown = [
        f"{document.relative_to(ROOT)}: make {target}"
        for document in documents()
        for target in MAKE_COMMAND.findall(document.read_text(encoding="utf-8"))
        if target not in _make_targets()
    ]
    assert unknown == []


def test_every_make_target_says_what_it_does() -> None:
    lines = (ROOT / "Makefile").read_text(encoding="utf-8").splitlines()
    silent = [line for line in lines if re.match(r"[a-z0-9-]+:", line) and "## " not in line]
    assert silent == []


def test_every_decision_record_is_numbered_once_and_has_its_four_parts() -> None:
    records = sorted((ROOT / "docs" / "adr").glob("*.md"))
    numbers = [record.name[:4] for record in records]
    assert sorted(set(numbers)) == numbers
    parts = ("context", "decision", "alternatives", "consequences")
    incomplete = [
        f"{record.name}: {part}"
        for record in records
        for part in parts
        if not any(anchor.startswith(part) for anchor in _anchors(record))
    ]
    assert incomplete == []
