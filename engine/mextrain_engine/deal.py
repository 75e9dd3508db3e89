"""The opening of a round: hands from a permutation, the hub found and laid, the starter known.

Takes the order of the tiles as data; how it came about is not its matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from mextrain_engine import options as opt
from mextrain_engine.errors import DealError, RuleSetError
from mextrain_engine.events import DealVoided, Event, HubLaid, HubSought, RoundDealt, TurnStarted
from mextrain_engine.ruleset import RuleSet
from mextrain_engine.state import NOT_BARRED, Owed, Phase, Round, State, Step
from mextrain_engine.tiles import (
    DOUBLES,
    HIGH,
    LOW,
    TILES_WITH,
    TileId,
    TileMask,
    double,
    mask_of,
    set_size,
    tiles_in,
)
from mextrain_engine.validation import check_seats


def new_game(rules: RuleSet, seats: int) -> State:
    """Return a match before its first deal.

    >>> new_game(RuleSet(), seats=4).phase
    <Phase.AWAITING_DEAL: 'awaiting_deal'>

    Args:
        rules: the rule set of the table.
        seats: how many players, 2 to 14 and as many as the rules allow.

    Raises:
        RuleSetError: the rules cannot be played, or not with so many seats; with every reason.
    """
    problems = check_seats(rules, seats)
    if problems:
        raise RuleSetError(problems)
    return State(rules=rules, seats=seats, phase=Phase.AWAITING_DEAL, results=(), round=None)


def deal(state: State, permutation: Iterable[int]) -> Step:
    """Deal the next round.

    Seat ``k`` is dealt the ``k``-th run of the permutation, each run as long as a hand; the rest
    is the boneyard, drawn from its front. A hub that is set aside is passed over first. A hub out
    of a hand is then laid, or searched for as the rules say.

    >>> step = deal(new_game(RuleSet(), seats=2), range(91))
    >>> step.state.round.hub, step.state.round.turn, step.events[0]
    (12, 0, RoundDealt(number=1, hand_size=15, boneyard=60))

    Args:
        state: a match that awaits a deal.
        permutation: every tile id of the set once: ``0 … set_size - 1`` in any order.

    Returns:
        The round before its first move. When the rules ask for a new deal because no hand held
        the hub, the state still awaits a deal and the only event is ``DealVoided``.

    Raises:
        DealError: a round is live, the match is over, or the permutation is not one of this set.
    """
    _require_due(state)
    order = _checked(permutation, set_size(state.rules.max_pip(state.seats)))
    number = len(state.results) + 1
    table = _lay_out(state, order, number)
    opened = (hub_value(state), None) if _is_set_aside(state.rules) else _from_hands(state, table)
    if opened is None:  # Rule hub.search.redeal
        return Step(state, (DealVoided(number),))
    hub, holder = opened
    starter = _starter(state, table, hub, holder)
    events = (*table.events, HubLaid(double(hub), holder), TurnStarted(starter, first=True))
    round_ = _first_position(state, table, hub, starter, number)
    return Step(state._replace(phase=Phase.PLAYING, round=round_), events)


def hub_value(state: State) -> int:
    """Return the value that the rules name for the hub of the next round.

    It descends from the first one, and starts again at the set's highest after the blank.
    """
    # Rule hub.first
    first = state.rules.first_hub(state.seats)
    # Rule hub.fixed-value
    if state.rules.hub_rule is opt.HubRule.FIXED_VALUE:
        return first
    # Rules hub.descending, hub.descending.again
    return (first - len(state.results)) % (state.rules.max_pip(state.seats) + 1)


@dataclass(slots=True)
class _Table:
    """Tiles on their way into a round; the only mutable value of the engine besides a turn."""

    hands: list[TileMask]
    boneyard: list[int]
    events: list[Event]

    def holder_of(self, tiles: TileMask) -> int | None:
        """Return the first seat whose hand meets these tiles."""
        return next((seat for seat, hand in enumerate(self.hands) if hand & tiles), None)


def _require_due(state: State) -> None:
    if state.phase is Phase.FINISHED:
        raise DealError("GAME_FINISHED", "the match is over; there is no round to deal")
    if state.phase is Phase.PLAYING:
        assert state.round is not None
        message = f"round {state.round.number} is not over; the next is dealt after it"
        raise DealError("ROUND_IN_PROGRESS", message)


def _checked(permutation: Iterable[int], size: int) -> list[int]:
    order = list(permutation)
    if len(order) != size or set(order) != set(range(size)):
        message = f"the deal must hold each of 0 to {size - 1} once"
        raise DealError("BAD_PERMUTATION", message)
    return order


def _is_set_aside(rules: RuleSet) -> bool:
    return rules.hub_source is opt.HubSource.SET_ASIDE


def _lay_out(state: State, order: list[int], number: int) -> _Table:
    # Rule hub.set-aside
    if _is_set_aside(state.rules):
        order.remove(double(hub_value(state)))
    size = state.rules.hand_size(state.seats)
    # Rules setup.hand, setup.boneyard
    dealt = size * state.seats
    hands = [mask_of(order[at : at + size]) for at in range(0, dealt, size)]
    boneyard = order[dealt:]
    return _Table(hands, boneyard, [RoundDealt(number, size, len(boneyard))])


def _from_hands(state: State, table: _Table) -> tuple[int, int | None] | None:
    """Take the hub out of a hand, searching if need be: its value and who held it."""
    found = _held_hub(state, table) or _search(state, table)
    if found is None:
        return None
    hub, holder = found
    # Rule hub.from-hand
    table.hands[holder] &= ~(1 << double(hub))
    return hub, holder


def _held_hub(state: State, table: _Table) -> tuple[int, int] | None:
    match state.rules.hub_rule:
        case opt.HubRule.HIGHEST_IN_HANDS:  # Rule hub.highest-in-hands
            return _highest_held(table, DOUBLES)
        case opt.HubRule.HIGHEST_UNUSED_IN_HANDS:  # Rule hub.highest-unused
            return _highest_held(table, _unused_doubles(state))
        case opt.HubRule.LEAD_PLAYER_HIGHEST:  # Rule hub.lead-player-highest
            return _lead_player_highest(state, table)
        case opt.HubRule.DESCENDING | opt.HubRule.FIXED_VALUE:
            # Rule hub.from-hand
            hub = hub_value(state)
            holder = table.holder_of(1 << double(hub))
            return None if holder is None else (hub, holder)


def _highest_held(table: _Table, wanted: TileMask) -> tuple[int, int] | None:
    held = [
        (HIGH[t], seat) for seat, hand in enumerate(table.hands) for t in tiles_in(hand & wanted)
    ]
    return max(held, default=None)


def _unused_doubles(state: State) -> TileMask:
    """Return the doubles that were no hub yet; all of them again once each has been one."""
    highest = state.rules.max_pip(state.seats)
    every = {double(pip) for pip in range(highest + 1)}
    hubs = [double(result.hub) for result in state.results]
    return mask_of(every - set(hubs[len(hubs) - len(hubs) % len(every) :]))


def _lead_player_highest(state: State, table: _Table) -> tuple[int, int] | None:
    for seat in _clockwise(state, _rotating_seat(state)):
        doubles = table.hands[seat] & DOUBLES
        if doubles:
            return HIGH[doubles.bit_length() - 1], seat
    return None


def _search(state: State, table: _Table) -> tuple[int, int] | None:
    match state.rules.hub_search:
        case opt.HubSearch.REDEAL:  # Rule hub.search.redeal
            return None
        case opt.HubSearch.NEXT_LOWER_DOUBLE:  # Rule hub.search.next-lower
            return _next_lower(state, table) or _draw_for(state, table, DOUBLES)
        case _:
            return _draw_for(state, table, _sought(state))


def _sought(state: State) -> TileMask:
    # Rule hub.search.exact
    if state.rules.hub_search_target is opt.HubSearchTarget.EXACT_DOUBLE:
        return 1 << double(hub_value(state))
    if state.rules.hub_rule is opt.HubRule.HIGHEST_UNUSED_IN_HANDS:
        return _unused_doubles(state)
    # Rule hub.search.any
    return DOUBLES


def _next_lower(state: State, table: _Table) -> tuple[int, int] | None:
    values = state.rules.max_pip(state.seats) + 1
    for step in range(1, values):
        pip = (hub_value(state) - step) % values
        holder = table.holder_of(1 << double(pip))
        if holder is not None:
            return pip, holder
    return None


def _draw_for(state: State, table: _Table, sought: TileMask) -> tuple[int, int]:
    """Draw until a sought tile turns up (C1: it must, every undealt tile is in the boneyard)."""
    found: tuple[int, int] | None = None
    # Rules hub.search.in-turn, hub.search.all-equal, hub.search.reveal-return
    returns = state.rules.hub_search is opt.HubSearch.DRAW_REVEAL_RETURN
    even = state.rules.hub_search is opt.HubSearch.DRAW_ALL_EQUAL
    first = _search_lead(state)
    for seat in _laps(state, first):
        if found is not None and (not even or seat == first or not table.boneyard):
            return found
        drawn = TileId(table.boneyard.pop(0))
        hit = bool(sought >> drawn & 1) and found is None
        if returns and not hit:
            table.boneyard.append(drawn)
        else:
            # Rule hub.search.keep
            table.hands[seat] |= 1 << drawn
        table.events.append(HubSought(seat, drawn, returned=returns and not hit))
        if hit:
            found = HIGH[drawn], seat
    raise AssertionError("laps never end")


def _search_lead(state: State) -> int:
    """Return who draws first (C2): seat 0, later the seat left of the previous round's starter."""
    # Rule hub.search.first-drawer
    return (state.results[-1].starter + 1) % state.seats if state.results else 0


