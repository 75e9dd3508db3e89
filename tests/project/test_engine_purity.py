"""The engine stands alone: it imports the pure parts of the standard library and nothing else."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from tests.project.tree import ENGINE

PURE = frozenset(
    {
        "__future__",
        "collections",
        "dataclasses",
        "difflib",
        "enum",
        "functools",
        "hashlib",
        "hmac",
        "itertools",
        "math",
        "operator",
        "re",
        "types",
        "typing",
    }
)
"""What the engine may import: modules without input, output, clock or chance."""

IMPORT_ALL = """
import importlib, pkgutil, sys
sys.path.insert(0, sys.argv[1])
import mextrain_engine
for module in pkgutil.walk_packages(mextrain_engine.__path__, "mextrain_engine."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
foreign = {name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)
print(*sorted(foreign - {"__main__", "mextrain_engine"}))
"""


def _imported_names(source: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=aliases):
                names |= {alias.name.partition(".")[0] for alias in aliases}
            case ast.ImportFrom(module=str(module), level=0):
                names.add(module.partition(".")[0])
            case ast.ImportFrom(level=level) if level:
                names.add("(relative)")
    return names


def test_engine_imports_only_itself_and_pure_modules() -> None:
    offences = {
        str(source.relative_to(ENGINE)): extra
        for source in sorted(ENGINE.rglob("*.py"))
        if (extra := _imported_names(source) - PURE - {"mextrain_engine"})
    }
    assert offences == {}


def test_every_engine_module_loads_when_nothing_is_installed() -> None:
    loaded = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", "-c", IMPORT_ALL, str(ENGINE)],
        check=False,
        capture_output=True,
        text=True,
    )
    assert (loaded.returncode, loaded.stdout.strip(), loaded.stderr) == (0, "", "")
