"""axe finds nothing on any page, light or dark."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from mextrain_service.local.discovery import Running
from tests.front.rest import Rest
from tests.web.browser import IN_BROWSER, Windows, assert_accessible, keep_picture
from tests.web.table import hand, new_game, next_step, step, trains

pytestmark = [*IN_BROWSER, pytest.mark.parametrize("scheme", ["light", "dark"])]


async def _check(page: Page, name: str, scheme: str) -> None:
    await assert_accessible(page)
    await keep_picture(page, f"{name}-{scheme}", whole=True)


async def test_pages_before_a_game_are_accessible(
    windows: Windows, running: Running, scheme: str
) -> None:
    page = await windows.open(
        f"{running.http_url}/#key={running.platform_key}", color_scheme=scheme
    )
    await expect(page.get_by_role("combobox", name="Rules")).to_be_visible()
    await page.get_by_text("More options").click()
    await _check(page, "options", scheme)
    await page.get_by_role("button", name="Read the rules of this table").click()
    await expect(page.get_by_role("dialog").get_by_role("heading").nth(1)).to_be_visible()
    await _check(page, "rules", scheme)
    await page.keyboard.press("Escape")
    sitter = page.get_by_role("combobox", name="Who sits on seat 2")
    await sitter.select_option(label="A friend, by link")
    await page.get_by_role("button", name="Open the table").click()
    link = page.get_by_role("textbox", name="Link to seat 2")
    await expect(link).to_be_visible()
    await _check(page, "share", scheme)
    friend = await windows.open(await link.input_value(), color_scheme=scheme)
    await expect(friend.get_by_role("button", name="Take the seat")).to_be_visible()
    await _check(friend, "join", scheme)
    await page.goto(f"{running.http_url}/game/{'x' * 22}/0")
    await expect(page.get_by_text("You are not signed in to this seat")).to_be_visible()
    await _check(page, "no-key", scheme)


async def test_pages_of_a_game_are_accessible(
    windows: Windows, platform: Rest, running: Running, scheme: str
) -> None:
    game = new_game(platform, "Ada", bots=2, fixedSeed="7")
    game.call(0, ":deal")
    page = await windows.open(game.address(running.http_url, 0), color_scheme=scheme)
    await expect(hand(page)).to_have_count(15)
    await _check(page, "first-turn", scheme)
    for _ in range(18):
        await step(page)
    await next_step(page)
    await _check(page, "table", scheme)
    watching = await windows.open(game.address_to_watch(running.http_url), color_scheme=scheme)
    await expect(trains(watching)).to_have_count(4)
    await _check(watching, "watching", scheme)
    game.move(0)
    await expect(page.get_by_role("heading", name="Round 1 is over")).to_be_visible()
    await _check(page, "between", scheme)
