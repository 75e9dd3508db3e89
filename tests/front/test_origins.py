"""A front that lets pages of some origins call, and of no others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mextrain_service.local.discovery import Running
from tests.front.fronts import Front, front_alone

ALLOWED = ("https://play.example", "https://www.play.example:8443")
FOREIGN = (
    "https://elsewhere.example",
    "https://play.example.elsewhere.example",
    "https://playXexample",
    "http://play.example",
    "https://play.example:8443",
    "null",
)


@pytest.fixture(scope="module")
def front(running: Running, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    settings = {"MEXTRAIN_FRONT_CORS_ORIGINS": ",".join(ALLOWED)}
    with front_alone(tmp_path_factory.mktemp("front"), running.endpoint, **settings) as started:
        yield started


@pytest.mark.parametrize("origin", ALLOWED)
def test_page_of_an_allowed_origin_may_call(front: Front, origin: str) -> None:
    asked = front.rest.call(
        "OPTIONS", "/v1/games", origin=origin, access_control_request_method="POST"
    )
    assert asked.headers["access-control-allow-origin"] == origin
    answer = front.rest.get("/v1/presets", origin=origin)
    assert answer.headers["access-control-allow-origin"] == origin


@pytest.mark.parametrize("origin", FOREIGN)
def test_page_of_another_origin_may_not(front: Front, origin: str) -> None:
    asked = front.rest.call(
        "OPTIONS", "/v1/games", origin=origin, access_control_request_method="POST"
    )
    assert "access-control-allow-origin" not in asked.headers
    answer = front.rest.get("/v1/presets", origin=origin)
    assert "access-control-allow-origin" not in answer.headers
