"""How often Python looks for garbage: rarely, but it does find it."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from mextrain_service.worker import collector


class _Knot:
    """Holds on to itself."""

    def __init__(self) -> None:
        self.own = self


@pytest.fixture(autouse=True)
def collected_as_before() -> Iterator[None]:
    """Leave Python's collector as it was."""
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


def test_what_is_there_at_the_start_is_not_looked_at_again() -> None:
    early = _Knot()
    seen = weakref.ref(early)
    collector.freeze()
    del early
    gc.collect()
    assert seen() is not None


def test_garbage_that_holds_on_to_itself_is_found_in_time() -> None:
    collector.freeze()
    seen = [weakref.ref(_Knot()) for _ in range(200_000)]
    assert sum(each() is not None for each in seen) < 100_000
