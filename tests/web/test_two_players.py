"""Two people play each other, each in a browser of its own."""

from __future__ import annotations

import asyncio

from playwright.async_api import Page, expect

from mextrain_service.local.discovery import Running
from tests.front.rest import Rest
from tests.web.browser import IN_BROWSER, Windows, keep_picture
from tests.web.table import hand, held_token, play_round, set_up, true_hand
from tests.web.traffic import TileName, tiles_told
from tests.web.wire import NewWire

pytestmark = IN_BROWSER


async def _invited(page: Page) -> str:
    """Open a table for two, one of them a friend; return the friend's link."""
    await page.get_by_role("combobox", name="Rules").select_option(label="Thoughtco double six")
    await set_up(page, 2)
    await page.get_by_role("combobox", name="Who sits on seat 2").select_option(
        label="A friend, by link"
    )
    await page.get_by_role("button", name="Open the table").click()
    return await page.get_by_role("textbox", name="Link to seat 2").input_value()


async def test_neither_page_is_told_anything_of_the_others_hand(
    windows: Windows, running: Running, new_wire: NewWire
) -> None:
    to_ada, to_bob = await new_wire(), await new_wire()
    ada = await windows.open(f"{to_ada.url}/#key={running.platform_key}")
    link = await _invited(ada)
    bob = await windows.open(link.replace(to_ada.url, to_bob.url))
    await keep_picture(bob, "join")
    await bob.get_by_role("textbox", name="Your name").fill("Bob")
    await bob.get_by_role("button", name="Take the seat").click()
    await ada.get_by_role("button", name="Deal round 1").click()
    await expect(hand(bob)).not_to_have_count(0)
    game_id = ada.url.split("/")[4]
    seats = [Rest(running.http_url, await held_token(page)) for page in (ada, bob)]
    told: list[set[TileName]] = []

    async def look() -> None:
        """Nothing is forwarded while this runs, so what was told is not newer than the hands."""
        of_ada, of_bob = (true_hand(seat, game_id) for seat in seats)
        assert set() == tiles_told(to_ada) & of_bob
        assert set() == tiles_told(to_bob) & of_ada
        told.append(of_ada | of_bob)

    await look()
    # Lest it is blind: each page was told its own hand, and that is seen.
    assert tiles_told(to_ada) >= true_hand(seats[0], game_id) != set()
    assert tiles_told(to_bob) >= true_hand(seats[1], game_id) != set()

    await asyncio.gather(play_round(ada, look), play_round(bob, look))
    await expect(bob.get_by_role("heading", name="Round 1 is over")).to_be_visible()
    assert len([each for each in told if each]) > 10
