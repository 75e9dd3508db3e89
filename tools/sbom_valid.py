"""Hold a bill of materials to CycloneDX's schema; knows nothing of what is in it."""

from __future__ import annotations

import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

(name,) = sys.argv[1:]
fault = JsonStrictValidator(SchemaVersion.V1_6).validate_str(Path(name).read_text(encoding="utf-8"))
if fault is not None:
    sys.exit(f"{name}: {fault}")
print(f"{name}: as CycloneDX {SchemaVersion.V1_6.to_version()} says")
