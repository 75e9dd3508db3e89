"""How long tests wait for a store."""

from __future__ import annotations

from mextrain_service.storage import ConnectionLimits

PATIENT = ConnectionLimits(connect_timeout_s=30, answer_timeout_s=30, pool_timeout_s=30)
"""For tests in which the store is there, on a machine that is busy."""
