"""Nothing is passed on that may not be, and nothing without its licence."""

from __future__ import annotations

import pytest

from tests.project.tree import ROOT
from tools.licences import (
    ALLOWED,
    CARRIED,
    PAGE,
    WEB_TEXTS,
    Licensed,
    identifiers,
    page,
    python_packages,
    web_packages,
)

EVERYTHING = (*CARRIED, *web_packages(), *python_packages())


@pytest.mark.parametrize("licensed", EVERYTHING, ids=lambda each: each.name)
def test_licence_asks_for_no_more_than_a_notice(licensed: Licensed) -> None:
    assert identifiers(licensed.licence) <= ALLOWED


def test_page_of_licences_is_that_of_the_locks() -> None:
    assert page() == PAGE.read_text(encoding="utf-8"), "run `make licences`"


def test_everything_carried_is_where_the_page_says() -> None:
    assert [] == [each.name for each in CARRIED if each.place and not (ROOT / each.place).exists()]


def test_everything_built_into_the_pages_has_its_text() -> None:
    headings = set(WEB_TEXTS.read_text(encoding="utf-8").splitlines())
    assert set() == {f"{each.name}: {each.licence}" for each in web_packages()} - headings
