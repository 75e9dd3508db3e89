"""Lay out the root file system of the image: Python, and the libraries that programs load.

Runs within the build, on Debian, with nothing but the standard library.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

PYTHON: Final = f"python{sys.version_info.major}.{sys.version_info.minor}"

WHOLE_PACKAGES: Final = (f"{PYTHON}-minimal", f"lib{PYTHON}-minimal", f"lib{PYTHON}-stdlib")
"""Every file of these goes into the image, but for what is left out."""

LEFT_OUT: Final = (
    *(f"/usr/share/{name}" for name in ("applications", "binfmts", "doc", "lintian", "man")),
    *(f"/usr/lib/{PYTHON}/{name}" for name in ("distutils", "lib2to3", "pydoc_data", "turtle.py")),
)
"""What no service reads. Copyright files are taken apart from this."""

UNUSED_EXTENSIONS: Final = ("_curses", "_curses_panel", "_dbm", "_sqlite3", "nis", "readline")
"""Modules of Python that would each bring a library along."""

LOADED_BY_NAME: Final = ("libgcc_s.so.1", f"lib{PYTHON}.so.1.0")
"""Libraries that no program lists: the C library loads one, Envoy with Python in it the other."""

USER: Final = 65532

SKELETON: Final = {
    "etc/passwd": f"root:x:0:0:root:/:/none\nmextrain:x:{USER}:{USER}:Mextrain:/tmp:/none\n",
    "etc/group": f"root:x:0:\nmextrain:x:{USER}:\n",
    "etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
}

TAKEN_AS_THEY_ARE: Final = (
    "/etc/ssl/certs/ca-certificates.crt",
    "/usr/lib/locale/C.utf8",
    "/usr/lib/os-release",
    "/usr/share/common-licenses",
)

RECORDED: Final = (*WHOLE_PACKAGES, "base-files", "ca-certificates", "libc-bin")
"""Packages that something is taken of, whatever the programs load."""


def main() -> int:
    """Lay it out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path, help="the folder to make")
    parser.add_argument("programs", type=Path, help="the folder with what the image will run")
    arguments = parser.parse_args()
    root: Path = arguments.root

    _make_skeleton(root)
    files = [path for package in WHOLE_PACKAGES for path in _files_of(package)]
    libraries = _libraries([*files, *_files_below(arguments.programs)])
    for path in (*files, *libraries, *map(Path, TAKEN_AS_THEY_ARE)):
        _copy(path, root)
    for package in {*RECORDED, *map(_owner, libraries)}:
        _record(package, root)
    return 0


def _make_skeleton(root: Path) -> None:
    """Make users, places to mount, and where TLS looks for authorities."""
    for folder in ("bin", "lib", "lib64", "sbin"):
        (root / "usr" / folder).mkdir(parents=True)
        (root / folder).symlink_to(f"usr/{folder}")
    for folder in ("dev", "etc", "proc", "run", "sys", "tmp", "usr/lib/ssl"):
        (root / folder).mkdir()
    (root / "tmp").chmod(0o1777)
    (root / "etc/os-release").symlink_to("../usr/lib/os-release")
    (root / "usr/lib/ssl/cert.pem").symlink_to("/etc/ssl/certs/ca-certificates.crt")
    for name, text in SKELETON.items():
        (root / name).write_text(text, encoding="utf-8")


def _files_of(package: str) -> Iterator[Path]:
    for line in _output("dpkg-query", "--listfiles", package).splitlines():
        path = Path(line)
        unused = path.suffix == ".so" and path.name.partition(".")[0] in UNUSED_EXTENSIONS
        if (path.is_symlink() or path.is_file()) and not (unused or line.startswith(LEFT_OUT)):
            yield path


def _files_below(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def _libraries(paths: Iterable[Path]) -> list[Path]:
    """Return the shared libraries that these files load, as the dynamic linker finds them.

    Raises:
        SystemExit: one of them is not there.
    """
    programs = [str(path) for path in paths if not path.is_symlink() and _is_elf(path)]
    found: set[Path] = set()
    for line in _output("ldd", *programs, may_fail=True).splitlines():
        match line.split():
            case [name, "=>", "not", "found"]:
                raise SystemExit(f"image_root: nothing provides {name}")
            case [_, "=>", path, _] | [path, _] if path.startswith("/"):
                found.add(_below_usr(Path(path)))
    folders = {path.parent for path in found}
    found.update(
        folder / name for folder in folders for name in LOADED_BY_NAME if (folder / name).exists()
    )
    return sorted(found)


def _is_elf(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def _below_usr(path: Path) -> Path:
    """Return the same place without the link from / to /usr, which Debian's lists still go by."""
    return path if path.parts[1] in {"etc", "usr"} else Path("/usr", *path.parts[1:])


def _owner(library: Path) -> str:
    for path in (library, Path("/", *library.parts[2:]), library.resolve()):
        owner = _output("dpkg-query", "--search", str(path), may_fail=True).partition(":")[0]
        if owner:
            return owner
    raise SystemExit(f"image_root: {library} is of no package")


def _record(package: str, root: Path) -> None:
    """Keep a package's copyright, and its entry where scanners for known faults look for it."""
    copyright_file = root / "usr/share/doc" / package / "copyright"
    copyright_file.parent.mkdir(parents=True)
    shutil.copyfile(f"/usr/share/doc/{package}/copyright", copyright_file)
    entry = root / "var/lib/dpkg/status.d" / package
    entry.parent.mkdir(parents=True, exist_ok=True)
    entry.write_text(_output("dpkg-query", "--status", package), encoding="utf-8")


def _copy(path: Path, root: Path) -> None:
    """Copy a file or a folder; a library under the name that programs ask for."""
    target = root / _below_usr(path).relative_to("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    if path.is_dir():
        shutil.copytree(path, target, symlinks=True)
    else:
        shutil.copy2(path, target, follow_symlinks=".so." in path.name)


def _output(*command: str, may_fail: bool = False) -> str:
    done = subprocess.run(command, check=not may_fail, capture_output=True, text=True)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
