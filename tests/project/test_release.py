"""The version stands in one place, its copies agree, and the changelog tells all that there is."""

from __future__ import annotations

import re
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

import pytest
import typer
from packaging.version import Version
from typer.main import get_group

from mextrain_engine import RULES_REVISION
from mextrain_service.cli.app import app
from mextrain_service.rpc.contract import SERVICE
from tests.project.tree import ROOT
from tools.release import CHANGELOG, UNRELEASED, copies, current, released, versions_in

TEXT = CHANGELOG.read_text(encoding="utf-8")
KINDS = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security", "Rules"}
SECTIONS = re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]


def test_installed_version_is_that_of_the_project() -> None:
    assert current() == version("mextrain")


@pytest.mark.parametrize("path", copies(), ids=lambda path: str(path.relative_to(ROOT)))
def test_copy_of_the_version_agrees(path: Path) -> None:
    assert {current()} == versions_in(path, copies()[path])


def test_changelog_begins_with_what_is_unreleased_and_goes_back_in_time() -> None:
    first, *others = (section.splitlines()[0] for section in SECTIONS)
    assert "[Unreleased]" == first
    heads = [re.fullmatch(r"\[([\w.]+)\] - (\d{4}-\d\d-\d\d)", head) for head in others]
    assert None not in heads
    releases = [(Version(head[1]), head[2]) for head in heads if head is not None]
    assert all(newer > older for newer, older in pairwise(releases))


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.splitlines()[0])
def test_section_of_the_changelog_sorts_changes_by_their_kind(section: str) -> None:
    _, *parts = re.split(r"^### ", section, flags=re.MULTILINE)
    kinds = [part.splitlines()[0] for part in parts]
    assert set(kinds) <= KINDS
    assert len(set(kinds)) == len(kinds)
    assert [] == [part for part in parts if "\n- " not in part]


def test_version_is_unreleased_or_in_the_changelog() -> None:
    unreleased = SECTIONS[0].partition("\n")[2].strip()
    assert unreleased or f"## [{current()}]" in TEXT


def test_every_revision_of_the_rules_is_under_rules() -> None:
    rules = "".join(re.findall(r"^### Rules\n(.*?)(?=^##|\Z)", TEXT, re.MULTILINE | re.DOTALL))
    named = {int(number) for number in re.findall(r"Rules revision (\d+)", rules)}
    assert set(range(1, RULES_REVISION + 1)) == named


def test_changelog_names_every_method_of_the_contract() -> None:
    assert [] == [method.name for method in SERVICE.methods if method.name not in TEXT]


def test_changelog_names_every_command() -> None:
    """Those for containers aside, which docs/image.md has."""
    group = get_group(app)
    context = typer.Context(group)
    every = {name: group.get_command(context, name) for name in group.list_commands(context)}
    assert None not in every.values()
    names = {name for name, each in every.items() if each and not each.hidden} - {"config"}
    assert names > {"serve", "demo"}
    assert set() == {name for name in names if not re.search(rf"`(mextrain )?{name}\b", TEXT)}


def test_release_gives_what_is_unreleased_a_version_and_a_day() -> None:
    before = f"# Changelog\n\n{UNRELEASED}\n### Added\n\n- A thing.\n\n## [0.1.0] - 2026-01-01\n"
    after = released(before, "0.2.0", "2026-12-01")
    assert after == (
        f"# Changelog\n\n{UNRELEASED}\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- A thing.\n\n"
        "## [0.1.0] - 2026-01-01\n"
    )


def test_release_is_refused_when_nothing_changed_or_the_version_is_taken() -> None:
    nothing = f"# Changelog\n\n{UNRELEASED}\n## [0.1.0] - 2026-01-01\n\n### Added\n\n- A thing.\n"
    for number in ("0.2.0", "0.1.0"):
        with pytest.raises(ValueError, match=r"nothing unreleased|never changes"):
            released(nothing, number, "2026-12-01")
