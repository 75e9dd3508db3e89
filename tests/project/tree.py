"""The files of the project, as the tests here see them."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "engine"

LEFT_BY_TOOLS = {
    ".git",
    ".hypothesis",
    ".import_linter_cache",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".venv",
    "build",
    "__pycache__",
    "node_modules",
}

FOREIGN = (
    ROOT / "proto" / "gen",
    ROOT / "sdk" / "python" / "src" / "mextrain",
    ROOT / "requirements.lock",
    ROOT / "tools" / "schemathesis.lock",
    ROOT / "service" / "mextrain_service" / "front" / "pages" / "swagger-ui",
    ROOT / "service" / "mextrain_service" / "front" / "pages" / "table",
    ROOT / "third_party",
    ROOT / "web" / "src" / "gen",
)
"""What others wrote or a tool writes."""


@cache
def project_files() -> tuple[Path, ...]:
    """Return every file that is, or may yet be, committed; in a tree without git, every file."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    if listing.returncode == 0:
        found = {ROOT / name for name in listing.stdout.split("\0") if name}
    else:
        found = {path for path in ROOT.rglob("*") if not LEFT_BY_TOOLS & set(path.parts)}
    return tuple(sorted(path for path in found if path.is_file()))


def written_files() -> tuple[Path, ...]:
    """Return the files that people write: not vendored, not generated."""
    return tuple(
        path
        for path in project_files()
        if not any(path == each or each in path.parents for each in FOREIGN)
    )


def documents() -> tuple[Path, ...]:
    """Return every Markdown file."""
    return tuple(path for path in project_files() if path.suffix == ".md")
