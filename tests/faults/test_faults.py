"""Each fault briefly; `make faults` has more time for them."""

from __future__ import annotations

import pytest

from tests.faults.conftest import Rigs
from tests.faults.faults import FAULTS
from tests.faults.running import Pace, run

_BRIEFLY = Pace(seconds=1.0, tables=3, calm_s=0.3, held_s=0.7, think_s=0.05)


@pytest.mark.parametrize(
    "name",
    # Those that break the same service run in one process of the test run, which starts it.
    [pytest.param(name, marks=pytest.mark.xdist_group(FAULTS[name].kind)) for name in FAULTS],
)
async def test_service_keeps_what_it_acknowledged_in_one_history_under_a_fault(
    name: str, rigs: Rigs
) -> None:
    fault = FAULTS[name]
    with rigs.sound(fault.kind) as rig:
        found = await run(fault, rig, _BRIEFLY)
    assert {} == found.anomalies(), "\n".join(found.details)
    assert found.acknowledged
