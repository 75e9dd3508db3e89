"""Expects that something is refused, and for which reason."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from mextrain_service.application.refused import ErrorKind, Refused


@contextmanager
def refusal(*kinds: ErrorKind) -> Iterator[pytest.ExceptionInfo[Refused]]:
    """Fail unless the block is refused for one of these kinds."""
    with pytest.raises(Refused) as caught:
        yield caught
    assert caught.value.kind in kinds
