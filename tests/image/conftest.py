"""The image, and a Valkey beside it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.image.container import Image
from tests.project.tree import ROOT
from tests.storage.valkeys import Valkey, free_ports


@pytest.fixture(scope="session")
def image() -> Image:
    root = ROOT / "build" / "image" / "root"
    assert root.is_dir(), "build it first: make image"
    return Image(root)


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    server = Valkey(free_ports(1)[0], tmp_path_factory.mktemp("valkey"))
    server.start()
    yield server
    server.close()
