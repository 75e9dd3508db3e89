"""Write the Python of every protobuf file under ``proto`` to where it belongs, or check it.

That of the public contract belongs to the client's package, that of the others to the service's.
"""

from __future__ import annotations

import argparse
import filecmp
import os
import shutil
import sys
import tempfile
from importlib import resources
from pathlib import Path

from grpc_tools import protoc

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "proto"
VENDORED = ROOT / "third_party" / "proto"
PACKAGE = "mextrain"
TARGETS = {
    f"{PACKAGE}/store": ROOT / "proto" / "gen",
    f"{PACKAGE}/v1": ROOT / "sdk" / "python" / "src",
    f"{PACKAGE}/wire": ROOT / "proto" / "gen",
}
"""Where each folder of generated code belongs. What they share is a namespace, so no package."""

PACKAGE_DOCSTRING = '"""Generated from ``proto/{path}`` by ``make gen``; never edited by hand."""\n'


def main() -> int:
    """Generate in place; with ``--check`` leave everything alone and fail when it would change."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail instead of writing")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as scratch:
        fresh = Path(scratch)
        _generate(fresh)
        stale = [
            str((target / folder / path).relative_to(ROOT))
            for folder, target in TARGETS.items()
            for path in _differences(fresh / folder, target / folder)
        ]
        if not check:
            for folder, target in TARGETS.items():
                shutil.rmtree(target / folder, ignore_errors=True)
                shutil.copytree(fresh / folder, target / folder)
            return 0
    for path in stale:
        print(f"stale: {path}", file=sys.stderr)
    if stale:
        print("run `make gen` and commit the result", file=sys.stderr)
    return 1 if stale else 0


def _generate(target: Path) -> None:
    files = sorted(SOURCES.glob(f"{PACKAGE}/**/*.proto"))
    services = [path for path in files if path.stem.endswith("_service")]
    _compile(files, target, "--python_out=", "--mypy_out=quiet:")
    _compile(services, target, "--grpc_python_out=", "--mypy_grpc_out=quiet:")
    for folder in [path for path in (target / PACKAGE).rglob("*") if path.is_dir()]:
        path = folder.relative_to(target).as_posix()
        (folder / "__init__.py").write_text(PACKAGE_DOCSTRING.format(path=path), encoding="utf-8")
    for path in TARGETS:
        (target / path / "py.typed").touch()


def _compile(files: list[Path], target: Path, *outputs: str) -> None:
    well_known = resources.files("grpc_tools") / "_proto"
    includes = [f"-I{path}" for path in (SOURCES, VENDORED, well_known)]
    names = [path.relative_to(SOURCES).as_posix() for path in files]
    # The plug-ins are commands beside the interpreter.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    code = protoc.main(["protoc", *includes, *(f"{out}{target}" for out in outputs), *names])
    if code != 0:
        raise SystemExit(code)


def _differences(fresh: Path, committed: Path) -> list[str]:
    """Return the files that differ, are missing or are there for no reason, as relative paths."""
    return sorted(
        path
        for path in _listing(fresh) | _listing(committed)
        if not (fresh / path).is_file()
        or not (committed / path).is_file()
        or not filecmp.cmp(fresh / path, committed / path, shallow=False)
    )


def _listing(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


if __name__ == "__main__":
    sys.exit(main())
