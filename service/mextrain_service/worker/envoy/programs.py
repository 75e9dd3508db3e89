"""Finds what it takes to have Python inside Envoy."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from mextrain_service.front.binary import envoy_program
from mextrain_service.settings.model import variable

if TYPE_CHECKING:
    from mextrain_service.settings.model import Settings


_MISSING: Final = (
    f"{variable('server', 'transport')}: envoy needs the packages of mextrain[hosted], and a "
    "Python that is a shared library, on Linux; that of Debian's own Python is in the package "
    f"libpython{sys.version_info.major}.{sys.version_info.minor}"
)
_ONE_LISTENER: Final = (
    f"{variable('server', 'transport')}: envoy encrypts both ports or neither; use grpc with "
    f"{variable('front', 'cleartext')}"
)


@dataclass(frozen=True, slots=True)
class Programs:
    """What has to be on this machine.

    Attributes:
        envoy: its program.
        module: the shared library of ``pyvoy``.
        python: the shared library of this Python.
    """

    envoy: Path
    module: Path
    python: Path


def found() -> Programs | None:
    """Return it, or None if anything is missing."""
    envoy, module, python = envoy_program(), _module(), _python()
    if envoy is None or module is None or python is None:
        return None
    return Programs(envoy, module, python)


def why_not_hosted(settings: Settings) -> str:
    """Return why no worker can be inside Envoy here, in words; empty if it can."""
    if settings.server.tls_cert_file is not None and settings.front.cleartext:
        return _ONE_LISTENER
    return "" if found() else _MISSING


def environment(programs: Programs, more: Mapping[str, str]) -> dict[str, str]:
    """Return what lets Envoy find this Python, and this Python find what is here.

    Args:
        programs: see there.
        more: further variables.
    """
    loaded_first = (str(programs.python), os.environ.get("LD_PRELOAD"))
    return {
        **os.environ,
        **more,
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "PYTHONHOME": f"{sys.prefix}{os.pathsep}{sys.exec_prefix}",
        "LD_PRELOAD": os.pathsep.join(filter(None, loaded_first)),
    }


def _module() -> Path | None:
    try:
        spec = importlib.util.find_spec("pyvoy._pyvoy")
    except ImportError:
        return None
    return Path(spec.origin) if spec is not None and spec.origin else None


def _python() -> Path | None:
    try:
        finder = importlib.import_module("find_libpython")
    except ImportError:
        return None
    library: str | None = finder.find_libpython()
    return Path(library) if library else None
