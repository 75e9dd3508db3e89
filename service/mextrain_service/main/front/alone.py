"""A front by itself, before workers that something else runs: what a container of its own does.

Knows a name that stands for all workers; becomes Envoy and is gone.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

from mextrain_service.main.front.binary import envoy_command, envoy_program
from mextrain_service.main.front.configuration import FrontTerms, configuration
from mextrain_service.main.front.planning import ENVOY_MISSING


def run(terms: FrontTerms, threads: int) -> int:
    """Become Envoy, configured so; SIGTERM ends it.

    Args:
        terms: what it is configured with.
        threads: how many of its threads take connections.

    Returns:
        the exit code if there is no Envoy to become.
    """
    program = envoy_program()
    if program is not None:
        _become(program, terms, threads)
    sys.stderr.write(f"The front cannot start: {ENVOY_MISSING}\n")
    return 1


def _become(program: Path, terms: FrontTerms, threads: int) -> NoReturn:
    path = Path(tempfile.mkdtemp(prefix="mextrain-front-")) / "envoy.yaml"
    path.write_text(configuration(terms), encoding="utf-8")
    os.execv(program, envoy_command(program, path, threads, terms.drain_s))  # noqa: S606 - no shell