def _rotating_seat(state: State) -> int:
    return len(state.results) % state.seats


def _clockwise(state: State, first: int) -> list[int]:
    return [(first + step) % state.seats for step in range(state.seats)]


def _laps(state: State, first: int) -> Iterator[int]:
    while True:
        yield from _clockwise(state, first)


def _starter(state: State, table: _Table, hub: int, holder: int | None) -> int:
    match state.rules.round_starter:
        case opt.RoundStarter.HUB_HOLDER if holder is not None:  # Rule hub.starter.holder
            return holder
        case opt.RoundStarter.LEFT_OF_HUB_HOLDER if holder is not None:  # Rule hub.starter.left
            return (holder + 1) % state.seats
        case opt.RoundStarter.HIGHEST_HUB_MATCH:  # Rule hub.starter.highest-match
            return _highest_hub_match(state, table, hub)
        case _:  # Rule hub.starter.rotate
            return _rotating_seat(state)


def _highest_hub_match(state: State, table: _Table, hub: int) -> int:
    """Return who holds the heaviest tile that matches the hub; by rotation when nobody does."""
    matches = [
        (HIGH[t] + LOW[t], seat)
        for seat, hand in enumerate(table.hands)
        for t in tiles_in(hand & TILES_WITH[hub])
    ]
    return max(matches)[1] if matches else _rotating_seat(state)


def _first_position(state: State, table: _Table, hub: int, starter: int, number: int) -> Round:
    closes = opt.OwnTrainAfterFailedDuty.CLOSED_UNTIL_COVERED
    barred = state.rules.own_train_after_failed_duty is closes
    return Round(
        number=number,
        hub=hub,
        starter=starter,
        hands=tuple(table.hands),
        boneyard=bytes(table.boneyard),
        # Rule hub.centre
        trains=(bytes((hub,)),) * (state.seats + 1),
        markers=0,
        # Rule hub.never-open
        open_doubles=(),
        deferred=(),
        # Rule hub.no-turn
        begun=0,
        out=0,
        turn=starter,
        laid=0,
        doubles=0,
        drawn=0,
        owed=Owed.NOTHING,
        owed_train=-1,
        called=0,
        uncalled=-1,
        barred=(NOT_BARRED,) * state.seats if barred else (),
        seen=1 << double(hub),
    )
