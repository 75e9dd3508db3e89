"""What the seat to move may do."""

from __future__ import annotations

from tests.reference.rules import Rules
from tests.reference.table import MEXICAN, Table, Train
from tests.reference.tiles import Tile, is_double, tile_text

Play = tuple[Tile, Train]
"""A tile and the train that it is laid on."""


def legal_moves(rules: Rules, table: Table, seat: int) -> list[str]:
    """Return the moves of a seat in notation; none when it may do nothing now."""
    if not table.live:
        return []
    if seat == table.turn:
        return moves_of_mover(rules, table)
    if seat == table.uncalled:  # EH L6, C48: until the next seat moves
        return ["call"]
    return []


def moves_of_mover(rules: Rules, table: Table) -> list[str]:
    """Return the moves of the seat to move, in notation."""
    possible = [f"{tile_text(tile)}@{train}" for tile, train in plays(rules, table)]
    duty = obligation(rules, table)
    if duty == "opening":  # TC L29: "as many tiles as he wishes"; C15
        return [*possible, "pass"]
    if duty == "follow_up" and table.follow_up_is_free:  # MG L28 read literally
        return [*possible, "pass"]
    if possible:
        # C9: who can play must play. C8, D1: unless he drew the tile in an ordinary turn.
        keeps = rules.drawn_tile == "may_keep" and table.drawn > 0
        if keeps and duty in ("ordinary", "first_turn"):
            return [*possible, "pass"]
        return possible
    if may_draw(rules, table, duty):
        return ["draw"]
    return ["pass"]


def obligation(rules: Rules, table: Table) -> str:
    """Return what binds the seat to move.

    ``opening``: it is laying its opening train. ``follow_up``: it laid a double in this turn.
    ``cover``: others left a double open. ``first_turn`` and ``ordinary``: nothing in particular.
    """
    if table.opening:
        return "opening"
    if table.follow_up:
        return "follow_up"
    if table.open_doubles and rules.open_double_duty == "all_players_until_covered":
        return "cover"
    if not table.first_turn_over[table.turn]:
        return "first_turn"
    return "ordinary"


def plays(rules: Rules, table: Table) -> list[Play]:
    """Return every tile of the hand with every train that it may go on now."""
    one_double_is_enough = rules.double_chain == "one_per_turn" and table.doubles_laid > 0
    return [
        (tile, train)
        for train in trains_for_mover(rules, table)
        for tile in table.hand()
        if table.end(train) in tile  # TC L30: adjacent ends match
        if not (is_double(tile) and one_double_is_enough)  # WH L45, D4
    ]


def trains_for_mover(rules: Rules, table: Table) -> list[Train]:
    """Return the trains that the seat to move may lay a tile on."""
    match obligation(rules, table):
        case "opening":
            return [table.turn]
        case "cover":  # TC L43: "even if it would otherwise be illegal"; C20
            return doubles_for(rules, table, table.turn)
        case "follow_up" if table.follow_up == "cover":  # EH L5
            assert table.cover is not None
            return [table.cover]
    return [train for train in table.trains if is_available(rules, table, table.turn, train)]


def doubles_due(rules: Rules, table: Table) -> list[Train]:
    """Return the trains whose double may be covered now, of several (option 33, C23)."""
    if rules.open_double_order == "fifo":
        return table.open_doubles[:1]
    if rules.open_double_order == "lifo":
        return table.open_doubles[-1:]
    return list(table.open_doubles)


def doubles_for(rules: Rules, table: Table, seat: int) -> list[Train]:
    """Return the trains among those due whose double this seat may cover.

    D9 makes no exception for a seat's own train: once it failed, others have to cover there.
    """
    due = doubles_due(rules, table)
    return [train for train in due if not (train == seat and seat in table.barred)]


def is_available(rules: Rules, table: Table, seat: int, train: Train) -> bool:
    """Tell whether a seat without a duty may play on a train (TC L36, MG L8-L11)."""
    first_turn = not table.first_turn_over[seat]
    if train == seat:
        return seat not in table.barred  # D9, WH L47
    if train == MEXICAN:
        if not first_turn:  # TC L33
            return True
        return rules.mexican_train_from == "first_turn" and rules.first_turn_trains != "own_only"
    assert isinstance(train, int)
    if rules.opponents_trains == "never":  # D9, WH L46
        return False
    if first_turn and rules.first_turn_trains != "any_available":  # TC L31
        return False
    if not table.trains[train] and not rules.unstarted_marked_train_open:  # TC L31, C17
        return False
    return table.marked[train]


def may_draw(rules: Rules, table: Table, duty: str) -> bool:
    """Tell whether a seat that cannot play draws (TC L37-L42, C7)."""
    if not table.boneyard:  # TC L39, C11
        return False
    if duty == "first_turn" and rules.first_turn_no_start == "mark":  # TC L31
        return False
    if duty == "first_turn" and rules.first_turn_no_start == "draw_until_start":  # WH L25
        return True
    if duty == "follow_up" and rules.double_followup_draw == "none":
        return False
    if duty == "follow_up" and rules.double_followup_draw == "once_per_turn":
        if table.drawn_before > 0:
            return False
    return table.drawn == 0 or rules.draw_count == "until_playable"
