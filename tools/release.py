"""Turn what is unreleased into a release: ``python -m tools.release 0.2.0``."""

from __future__ import annotations

import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from packaging.version import InvalidVersion, Version

ROOT: Final = Path(__file__).resolve().parent.parent
PROJECT: Final = ROOT / "pyproject.toml"
CLIENT: Final = ROOT / "sdk/python/pyproject.toml"
CHANGELOG: Final = ROOT / "CHANGELOG.md"
OPENAPI: Final = ROOT / "service/mextrain_service/front/pages/openapi.json"

UNRELEASED: Final = "## [Unreleased]\n"
_VERSION: Final = r"\d+\.\d+\.\d+(?:[a-z]+\d+)?"
_PROJECT_VERSION: Final = re.compile(
    rf'^(version = "|  "mextrain-client==)({_VERSION})(",?)$', re.MULTILINE
)
_OPENAPI_VERSION: Final = re.compile(rf'^(  "version": ")({_VERSION})(")', re.MULTILINE)
_TAG: Final = re.compile(
    rf"(newTag: |\bmextrain:(?:\$\{{\w+:-)?|--build-arg VERSION=)({_VERSION})()"
)
_TAGGED: Final = ("README.md", "docs/*.md", "deploy/**/*.md", "deploy/**/*.y*ml", "k8s/**/*.y*ml")


def copies() -> dict[Path, re.Pattern[str]]:
    """Return where the version stands that is not the project file: with which pattern, by file."""
    texts = [path for pattern in _TAGGED for path in ROOT.glob(pattern)]
    tagged = [path for path in texts if _TAG.search(path.read_text(encoding="utf-8"))]
    return {CLIENT: _PROJECT_VERSION, OPENAPI: _OPENAPI_VERSION, **dict.fromkeys(tagged, _TAG)}


def versions_in(path: Path, pattern: re.Pattern[str]) -> set[str]:
    """Return the versions that a file names."""
    return {match[2] for match in pattern.finditer(path.read_text(encoding="utf-8"))}


def current() -> str:
    """Return the version of the project file."""
    (version,) = versions_in(PROJECT, _PROJECT_VERSION)
    return version


def released(changelog: str, version: str, day: str) -> str:
    """Return the changelog with its unreleased changes as those of a version.

    Raises:
        ValueError: the version is there or an earlier one than ours, or nothing is unreleased.
    """
    if Version(version) < Version(current()):
        raise ValueError(f"{version} comes before {current()}")
    if f"## [{version}]" in changelog:
        raise ValueError(f"{version} is in the changelog; a released version never changes")
    before, _, after = changelog.partition(UNRELEASED)
    changes = re.split(r"^## ", after, maxsplit=1, flags=re.MULTILINE)[0]
    if "- " not in changes:
        raise ValueError("there is nothing unreleased in the changelog")
    return f"{before}{UNRELEASED}\n## [{version}] - {day}\n{after}"


def main() -> int:
    """Write the version everywhere, and the changelog."""
    (version,) = sys.argv[1:] or ("",)
    try:
        day = datetime.now(UTC).date().isoformat()
        changelog = released(CHANGELOG.read_text(encoding="utf-8"), version, day)
    except (InvalidVersion, ValueError) as wrong:
        sys.stderr.write(f"release: {wrong}\n")
        return 1
    for path, pattern in {PROJECT: _PROJECT_VERSION, **copies()}.items():
        text = path.read_text(encoding="utf-8")
        path.write_text(pattern.sub(rf"\g<1>{version}\g<3>", text), encoding="utf-8")
    CHANGELOG.write_text(changelog, encoding="utf-8")
    print(f"now {version}: look at `git diff`, then go on with docs/releasing.md")
    return 0


if __name__ == "__main__":
    sys.exit(main())
