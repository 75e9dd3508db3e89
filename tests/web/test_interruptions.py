"""A page that is reloaded, or cut off for a while, goes on where the game is."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page, expect

from mextrain_service.local.discovery import Running
from tests.front.rest import Rest
from tests.web.browser import IN_BROWSER, Windows, keep_picture
from tests.web.table import Game, hand, new_game, next_step, step, trains
from tests.web.wire import NewWire

pytestmark = IN_BROWSER

LONG_OPENING = "7"
"""A seed with which seat 0 begins and can lay seven tiles in a row."""


def _dealt(platform: Rest) -> Game:
    game = new_game(platform, "Ada", "Bob", fixedSeed=LONG_OPENING)
    game.call(0, ":deal")
    return game


async def _lay(page: Page) -> None:
    """Lay one tile of the opening train."""
    assert ("tile", "train") == (await step(page), await step(page))


async def _finish_turn(page: Page) -> None:
    while await next_step(page) in ("tile", "train"):
        await step(page)
    assert "Done" == await step(page)


async def test_turn_goes_on_when_the_page_is_reloaded_in_the_middle_of_it(
    windows: Windows, platform: Rest, running: Running
) -> None:
    game = _dealt(platform)
    page = await windows.open(game.address(running.http_url, 0))
    await expect(hand(page)).to_have_count(15)
    await _lay(page)
    await expect(hand(page)).to_have_count(14)

    await page.reload()

    await expect(hand(page)).to_have_count(14)
    await expect(page.get_by_text("Extend your train")).to_be_visible()
    await _lay(page)
    await expect(hand(page)).to_have_count(13)
    assert 13 == len(game.view(0)["hand"])


@pytest.mark.parametrize("noticed", [True, False], ids=["noticed", "unnoticed"])
async def test_page_catches_up_when_the_network_is_back(
    windows: Windows, platform: Rest, new_wire: NewWire, *, noticed: bool
) -> None:
    """Browsers notice that their network is gone, but not that one far away is."""
    game, wire = _dealt(platform), await new_wire()
    page = await windows.open(game.address(wire.url, 0))
    windows.expect_complaint("net::ERR_")
    await _finish_turn(page)
    await expect(page.get_by_text("Bob’s turn")).to_be_visible()

    wire.cut()
    await page.context.set_offline(noticed)
    await expect(page.get_by_text("No connection." if noticed else "Connecting…")).to_be_visible()
    await keep_picture(page, f"cut-off-{'noticed' if noticed else 'unnoticed'}")
    game.move(1)
    wire.mend()
    await page.context.set_offline(False)

    left = game.view(0)["round"]["handCounts"][1]
    bob = trains(page).and_(page.get_by_label(re.compile(rf"^Bob’s train.* {left} tiles? in hand")))
    await expect(bob).to_be_visible()
    assert await next_step(page) in ("tile", "Draw", "Pass")
