"""From a permutation of the tiles to a table with a hub and a first seat to move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.table import MEXICAN, Happening, Table, Train
from tests.reference.tiles import Tile, all_tiles, is_double, tile_text


class Past(NamedTuple):
    """What a deal must know of the rounds before: their hubs, and who started the last one."""

    hubs: list[int]
    starters: list[int]


class Deal(NamedTuple):
    """A dealt round; no table when the rules ask for another deal."""

    table: Table | None
    happenings: list[Happening]


class Hands(NamedTuple):
    """Tiles as they are handed out; the lists change while a hub is sought."""

    hands: list[list[Tile]]
    boneyard: list[Tile]


def deal(rules: Rules, past: Past, permutation: Sequence[int]) -> Deal:
    """Deal the next round (TC L12-L25)."""
    number = len(past.hubs) + 1
    numbered = all_tiles(rules.max_pip)
    tiles = [numbered[place] for place in permutation]
    wanted = wanted_hub(rules, number)
    if rules.hub_source == "set_aside":
        assert wanted is not None
        tiles.remove((wanted, wanted))
    dealt = hand_out(rules, tiles)
    happened: list[Happening] = [
        ("RoundDealt", number, rules.hand_size, len(dealt.boneyard)),
    ]
    if rules.hub_source == "set_aside":
        assert wanted is not None
        happened.append(("HubLaid", tile_text((wanted, wanted)), None))
        return begin(rules, past, dealt, wanted, None, happened)
    found = hub_in_hands(rules, past, dealt.hands, wanted)
    if found is None and rules.hub_search == "redeal":
        return Deal(None, [("DealVoided", number)])
    if found is None:
        found = search(rules, past, dealt, wanted, happened)
    holder, hub = found
    dealt.hands[holder].remove((hub, hub))  # TC L23; C3: this is not a turn
    happened.append(("HubLaid", tile_text((hub, hub)), holder))
    return begin(rules, past, dealt, hub, holder, happened)


def hand_out(rules: Rules, tiles: list[Tile]) -> Hands:
    """Give seat k the k-th block of tiles; the rest is the boneyard, in order (TC L21)."""
    size = rules.hand_size
    hands = [tiles[seat * size : (seat + 1) * size] for seat in range(rules.seats)]
    return Hands(hands, tiles[rules.seats * size :])


def wanted_hub(rules: Rules, number: int) -> int | None:
    """Return the value that the rule names before anyone looks at a hand, if it names one."""
    if rules.hub_rule == "descending":  # TC L24: 12-12, 11-11, … 0-0, and from the top again
        return (rules.first_hub - (number - 1)) % (rules.max_pip + 1)
    if rules.hub_rule == "fixed_value":
        return rules.first_hub
    return None


def hub_in_hands(
    rules: Rules, past: Past, hands: list[list[Tile]], wanted: int | None
) -> tuple[int, int] | None:
    """Return (seat, value) of the double that becomes the hub, if a hand holds it."""
    held = {tile[0]: seat for seat, hand in enumerate(hands) for tile in hand if is_double(tile)}
    if rules.hub_rule == "lead_player_highest":  # no double: the next player
        for step in range(rules.seats):
            seat = (len(past.hubs) + step) % rules.seats
            own = [value for value in held if held[value] == seat]
            if own:
                return seat, max(own)
        return None
    if wanted is not None:
        return (held[wanted], wanted) if wanted in held else None
    if rules.hub_rule == "highest_unused_in_hands":
        unused = unused_values(rules, past)
        held = {value: seat for value, seat in held.items() if value in unused}
    return (held[max(held)], max(held)) if held else None  # MG setup, EH L2


def unused_values(rules: Rules, past: Past) -> set[int]:
    """Return the values that were no hub yet; when each has been one, all of them again."""
    every = set(range(rules.max_pip + 1))
    unused = set(every)
    for hub in past.hubs:
        unused.remove(hub)
        unused = unused or set(every)
    return unused


def search(
    rules: Rules,
    past: Past,
    dealt: Hands,
    wanted: int | None,
    happened: list[Happening],
) -> tuple[int, int]:
    """Return (seat, value) of the hub after nobody held it (TC L25, MG L17, WH L14)."""
    if rules.hub_search == "next_lower_double":
        held = {
            tile[0]: s for s, hand in enumerate(dealt.hands) for tile in hand if is_double(tile)
        }
        top = rules.max_pip if wanted is None else wanted
        for step in range(rules.max_pip + 1):
            value = (top - step) % (rules.max_pip + 1)
            if value in held:
                return held[value], value
    first = 0 if not past.starters else (past.starters[-1] + 1) % rules.seats  # C2
    found: tuple[int, int] | None = None
    while found is None:
        assert dealt.boneyard, "C1: the double must turn up"
        found = one_lap(rules, past, dealt, wanted, first, happened)
    return found


def one_lap(
    rules: Rules,
    past: Past,
    dealt: Hands,
    wanted: int | None,
    first: int,
    happened: list[Happening],
) -> tuple[int, int] | None:
    """Let each seat draw once, from ``first`` clockwise; return the first double that will do."""
    found: tuple[int, int] | None = None
    for step in range(rules.seats):
        if not dealt.boneyard:  # D2: it may run dry within a lap
            break
        seat = (first + step) % rules.seats
        tile = dealt.boneyard.pop(0)
        will_do = is_target(rules, past, tile, wanted)
        if rules.hub_search == "draw_reveal_return" and not will_do:
            dealt.boneyard.append(tile)
            happened.append(("HubSought", seat, tile_text(tile), True))
            continue
        dealt.hands[seat].append(tile)
        happened.append(("HubSought", seat, tile_text(tile), False))
        if will_do and found is None:
            found = seat, tile[0]
            if rules.hub_search != "draw_all_equal":  # D2: only that one finishes its lap
                break
    return found


def is_target(rules: Rules, past: Past, tile: Tile, wanted: int | None) -> bool:
    """Tell whether a drawn tile ends the search (option 7)."""
    if not is_double(tile):
        return False
    if rules.hub_search == "next_lower_double":
        return True
    if rules.hub_rule == "highest_unused_in_hands":
        return tile[0] in unused_values(rules, past)
    if wanted is not None and rules.hub_search_target == "exact_double":
        return tile[0] == wanted
    return True


def begin(
    rules: Rules,
    past: Past,
    dealt: Hands,
    hub: int,
    holder: int | None,
    happened: list[Happening],
) -> Deal:
    """Lay out the table around the hub and name the first seat to move."""
    first = starter(rules, past, dealt.hands, hub, holder)
    trains: dict[Train, list[Tile]] = {seat: [] for seat in range(rules.seats)}
    trains[MEXICAN] = []  # C40: one, started when someone starts it
    table = Table(
        number=len(past.hubs) + 1,
        hub=hub,
        starter=first,
        hands=dealt.hands,
        boneyard=dealt.boneyard,
        trains=trains,
        marked=[False] * rules.seats,
        first_turn_over=[False] * rules.seats,
        turn=first,
    )
    return Deal(table, [*happened, ("TurnStarted", first, True)])


def starter(rules: Rules, past: Past, hands: list[list[Tile]], hub: int, holder: int | None) -> int:
    """Return the seat that takes the first turn (option 8)."""
    in_rotation = len(past.hubs) % rules.seats  # D6
    if rules.round_starter == "rotate":
        return in_rotation
    if rules.round_starter == "highest_hub_match":
        matches = [
            (sum(tile) - hub, seat)
            for seat, hand in enumerate(hands)
            for tile in hand
            if hub in tile
        ]
        return max(matches)[1] if matches else in_rotation
    assert holder is not None
    if rules.round_starter == "left_of_hub_holder":  # MG setup
        return (holder + 1) % rules.seats
    return holder  # TC L23
