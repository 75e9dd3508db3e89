"""What is in the image, what is not, and what it says of itself."""

from __future__ import annotations

import re
import stat
import subprocess
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from packaging.utils import canonicalize_name

from tests.image.container import Image
from tools.licences import python_packages
from tools.sbom import OURS

LARGEST_MIB = 300

SHELLS = {"ash", "bash", "busybox", "dash", "ksh", "sh", "zsh"}
COMPILERS = {"as", "c++", "cc", "clang", "g++", "gcc", "ld", "make", "tcc"}
TOOLS = {"apt", "apt-get", "curl", "dpkg", "git", "openssl", "perl", "pip", "pip3", "uv", "wget"}


def test_program_that_no_service_needs_is_not_there(image: Image) -> None:
    programs = {
        path.name
        for path in image.files.values()
        if path.is_file() and not path.is_symlink() and path.stat().st_mode & stat.S_IXUSR
    }
    assert set() == programs & (SHELLS | COMPILERS | TOOLS)


def test_folders_of_programs_hold_nothing_but_python_and_its_programs(image: Image) -> None:
    folders = {"/usr/bin", "/usr/sbin", "/opt/mextrain/bin"}
    found = {name for name in image.files if str(Path(name).parent) in folders}
    allowed = r"/usr/bin/python3\.11|/opt/mextrain/bin/(mextrain|python3?(\.11)?|envoy|[\w-]+)"
    assert set() == {name for name in found if not re.fullmatch(allowed, name)}


def test_installer_of_packages_is_not_there(image: Image) -> None:
    assert [] == [name for name in image.files if re.search(r"/(pip|setuptools|ensurepip)$", name)]


def test_nothing_gains_rights_when_it_is_started(image: Image) -> None:
    gaining = stat.S_ISUID | stat.S_ISGID
    assert [] == [
        name
        for name, path in image.files.items()
        if not path.is_symlink() and path.lstat().st_mode & gaining
    ]


def test_user_of_the_image_owns_nothing_and_may_change_nothing_but_tmp(image: Image) -> None:
    changeable = [
        name
        for name, path in image.files.items()
        if not path.is_symlink()
        and (path.lstat().st_uid != 0 or path.lstat().st_gid != 0 or path.lstat().st_mode & 0o002)
    ]
    assert ["/tmp"] == changeable


def test_every_link_leads_somewhere(image: Image) -> None:
    broken = [
        name
        for name, path in image.files.items()
        if path.is_symlink() and not _followed(image, name).exists()
    ]
    assert [] == broken


def _followed(image: Image, name: str) -> Path:
    """Return where a link of the image leads, with the image's root as the root."""
    path = image.root / name.lstrip("/")
    for _ in range(10):
        if not path.is_symlink():
            return path
        target = path.readlink()
        path = (
            image.root / str(target).lstrip("/") if target.is_absolute() else path.parent / target
        )
    raise AssertionError(f"{name} leads in circles")


def test_every_program_finds_its_libraries(image: Image) -> None:
    programs = [
        name
        for name, path in image.files.items()
        if path.is_file()
        and not path.is_symlink()
        and path.read_bytes()[:4] == b"\x7fELF"
        and "/usr/lib/x86_64-linux-gnu/" not in name
    ]
    assert len(programs) > 30
    linker = "/lib64/ld-linux-x86-64.so.2"
    missing = [
        f"{name}: {line.strip()}"
        for name in programs
        for line in subprocess.run(
            ["chroot", "--userspec=65532:65532", image.root, linker, "--list", name],
            capture_output=True,
            check=False,
            text=True,
        ).stdout.splitlines()
        if "not found" in line
    ]
    assert [] == missing


def test_every_part_comes_with_its_licence(image: Image) -> None:
    packages = (image.root / "var/lib/dpkg/status.d").iterdir()
    texts = [image.root / "usr/share/doc" / each.name / "copyright" for each in packages]
    assert len(texts) > 15
    assert [] == [str(text) for text in texts if not text.read_text(encoding="utf-8")]
    carried = image.root / "usr/share/doc/mextrain/licences"
    assert {"envoy.txt", "valkey.txt", "web.txt"} <= {text.name for text in carried.iterdir()}


def test_every_package_of_python_is_among_those_whose_licence_was_looked_at(image: Image) -> None:
    found = _site_packages(image).glob("*.dist-info")
    names = {canonicalize_name(path.name.partition("-")[0]) for path in found}
    assert names == {each.name for each in python_packages()} | OURS


def test_python_is_compiled_beforehand_since_nothing_can_be_written_later(image: Image) -> None:
    ours = _site_packages(image) / "mextrain_service"
    for source in ours.rglob("*.py"):
        assert (source.parent / "__pycache__" / f"{source.stem}.cpython-311.pyc").is_file(), source


def test_image_says_what_it_is_and_how_it_is_run(image: Image) -> None:
    prefix = "org.opencontainers.image."
    labels = image.facts["Labels"]
    assert version("mextrain") == labels[f"{prefix}version"]
    assert "Apache-2.0" == labels[f"{prefix}licenses"]
    assert re.fullmatch(r"[0-9a-f]{40}", labels[f"{prefix}revision"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", labels[f"{prefix}created"])
    assert {"title", "description", "source"} <= {each.removeprefix(prefix) for each in labels}
    assert "65532:65532" == image.facts["User"]
    assert {"7300/tcp", "7380/tcp", "7382/tcp", "7390/tcp"} == set(image.facts["ExposedPorts"])
    assert ["CMD", "mextrain", "health"] == image.facts["Healthcheck"]["Test"]
    assert "SIGTERM" == image.facts["StopSignal"]


def test_image_is_no_larger_than_it_has_to_be(
    image: Image, record_property: Callable[[str, object], None]
) -> None:
    files = (path.lstat() for path in image.files.values() if not path.is_symlink())
    size = sum(facts.st_size for facts in files if stat.S_ISREG(facts.st_mode)) / 2**20
    record_property("MiB", round(size))
    assert LARGEST_MIB > size


def _site_packages(image: Image) -> Path:
    return image.root / "opt/mextrain/lib/python3.11/site-packages"
