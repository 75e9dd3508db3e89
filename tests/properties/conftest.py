"""How Hypothesis runs here: the same examples every time, so that a failure is one everywhere.

``HYPOTHESIS_PROFILE=explore`` draws other examples on each run, and many more.
"""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "fixed",
    max_examples=40,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "explore",
    settings.get_profile("fixed"),
    max_examples=1_000,
    derandomize=False,
    print_blob=True,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))
