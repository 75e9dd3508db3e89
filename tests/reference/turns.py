"""What a move leads to: tiles laid, markers, open doubles, the next turn, the end of the round.

Expects legal moves; whether one is legal is in ``moving``.
"""

from __future__ import annotations

from tests.reference.moving import doubles_due, doubles_for, is_available, obligation
from tests.reference.rules import Rules
from tests.reference.table import MEXICAN, Happening, Table, Train
from tests.reference.tiles import Tile, is_double, tile_from_text, tile_text


def make(rules: Rules, table: Table, seat: int, move: str) -> list[Happening]:
    """Make a legal move and return what happened. The round is over when the table is not live."""
    happened: list[Happening] = []
    if move == "call":
        table.called.add(seat)
        table.uncalled = None
        return [("LastTileCalled", seat)]
    slow, table.uncalled = table.uncalled, None
    if move == "draw":
        turn_is_over = False
        draw(table, happened)
    elif move == "pass":
        turn_is_over = True
        pass_on(rules, table, happened)
    else:
        tile, train = read_play(move)
        turn_is_over = play(rules, table, tile, train, happened)
    lapses = turn_is_over and ends_by_going_out(rules, table)
    if slow is not None and not lapses:
        miss_call(rules, table, slow, happened)
    if turn_is_over:
        end_turn(rules, table, happened)
    return happened


def read_play(move: str) -> tuple[Tile, Train]:
    """Read ``12-5@2`` as the tile and the train."""
    tile, train = move.split("@")
    return tile_from_text(tile), MEXICAN if train == MEXICAN else int(train)


def draw(table: Table, happened: list[Happening]) -> None:
    """Give the seat to move the first tile of the boneyard (TC L37)."""
    take(table, table.turn, False, happened)
    table.drawn += 1


def take(table: Table, seat: int, penalty: bool, happened: list[Happening]) -> None:
    """Move the first tile of the boneyard to a hand; it undoes a call (C48)."""
    tile = table.boneyard.pop(0)
    table.hands[seat].append(tile)
    table.called.discard(seat)
    happened.append(("TileDrawn", seat, tile_text(tile), penalty))


def pass_on(rules: Rules, table: Table, happened: list[Happening]) -> None:
    """Let the seat to move end its turn without a tile, and mark its train if it failed."""
    seat = table.turn
    duty = obligation(rules, table)
    marks = True
    if duty == "opening":
        cause, marks = "opening_done", False
    elif duty == "follow_up" and table.follow_up_is_free:
        cause, marks = "followup_declined", False
    elif duty == "follow_up":  # TC L42, C27
        cause, marks = "followup_failed", rules.double_fail_marks
    elif duty == "cover":  # TC L43, C25, C38
        cause = "duty_failed"
        if rules.own_train_after_failed_duty == "closed_until_covered":  # D9
            table.barred.setdefault(seat, doubles_due(rules, table)[0])
    else:  # TC L38. C8: a drawn tile that is kept counts as not playing, and nobody is told
        cause = "unable"
    happened.append(("Passed", seat, cause))
    if marks and (table.trains[seat] or rules.mark_when_unstarted):
        mark(table, seat, happened)


def mark(table: Table, seat: int, happened: list[Happening]) -> None:
    """Put the marker on a seat's train, if it is not there (TC L38, C11)."""
    if not table.marked[seat]:
        table.marked[seat] = True
        happened.append(("MarkerPlaced", seat))


def play(rules: Rules, table: Table, tile: Tile, train: Train, happened: list[Happening]) -> bool:
    """Lay a tile on a train; return whether the turn is over."""
    seat = table.turn
    table.opening = is_opening_tile(rules, table, train)
    table.lay(tile, train)
    table.laid += 1
    table.doubles_laid += is_double(tile)
    happened.append(("TilePlayed", seat, tile_text(tile), train, table.end(train)))
    if train in table.open_doubles:  # C19: only a tile on it covers it
        table.open_doubles.remove(train)
        lift_bars(table, train)
        happened.append(("DoubleCovered", train, max(table.trains[train][-2])))
    if table.marked[seat] and (train == seat or rules.marker_clear == "any_play"):  # C28, C35, C36
        table.marked[seat] = False
        happened.append(("MarkerRemoved", seat))
    if not table.hand():  # MG L13, C30, C31: out, whatever is open
        table.out.append(seat)
        happened.append(("WentOut", seat))
    if seat in table.out and ends_by_going_out(rules, table):
        return True
    if is_double(tile) and not table.opening:  # C14: a double in an opening train opens nothing yet
        open_double(rules, table, train, happened)
    release_dead_doubles(rules, table, happened)
    if seat in table.out:
        return True
    if table.opening:
        return False
    if not is_double(tile) or rules.double_followup == "none":
        return True
    return not ask_for_follow_up(rules, table, train)


def is_opening_tile(rules: Rules, table: Table, train: Train) -> bool:
    """Tell whether a tile laid on ``train`` belongs to an opening train (TC L29, option 14)."""
    if table.opening:
        return True
    return (
        rules.first_turn_mode == "multi_tile"
        and obligation(rules, table) == "first_turn"
        and train == table.turn
        and (rules.first_turn_draw_multi or table.drawn == 0)
    )


def ask_for_follow_up(rules: Rules, table: Table, train: Train) -> bool:
    """Ask the layer of a double for another tile (TC L40, L41, EH L5); return whether it is."""
    if rules.double_followup_where == "double_only":
        if rules.dead_double == "released" and is_dead(table, table.end(train)):  # D4
            return False
        table.follow_up, table.cover = "cover", train
    else:
        table.follow_up = "anywhere"
    table.follow_up_is_free = rules.double_followup == "optional"  # MG L28 read literally
    table.drawn_before += table.drawn
    table.drawn = 0
    return True


