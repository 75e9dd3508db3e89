"""Somebody starts the service, opens the address that it prints, and plays."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.async_api import expect

from tests.web.browser import IN_BROWSER, Windows, keep_picture
from tests.web.table import hand, play_round, set_up
from tests.worker.processes import command

pytestmark = IN_BROWSER


async def test_new_user_plays_a_round_against_bots_at_the_address_that_is_printed(
    windows: Windows, tmp_path: Path
) -> None:
    with command(tmp_path, "serve", "--port=0", "--workers=1") as service:
        assert service.process.stdout is not None
        printed = iter(service.process.stdout.readline, "")
        page = await windows.open(_address(printed))
        await keep_picture(page, "home", whole=True)
        await set_up(page, 3)
        await page.get_by_role("button", name="Start the game").click()
        await page.get_by_role("button", name="Deal round 1").click()
        await expect(hand(page)).to_have_count(15)

        steps = await play_round(page)

        assert steps
        await expect(page.get_by_role("heading", name="Round 1 is over")).to_be_visible()
        await expect(page.get_by_role("button", name="Deal round 2")).to_be_visible()
        await keep_picture(page, "round-over", whole=True)
        await windows.close()
        assert 0 == service.stop()


def _address(printed: object) -> str:
    for line in printed:  # type: ignore[attr-defined]
        if found := re.search(r"http://\S+/#key=\S+", line):
            return found[0]
    raise AssertionError("no address was printed")
