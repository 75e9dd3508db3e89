"""The pages on a phone, with fourteen at the table, in the dark, in each language."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page, expect

from mextrain_service.local.discovery import Running
from tests.front.rest import Rest
from tests.web.browser import DESKTOP, IN_BROWSER, PHONE, Windows, assert_fits, keep_picture
from tests.web.table import hand, new_game, next_step, step, trains

pytestmark = IN_BROWSER

LANGUAGES = ["en", "zh", "id", "fi", "nb"]
ENGLISH = re.compile(r"Your hand|first turn|Set up a table|One player|Who plays")
UNTRANSLATED = re.compile(r"\b(app|create|table|turn|board|hand|score|story)\.[a-z]|[{}]")


async def test_game_is_set_up_and_played_with_a_finger_on_a_phone(
    windows: Windows, running: Running
) -> None:
    page = await windows.open(f"{running.http_url}/#key={running.platform_key}", **PHONE)
    start = page.get_by_role("button", name="Start the game")
    await expect(start).to_be_visible()
    await assert_fits(page)
    await keep_picture(page, "phone-home")
    await start.tap()
    await page.get_by_role("button", name="Deal round 1").tap()
    await expect(hand(page)).to_have_count(15)
    await keep_picture(page, "phone-dealt")
    for _ in range(8):
        await step(page)
    await assert_fits(page)
    await next_step(page)
    await keep_picture(page, "phone-played")
    await keep_picture(page, "phone-played-whole", whole=True)


@pytest.mark.parametrize("looks", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize(("level", "moves"), [("RANDOM", 9), ("PASS", 13)])
async def test_table_of_fourteen_with_long_trains_has_room_for_all(
    windows: Windows,
    platform: Rest,
    running: Running,
    looks: dict[str, object],
    level: str,
    moves: int,
) -> None:
    """With bots that pass whenever they may, one train gets all tiles: sixty of them."""
    game = new_game(platform, "Ada", bots=13, level=level, preset="thoughtco", fixedSeed="1")
    game.call(0, ":deal")
    game.move(0, most=moves)
    page = await windows.open(game.address(running.http_url, 0), **looks)
    await expect(page.get_by_role("list", name="Trains").get_by_role("listitem")).to_have_count(15)
    await expect(
        trains(page).and_(page.get_by_label(re.compile("^Your train")))
    ).to_be_in_viewport()
    await assert_fits(page)
    name = f"fourteen-{level.lower()}-{'phone' if looks is PHONE else 'desktop'}"
    await keep_picture(page, name)
    await keep_picture(page, f"{name}-whole", whole=True)


@pytest.mark.parametrize("language", LANGUAGES)
async def test_page_speaks_the_language_of_the_browser(
    windows: Windows, platform: Rest, running: Running, language: str
) -> None:
    game = new_game(platform, "Ada", bots=1, fixedSeed="7")
    game.call(0, ":deal")
    page = await windows.open(game.address(running.http_url, 0), locale=language, **PHONE)
    await expect(hand(page)).to_have_count(15)
    await _assert_speaks(page, language)
    await keep_picture(page, f"table-{language}")
    await page.goto(running.http_url)
    await expect(page.get_by_role("form")).to_be_visible()
    await _assert_speaks(page, language)
    await keep_picture(page, f"home-{language}", whole=True)


async def _assert_speaks(page: Page, language: str) -> None:
    assert language == await page.evaluate("document.documentElement.lang")
    text = await page.inner_text("body")
    assert not UNTRANSLATED.search(text)
    assert (language == "en") == bool(ENGLISH.search(text))
    await assert_fits(page)


async def test_language_that_was_chosen_is_kept(windows: Windows, running: Running) -> None:
    page = await windows.open(running.http_url)
    await page.get_by_role("combobox", name="Language").select_option(label="Suomi")
    await expect(page.locator("html")).to_have_attribute("lang", "fi")
    await page.reload()
    await expect(page.locator("html")).to_have_attribute("lang", "fi")
