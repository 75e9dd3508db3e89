"""Images that no registry gives to the tests: this machine's programs, under their names."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from mextrain_service.local.embedded import find_server
from tests.image.container import engine

DATA: Final = {"valkey/valkey": ("data", 999), "prom/prometheus": ("prometheus", 65534)}
"""The folder of an image that a volume begins with, and the user that owns it."""


def make(name: str, tag: str) -> None:
    """Make an image: programs, the libraries that they load, and the folder of its data."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        root.chmod(0o755)
        first = _lay_out(root, _programs(name))
        if name in DATA:
            data, user = DATA[name]
            (root / data).mkdir()
            os.chown(root / data, user, user)
        _import(root, f"localhost/{name}:{tag}", first)


def _programs(name: str) -> dict[str, Path]:
    """Return what the image calls its programs, the entry point first, and where they are here."""
    match name:
        case "valkey/valkey":
            return {"valkey-server": find_server(), "valkey-cli": _found("redis-cli")}
        case "oliver006/redis_exporter":
            return {"redis_exporter": _found("prometheus-redis-exporter")}
        case "prom/prometheus":
            return {"prometheus": _found("prometheus"), "wget": _found("busybox")}
    raise AssertionError(f"nothing here stands in for {name}")


def _lay_out(root: Path, programs: dict[str, Path]) -> str:
    """Copy the programs and their libraries; return the first program's place."""
    (root / "bin").mkdir()
    for folder in ("dev", "etc", "proc", "run", "sys", "tmp"):
        (root / folder).mkdir()
    for name, path in programs.items():
        shutil.copy2(path, root / "bin" / name)
        said = subprocess.run(["ldd", path], check=False, capture_output=True, text=True).stdout
        for library in re.findall(r"(/\S+) \(0x", said):
            there = root / library.lstrip("/")
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(library, there)
    return f"/bin/{next(iter(programs))}"


def _import(root: Path, name: str, first: str) -> None:
    archive = root.with_suffix(".tar")
    subprocess.run(["tar", "--create", "--file", archive, "--directory", root, "."], check=True)
    try:
        changes = (f'--change=ENTRYPOINT ["{first}"]', "--change=ENV PATH=/bin")
        engine("import", "--quiet", *changes, str(archive), name)
    finally:
        archive.unlink()


def _found(program: str) -> Path:
    found = shutil.which(program)
    assert found, f"{program} is missing: `make image-test` installs it"
    return Path(found)
