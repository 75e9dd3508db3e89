"""Every text of the project can be read anywhere: it names no machine and no registry."""

from __future__ import annotations

import re

import pytest

from tests.project.tree import ROOT, project_files, written_files

REGISTRY_HOSTS = tuple(
    ".".join(labels)
    for labels in (
        ("pypi", "org"),
        ("pythonhosted", "org"),
        ("registry", "npmjs", "org"),
        ("proxy", "golang", "org"),
        ("static", "crates", "io"),
        ("repo", "maven", "apache", "org"),
    )
)

MACHINE_PATH = re.compile(r"(?<![\w.}~*-])/(?:work|home|Users|root|opt/[a-z]+venv)/[\w.]")

TRAILING_BLANKS = re.compile(r"[ \t]$", re.MULTILINE)


def _text(path_text: bytes) -> str | None:
    try:
        return path_text.decode("utf-8")
    except UnicodeDecodeError:
        return None


@pytest.mark.parametrize("host", REGISTRY_HOSTS)
def test_no_file_names_a_package_registry(host: str) -> None:
    naming = [
        str(path.relative_to(ROOT))
        for path in project_files()
        if host.encode() in path.read_bytes()
    ]
    assert naming == []


def test_no_file_names_a_path_of_the_machine_that_it_was_written_on() -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in written_files()
        if (text := _text(path.read_bytes())) is not None
        for match in MACHINE_PATH.finditer(text)
    ]
    assert found == []


def test_texts_end_with_one_newline_and_have_no_trailing_blanks() -> None:
    untidy = [
        str(path.relative_to(ROOT))
        for path in written_files()
        if (text := _text(path.read_bytes()))
        and (text.rstrip("\n") + "\n" != text or TRAILING_BLANKS.search(text))
    ]
    assert untidy == []
