"""The table as a player uses it: by what is written on it and by the roles of its parts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from playwright.async_api import Locator, Page

from tests.front.rest import Rest
from tests.web.traffic import TileName

SEATS_DEAL: Final = {"dealBy": "DEAL_BY_SEATS", "spectators": True}


MOVES_OF_A_ROUND: Final = 1_000
"""More than a seat can make: drawing the boneyard of two players alone takes up to 60."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game that was made for a test, with everybody's credential.

    Attributes:
        game_id: its name.
        seats: of the persons, in order.
        spectator: of whoever watches.
    """

    game_id: str
    seats: tuple[Rest, ...]
    spectator: Rest

    def address(self, origin: str, seat: int) -> str:
        """Return the address of a seat, as its player was sent it."""
        return f"{origin}/game/{self.game_id}/{seat}#token={self.seats[seat].credential}"

    def address_to_watch(self, origin: str) -> str:
        """Return the address of those who watch."""
        return f"{origin}/game/{self.game_id}/watch#token={self.spectator.credential}"

    def call(self, seat: int, path: str, body: Any = None) -> Any:
        """Call as a seat does; return the answer."""
        answer = self.seats[seat].post(f"/v1/games/{self.game_id}{path}", body)
        assert 200 == answer.status, answer
        return answer.body

    def view(self, seat: int) -> Any:
        """Return the table as the seat sees it."""
        return self.seats[seat].get(f"/v1/games/{self.game_id}").body["game"]["view"]

    def move(self, seat: int, most: int = MOVES_OF_A_ROUND) -> None:
        """Make first legal moves of the seat, while it is to move and at most so many."""
        for _ in range(most):
            if self.view(seat)["round"].get("turn") != seat:
                return
            legal = self.seats[seat].get(f"/v1/games/{self.game_id}/legalMoves").body["moves"]
            self.call(seat, ":play", {"moves": legal[:1]})


def new_game(
    platform: Rest, *persons: str, bots: int = 0, level: str = "GREEDY", **terms: Any
) -> Game:
    """Make a game of persons and bots; ``terms`` are further fields of the request."""
    seats: list[Any] = [{"person": {"playerId": each, "displayName": each}} for each in persons]
    bot = {"bot": {"level": f"BOT_LEVEL_{level}"}}
    request = {"seats": seats + [bot] * bots, "policy": SEATS_DEAL, **terms}
    made = platform.post("/v1/games", request)
    assert 200 == made.status, made
    return Game(
        made.body["game"]["gameId"],
        tuple(platform.bearing(each["token"]) for each in made.body["seatTokens"]),
        platform.bearing(made.body["spectatorToken"]["token"]),
    )


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
    """Return the trains as the buttons by which a tile is laid on them."""
    buttons = page.get_by_role("list", name="Trains").get_by_role("button")
    return buttons.and_(page.locator("[aria-disabled]"))


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
