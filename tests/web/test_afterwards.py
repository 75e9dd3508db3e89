"""When a round is over: the replay of it, and the check of its deal, in the page."""

from __future__ import annotations

from playwright.async_api import expect

from mextrain_service.local.discovery import Running
from tests.front.rest import Rest
from tests.web.browser import IN_BROWSER, Windows, assert_accessible, keep_picture
from tests.web.table import new_game

pytestmark = IN_BROWSER

LONG_ROUND = "15"
"""A seed with which seat 0 makes more than a hundred moves in the round."""


async def test_replay_goes_through_the_record_by_its_slider(
    windows: Windows, platform: Rest, running: Running
) -> None:
    game = new_game(platform, "Ada", bots=1, fixedSeed=LONG_ROUND)
    game.call(0, ":deal")
    game.move(0)
    page = await windows.open(game.address(running.http_url, 0))
    await page.get_by_role("link", name="Replay").first.click()
    slider = page.get_by_role("slider", name="Position")
    over = page.get_by_text("Round 1 is over")
    await expect(page.get_by_text("Round 1 is dealt")).to_be_visible()
    await expect(over).to_have_count(0)

    await slider.press("End")
    last = int(await slider.input_value())
    assert last > 10
    await expect(over).to_be_visible()
    await expect(page.get_by_text(f"Move {last + 1} of {last + 1}")).to_be_visible()
    await keep_picture(page, "replay-end", whole=True)
    await slider.fill(str(last // 2))
    await expect(page.get_by_text(f"Move {last // 2 + 1} of {last + 1}")).to_be_visible()
    await expect(over).to_have_count(0)
    await assert_accessible(page)
    await keep_picture(page, "replay-middle", whole=True)
    await slider.press("Home")
    await page.get_by_role("button", name="One move on").click()
    await expect(page.get_by_text(f"Move 2 of {last + 1}")).to_be_visible()


async def test_page_works_out_that_the_deal_is_the_one_that_was_promised(
    windows: Windows, platform: Rest, running: Running
) -> None:
    game = new_game(platform, "Ada", bots=1)
    game.call(0, ":deal")
    page = await windows.open(game.address(running.http_url, 0))
    await page.get_by_role("button", name="Check the deals").click()
    dialog = page.get_by_role("dialog")
    await expect(dialog.get_by_text("The seed is revealed after the round.")).to_be_visible()
    await page.keyboard.press("Escape")
    game.move(0)
    await expect(page.get_by_role("heading", name="Round 1 is over")).to_be_visible()

    await page.get_by_role("button", name="Check the deals").click()

    await expect(dialog.get_by_text("The deal matches the commitment.")).to_be_visible()
    await expect(dialog.get_by_text("Commitment for the next deal.")).to_be_visible()
    await assert_accessible(page)
    await keep_picture(page, "deals-checked")