def open_double(rules: Rules, table: Table, train: Train, happened: list[Happening]) -> None:
    """Let the double at the end of a train wait to be covered, where anyone has that duty."""
    if rules.open_double_duty == "none":  # MG L6
        return
    table.open_doubles.append(train)
    happened.append(("DoubleOpened", train, table.end(train)))


def is_dead(table: Table, value: int) -> bool:
    """Tell whether every tile of a value lies on the table (C26)."""
    highest = max(max(tile) for tile in all_known(table))
    return all(
        (max(value, other), min(value, other)) in table.tiles_out_of_play()
        for other in range(highest + 1)
    )


def all_known(table: Table) -> list[Tile]:
    """Return every tile of the set, wherever it is."""
    in_hands = [tile for hand in table.hands for tile in hand]
    return [*table.tiles_out_of_play(), *in_hands, *table.boneyard]


def release_dead_doubles(rules: Rules, table: Table, happened: list[Happening]) -> None:
    """Let open doubles that nobody can ever cover bind nobody, where the rules say so (C26)."""
    if rules.dead_double != "released":
        return
    for train in list(table.open_doubles):
        if is_dead(table, table.end(train)):
            table.open_doubles.remove(train)
            lift_bars(table, train)
            happened.append(("DoubleReleased", train, table.end(train)))


def lift_bars(table: Table, train: Train) -> None:
    """Let seats onto their own trains again that could not cover the double on ``train`` (D9)."""
    table.barred = {seat: where for seat, where in table.barred.items() if where != train}


def ends_by_going_out(rules: Rules, table: Table) -> bool:
    """Tell whether the round is over once this turn is, because someone went out (TC L36, L18)."""
    if not table.out:
        return False
    if rules.go_out_first_turn == "immediate":  # EH L11
        return True
    if table.first_turn_over[table.turn]:
        return True
    return all(over for seat, over in enumerate(table.first_turn_over) if seat != table.turn)


def miss_call(rules: Rules, table: Table, seat: int, happened: list[Happening]) -> None:
    """Let a seat pay for a last tile that it did not announce in time (C48)."""
    if rules.last_tile_call != "required":
        return
    happened.append(("LastTileMissed", seat))
    for _ in range(min(rules.last_tile_penalty, len(table.boneyard))):
        take(table, seat, True, happened)


def end_turn(rules: Rules, table: Table, happened: list[Happening]) -> None:
    """End the turn and begin the next one, or end the round."""
    seat = table.turn
    if ends_by_going_out(rules, table):
        end_round(table)  # C18: what was deferred never opens
        return
    if table.opening and table.ends_in_double(seat):
        leave_first_turn_double(rules, table, seat, happened)
    table.first_turn_over[seat] = True
    if rules.last_tile_call != "off" and len(table.hands[seat]) == 1 and seat not in table.called:
        table.uncalled = seat  # C48: only when the turn ends with exactly one tile
    if all(table.first_turn_over):
        open_deferred_doubles(rules, table, happened)
    if not table.out and is_blocked(rules, table):
        end_round(table)
        return
    begin_turn(table, next_seat(table), happened)


def leave_first_turn_double(
    rules: Rules, table: Table, seat: int, happened: list[Happening]
) -> None:
    """Settle what a double means that ends an opening train (option 34, C13, D3)."""
    if rules.open_double_duty == "none":
        return
    if rules.first_turn_doubles == "deferred":
        table.deferred.append(seat)
    if rules.first_turn_doubles == "immediate":
        open_double(rules, table, seat, happened)
        release_dead_doubles(rules, table, happened)


def open_deferred_doubles(rules: Rules, table: Table, happened: list[Happening]) -> None:
    """Open the doubles left on first turns, in order of laying, now that all are over (C13)."""
    for train in table.deferred:
        open_double(rules, table, train, happened)
    table.deferred = []
    release_dead_doubles(rules, table, happened)


def is_blocked(rules: Rules, table: Table) -> bool:
    """Tell whether nobody can ever play again (C42, C44).

    The boneyard is empty, and no seat, taken as the mover under the current duties, has a tile
    for any train that could be open to it once every seat has marked its train.
    """
    if table.boneyard:
        return False
    later = table.copy()
    later.first_turn_over = [True] * rules.seats
    for seat in range(rules.seats):
        later.marked[seat] = bool(table.trains[seat]) or rules.mark_when_unstarted
    for seat in range(rules.seats):
        if table.open_doubles:
            trains = doubles_for(rules, later, seat)
        else:
            trains = [train for train in later.trains if is_available(rules, later, seat, train)]
        if any(later.end(train) in tile for train in trains for tile in later.hands[seat]):
            return False
    return True


def end_round(table: Table) -> None:
    """Close the round; nothing is owed or announced any more."""
    table.live = False
    table.uncalled = None


def next_seat(table: Table) -> int:
    """Return the seat after this one, clockwise; only first turns are left once a seat is out."""
    count = len(table.hands)
    order = [(table.turn + step) % count for step in range(1, count + 1)]
    if table.out:  # TC L30, MG L21
        order = [seat for seat in order if not table.first_turn_over[seat]]
    return order[0]


def begin_turn(table: Table, seat: int, happened: list[Happening]) -> None:
    """Make it a seat's turn, with nothing laid, drawn or owed yet."""
    table.turn = seat
    table.laid = table.doubles_laid = table.drawn = table.drawn_before = 0
    table.opening = False
    table.follow_up, table.follow_up_is_free, table.cover = "", False, None
    happened.append(("TurnStarted", seat, not table.first_turn_over[seat]))
