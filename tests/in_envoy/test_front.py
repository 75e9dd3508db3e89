"""What holds over the front holds where each worker is the front: the same tests, other workers."""

from __future__ import annotations

import os
from collections.abc import Iterator
from unittest.mock import patch

import pytest

from mextrain_service.local.discovery import Running
from mextrain_service.local.self_started import self_started
from tests.front.conftest import nobody, platform
from tests.front.test_match import *  # noqa: F403
from tests.front.test_proxies import *  # noqa: F403
from tests.front.test_public import *  # noqa: F403
from tests.front.test_refusals import *  # noqa: F403
from tests.front.test_streams import *  # noqa: F403
from tests.front.test_strict_rest import *  # noqa: F403

__all__ = ["nobody", "platform"]


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    """A service whose workers are inside Envoy."""
    with (
        patch.dict(os.environ, {"MEXTRAIN_SERVER_TRANSPORT": "envoy"}),
        self_started(workers=1, front=True) as service,
    ):
        yield service
