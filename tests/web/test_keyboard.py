"""A game is set up and played with the keyboard alone, and one sees where the focus is."""

from __future__ import annotations

from playwright.async_api import Page, expect

from mextrain_service.local.discovery import Running
from tests.front.rest import Rest
from tests.web.browser import IN_BROWSER, Windows, keep_picture
from tests.web.table import hand, new_game

pytestmark = IN_BROWSER

FOCUSED = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.innerText"
OUTLINED = """() => {
  const look = getComputedStyle(document.activeElement);
  return look.outlineStyle !== 'none' && parseFloat(look.outlineWidth) >= 2;
}"""


async def _tab_to(page: Page, name: str) -> None:
    """Press Tab until what has the focus begins with the name."""
    for _ in range(60):
        await page.keyboard.press("Tab")
        if (await page.evaluate(FOCUSED)).strip().startswith(name):
            assert await page.evaluate(OUTLINED), f"one does not see that {name} has the focus"
            return
    raise AssertionError(f"the keyboard does not come to {name}")


async def test_table_is_set_up_and_dealt_with_the_keyboard_alone(
    windows: Windows, running: Running
) -> None:
    page = await windows.open(f"{running.http_url}/#key={running.platform_key}")
    await expect(page.get_by_role("button", name="Start the game")).to_be_enabled()
    await _tab_to(page, "Skip to the content")
    await page.keyboard.press("Enter")
    await _tab_to(page, "Start the game")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("button", name="Deal round 1")).to_be_visible()
    await _tab_to(page, "Deal round 1")
    await page.keyboard.press("Enter")
    await expect(hand(page)).to_have_count(15)


async def test_tiles_are_laid_and_the_turn_is_ended_with_the_keyboard_alone(
    windows: Windows, platform: Rest, running: Running
) -> None:
    game = new_game(platform, "Ada", "Bob", fixedSeed="7")
    game.call(0, ":deal")
    page = await windows.open(game.address(running.http_url, 0))
    await expect(hand(page)).to_have_count(15)
    for left in (14, 13):
        await _tab_to_hand(page)
        await _go_to_a_tile_that_fits(page)
        await page.keyboard.press("Enter")
        picked = page.get_by_role("listbox").get_by_role("option", selected=True)
        await expect(picked).to_have_count(1)
        assert await page.evaluate(OUTLINED)
        await keep_picture(page, "keyboard-picked")
        await page.keyboard.press("Enter")
        await expect(hand(page)).to_have_count(left)
    await expect(page.get_by_role("button", name="Done")).to_be_enabled()
    await page.keyboard.press("p")
    await expect(page.get_by_text("Bob’s turn")).to_be_visible()


async def _tab_to_hand(page: Page) -> None:
    in_hand = "document.activeElement.getAttribute('role') === 'option'"
    for _ in range(60):
        if await page.evaluate(in_hand):
            return
        await page.keyboard.press("Tab")
    raise AssertionError("the keyboard does not come to the hand")


async def _go_to_a_tile_that_fits(page: Page) -> None:
    await page.keyboard.press("Home")
    for _ in range(15):
        if await page.evaluate("document.activeElement.getAttribute('aria-disabled')") == "false":
            return
        await page.keyboard.press("ArrowRight")
    raise AssertionError("no tile fits")
