"""The table as a player uses it: by what is written on it and by the roles of its parts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from playwright.async_api import Locator, Page

from tests.front.rest import Rest
from tests.web.traffic import TileName

NEXT_STEP: Final = """() => {
  const may = (name) => [...document.querySelectorAll('[role=group][aria-label=Moves] button')]
    .some((button) => !button.disabled && button.textContent.trim() === name);
  if (document.querySelector('.turn .line')) return null;
  if (document.querySelector('[role=option][aria-selected=true]')) return 'train';
  if (document.querySelector('[role=option][aria-disabled=false]')) return 'tile';
  const said = ['Draw', 'Done', 'Pass', 'Last tile!'].find(may);
  if (said) return said;
  return /is over$/.test(document.querySelector('.between h2')?.textContent) ? 'over' : null;
}"""
"""What the player does next; null while it waits."""


def hand(page: Page) -> Locator:
    """Return the tiles of the player."""
    return page.get_by_role("listbox").get_by_role("option")


def trains(page: Page) -> Locator:
    """Return the trains as buttons."""
    return page.get_by_role("list", name="Trains").get_by_role("button")


async def set_up(page: Page, players: int) -> None:
    """Choose how many play, on the page that sets a table up."""
    more = page.get_by_role("button", name="One player more")
    fewer = page.get_by_role("button", name="One player fewer")
    seats = page.get_by_role("combobox", name="Who sits on seat")
    while (count := await seats.count()) != players:
        await (more if count < players else fewer).click()


async def next_step(page: Page) -> str:
    """Wait until there is something for the player to do; return what."""
    return str(await (await page.wait_for_function(NEXT_STEP)).json_value())


async def step(page: Page) -> str:
    """Do the next thing that the rules allow, as a player with a mouse or a finger would."""
    what = await next_step(page)
    match what:
        case "over":
            pass
        case "tile":
            await hand(page).and_(page.locator("[aria-disabled=false]")).first.click()
        case "train":
            await trains(page).and_(page.locator("[aria-disabled=false]")).first.click()
        case _:
            actions = page.get_by_role("group", name="Moves")
            await actions.get_by_role("button", name=what, exact=True).click()
    return what


async def play_round(page: Page, after_step: Callable[[], Awaitable[None]] | None = None) -> int:
    """Play until the round is over; return in how many steps."""
    steps = 0
    while await step(page) != "over":
        steps += 1
        if after_step:
            await after_step()
    return steps


async def held_token(page: Page) -> str:
    """Return the token that the page keeps of its seat."""
    kept = await page.evaluate("JSON.parse(localStorage.getItem('mextrain.seats'))[0].token")
    return str(kept)


def true_hand(seat: Rest, game_id: str) -> set[TileName]:
    """Return what the seat holds, as the service tells the seat; nothing when no round is live."""
    view: dict[str, Any] = seat.get(f"/v1/games/{game_id}").body["game"]["view"]
    if view["phase"] != "PHASE_PLAYING":
        return set()
    return {(tile["high"], tile["low"]) for tile in view["hand"]}
