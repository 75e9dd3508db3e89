"""The image, and a Valkey beside it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.image.container import Container, Image, network
from tests.project.tree import ROOT


@pytest.fixture(scope="session")
def image() -> Iterator[Image]:
    root = ROOT / "build" / "image" / "root"
    assert root.is_dir(), "build it first: make image"
    with network() as name:
        yield Image(root, name)


@pytest.fixture(scope="session")
def valkey(image: Image) -> Iterator[Container]:
    """A Valkey in a container: that of the wheel in the image."""
    (server,) = (name for name in image.files if name.endswith("/valkey-server"))
    words = ("--protected-mode", "no", "--save", "")
    with image.started(*words, entrypoint=server) as container:
        yield container


@pytest.fixture(scope="session")
def redis_url(valkey: Container) -> str:
    """Where other containers of the tests find it."""
    return f"redis://{valkey.name}:6379/0"
