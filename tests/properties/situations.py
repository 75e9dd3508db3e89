"""Rare situations, each recognised by what one deal or move did at the reference's table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tests.reference.game import Game
from tests.reference.moving import doubles_due, obligation, plays, trains_for_mover
from tests.reference.rules import Rules
from tests.reference.scoring import hand_value, standing
from tests.reference.table import MEXICAN, Happening, Table
from tests.reference.tiles import is_double, tile_from_text
from tests.reference.turns import is_blocked, is_dead


@dataclass(frozen=True)
class Moment:
    """One deal or move: the tables before and after it, and what happened.

    Attributes:
        game: the match after it.
        before: the table before a move; None for a deal.
        move: the move; ``deal`` for a deal.
        happened: what it did.
    """

    game: Game
    before: Table | None
    move: str
    happened: Sequence[Happening]

    @property
    def rules(self) -> Rules:
        """Return the rules of the match."""
        return self.game.rules

    @property
    def after(self) -> Table:
        """Return the table as it lies now."""
        assert self.game.table is not None
        return self.game.table

    def count(self, name: str) -> int:
        """Return how often something of this name happened."""
        return sum(what[0] == name for what in self.happened)

    def all(self, name: str) -> list[Happening]:
        """Return everything of this name that happened."""
        return [what for what in self.happened if what[0] == name]


def situations(moment: Moment) -> Iterator[str]:
    """Yield the names of the rare situations that a moment is."""
    if moment.before is None:
        yield from _deals(moment)
        return
    before = moment.before
    for recognise in (_openings, _duties, _own_doubles, _draws, _trains, _endings, _scores, _calls):
        yield from recognise(moment, before)


def _deals(moment: Moment) -> Iterator[str]:
    rules, sought = moment.rules, moment.all("HubSought")
    if moment.count("DealVoided"):
        yield "hub search: redeal"
        return
    table = moment.after
    if sought:
        yield f"hub search: {rules.hub_search}"
        if table.number > 1:
            yield "hub search: a later round"
    if any(what[3] for what in sought):
        yield "hub search: tile shown and put back"
    if rules.hub_search == "draw_all_equal" and sought:
        laid = moment.all("HubLaid")[0]
        if laid[1] != sought[-1][2]:
            yield "hub search: the lap is finished after the hub was found"
        if len(sought) % rules.seats:
            yield "hub search: the boneyard ran dry within a lap"
    if rules.hub_search == "next_lower_double" and rules.hub_rule == "descending":
        wanted = (rules.first_hub - table.number + 1) % (rules.max_pip + 1)
        if not sought and table.hub < wanted:
            yield "hub search: next lower double"
        if not sought and table.hub > wanted:
            yield "hub search: next lower double, from the top again"
    holder = moment.all("HubLaid")[0][2]
    if rules.hub_rule == "lead_player_highest" and not sought:
        if holder != (table.number - 1) % rules.seats:
            yield "hub: the lead player holds no double"
    if rules.hub_rule == "highest_unused_in_hands":
        used = [result.hub for result in moment.game.results]
        held = {high for hand in table.hands for high, low in hand if high == low}
        if table.hub not in used and max(held, default=0) > table.hub:
            yield "hub: unused doubles only"
        if table.hub in used:
            yield "hub: every double has been one, all count again"
    if rules.hub_rule == "descending" and table.number - 1 > rules.first_hub:
        yield "hub: from the top again after the double-blank"
    if rules.round_starter == "highest_hub_match":
        if not any(table.hub in tile for hand in table.hands for tile in hand):
            yield "starter: nobody holds a tile that matches the hub"
    if rules.max_pip == 6 and rules.seats == 4 and not table.boneyard:
        yield "double-six, four players, empty boneyard"
    if rules.max_pip == 18 and rules.seats == 14:
        yield "fourteen players, double-eighteen"


def _openings(moment: Moment, before: Table) -> Iterator[str]:
    rules, seat = moment.rules, before.turn
    if before.opening and moment.move == "pass" and before.ends_in_double(seat):
        yield f"opening train ends in a double: {rules.first_turn_doubles}"
    first = not before.first_turn_over[seat]
    if first and before.laid == 0 and "@" in moment.move:
        train = moment.all("TilePlayed")[0][3]
        duty = obligation(rules, before)
        if duty == "cover":
            yield "first turn spent on a duty"
        elif train == MEXICAN:
            yield "first turn on the Mexican Train"
        elif train != seat:
            yield "first turn on a marked train"
        if rules.first_turn_trains == "any_available":
            fits = any(before.end(MEXICAN) in tile for tile in before.hand())
            if fits and rules.mexican_train_from == "second_turn":
                yield "first turn anywhere but on the Mexican Train"
        if train != seat and is_double(tile_from_text(moment.move.split("@")[0])):
            yield "first turn begins with a double"
        if train == seat and before.drawn and rules.first_turn_mode == "multi_tile":
            yield f"drawn starter, more tiles may follow: {rules.first_turn_draw_multi}"
    if before.opening and rules.double_chain == "one_per_turn" and before.doubles_laid:
        if any(is_double(t) and before.end(seat) in t for t in before.hand()):
            yield "second double of an opening refused"
    if moment.count("DoubleOpened") > 1:
        yield "several deferred doubles open"
    if rules.first_turn_doubles == "deferred" and moment.count("DoubleReleased"):
        if moment.count("DoubleOpened") and moment.move == "pass":
            yield "deferred double is dead when it opens"


def _duties(moment: Moment, before: Table) -> Iterator[str]:
    rules, seat = moment.rules, before.turn
    if obligation(rules, before) != "cover" or moment.move == "call":
        return
    due = doubles_due(rules, before)
    others = [train for train in before.open_doubles if train not in due]
    fits_due = any(before.end(train) in tile for train in due for tile in before.hand())
    fits_other = any(before.end(train) in tile for train in others for tile in before.hand())
    if fits_other and not fits_due:
        yield f"only a double not due can be covered: {rules.open_double_order}"
    if rules.open_double_order == "any" and len({move[1] for move in plays(rules, before)}) > 1:
        yield "choice between two open doubles"
    if seat in before.barred:
        yield "a seat is barred from its own train"
        if seat in due and any(before.end(seat) in tile for tile in before.hand()):
            yield "a barred seat may not cover on its own train"
    if rules.dead_double == "blocks" and any(is_dead(before, before.end(t)) for t in due):
        yield "dead double blocks"
    if rules.drawn_tile == "may_keep" and before.drawn and plays(rules, before):
        yield "drawn tile that covers cannot be kept"
    for _, train, _ in moment.all("DoubleCovered"):
        if train == MEXICAN:
            yield "duty on the Mexican Train"
        elif train != seat and not before.marked[train]:
            yield "duty on an unmarked train of another seat"
        elif train != seat:
            yield "cover by another seat leaves the marker"
        if moment.after.open_doubles:
            yield "one of several open doubles covered"
        if before.drawn:
            yield "duty done with a drawn tile"
        if before.out:
            yield "a double left by a seat that is out binds the others"


def _own_doubles(moment: Moment, before: Table) -> Iterator[str]:
    rules = moment.rules
    if before.follow_up and before.doubles_laid and rules.double_chain == "one_per_turn":
        fits = [
            tile
            for train in trains_for_mover(rules, before)
            for tile in before.hand()
            if before.end(train) in tile and is_double(tile)
        ]
        if fits and before.follow_up == "anywhere":
            yield "second double of a turn refused"
    if before.follow_up and rules.drawn_tile == "may_keep" and before.drawn:
        if plays(rules, before) and not before.follow_up_is_free:
            yield "drawn tile that follows up cannot be kept"
    if before.follow_up and moment.move == "pass":
        cause = moment.all("Passed")[0][2]
        yield f"{cause}, marked: {moment.after.marked[before.turn]}"
    if before.doubles_laid == 2 and moment.after.doubles_laid == 3 and not before.opening:
        yield "three doubles in one turn"
    if before.doubles_laid > 1 and moment.count("DoubleCovered") and moment.after.open_doubles:
        yield "one of two own doubles covered"
    if before.follow_up == "anywhere" and "@" in moment.move and before.open_doubles:
        if not moment.count("DoubleCovered") and not is_double(_tile(moment.move)):
            yield "own double left open by a play elsewhere"
    if moment.count("DoubleReleased"):
        at_once = moment.count("DoubleOpened") and is_double(_tile(moment.move))
        yield "double dead as it is laid" if at_once else "dead double released"
        if at_once and rules.double_followup_where == "double_only":
            if rules.double_followup == "required" and moment.after.turn != before.turn:
                yield "follow-up lifted by the release"
    if moment.count("MarkerRemoved") and is_double(_tile(moment.move)):
        yield "double takes the own marker off"


def _draws(moment: Moment, before: Table) -> Iterator[str]:
    rules = moment.rules
    duty = obligation(rules, before)
    if moment.move == "pass" and before.drawn and plays(rules, before):
        if duty in {"first_turn", "ordinary"}:
            yield f"drawn tile kept: {duty}"
    if moment.move == "draw":
        if duty == "first_turn" and before.drawn and rules.draw_count == "one":
            yield "draw until start"
        if duty == "ordinary" and before.drawn >= 2:
            yield "draw until playable"
        if duty == "follow_up" and before.drawn_before:
            yield "second draw of a turn for its double"
    if moment.move == "pass" and duty == "follow_up" and before.boneyard:
        if rules.double_followup_draw == "once_per_turn" and before.drawn_before:
            yield "no second draw for the double"
        if rules.double_followup_draw == "none":
            yield "no draw for the double"


def _trains(moment: Moment, before: Table) -> Iterator[str]:
    rules, seat = moment.rules, before.turn
    if "@" in moment.move:
        train = moment.all("TilePlayed")[0][3]
        if isinstance(train, int) and train != seat and not before.trains[train]:
            yield "another seat starts a marked train"
        if train != seat and moment.count("MarkerRemoved"):
            yield "marker removed by a play elsewhere"
    if moment.move == "pass" and obligation(rules, before) in {"ordinary", "first_turn"}:
        if not moment.after.marked[seat]:
            yield "unstarted train stays unmarked"
        closed = [
            other
            for other in range(rules.seats)
            if other != seat and before.marked[other]
            if any(before.end(other) in tile for tile in before.hand())
        ]
        if closed and rules.opponents_trains == "never":
            yield "a marked train that never can be played"
        if any(not before.trains[other] for other in closed) and not before.boneyard:
            if not rules.unstarted_marked_train_open:
                yield "a marked train that nobody else may start"
        if moment.after.live and not before.boneyard and _nobody_fits(moment):
            yield "blocked only until the markers are up"


def _nobody_fits(moment: Moment) -> bool:
    table = moment.after
    for seat in range(moment.rules.seats):
        as_mover = table.copy()
        as_mover.turn = seat
        if plays(moment.rules, as_mover):
            return False
    return not is_blocked(moment.rules, table)


def _endings(moment: Moment, before: Table) -> Iterator[str]:
    rules, after = moment.rules, moment.after
    for _, seat in moment.all("WentOut"):
        if after.live:
            yield "out on the first turn, others finish theirs"
        elif not before.first_turn_over[seat] and not all(before.first_turn_over):
            yield f"out on the first turn: {rules.go_out_first_turn}"
        if len(after.out) > 1:
            yield "several seats out in one first lap"
        if is_double(_tile(moment.move)):
            yield "out on a double"
        if before.open_doubles and after.open_doubles:
            yield "out while a double stays open"
    if after.live and after.out and is_blocked(rules, after):
        yield "nobody can play, but first turns are finished"
    if moment.all("RoundEnded") and not after.out:
        yield "blocked round"
        if after.open_doubles:
            yield "blocked by a duty"
        if any(after.hub in tile for hand in after.hands for tile in hand):
            if not all(after.trains.values()):
                yield f"blocked, though a tile fits an unstarted train: {_why_closed(rules)}"
        if any(is_dead(after, after.end(train)) for train in after.open_doubles):
            yield "blocked by a dead double"
        if any(hand_value(rules, hand) == 0 for hand in after.hands):
            yield "a hand worth nothing in a blocked round"


def _why_closed(rules: Rules) -> str:
    return "closed to others" if rules.mark_when_unstarted else "never marked"


def _scores(moment: Moment, _before: Table) -> Iterator[str]:
    rules, table = moment.rules, moment.after
    for _, _, end, out, points in moment.all("RoundEnded"):
        if any((0, 0) in hand for hand in table.hands) and rules.double_blank_value:
            yield "double-blank counts in a hand"
        if rules.scoring == "winner_takes_sum":
            shares = [seat for seat in range(rules.seats) if points[seat]]
            yield f"positive scores: {end}, {rules.block_score if not out else 'out'}"
            if len(shares) > 1:
                yield f"positive scores: {end}, pot shared"
    for _, winners, totals, _ in moment.all("GameEnded"):
        best = min(totals) if rules.scoring == "pips_low_wins" else max(totals)
        if totals.count(best) > 1:
            yield _how_told_apart(moment.game, winners, best)


def _how_told_apart(game: Game, winners: Sequence[int], best: int) -> str:
    totals = standing(game.rules, game.results).totals
    tied = [seat for seat in range(game.rules.seats) if totals[seat] == best]
    zero_rounds = [sum(seat in result.out for result in game.results) for seat in tied]
    if game.rules.tie_break == "shared":
        return "tie shared by the rules"
    if zero_rounds.count(max(zero_rounds)) == 1:
        return "tie broken by zero rounds"
    return "tie broken by the low round" if len(winners) == 1 else "tie that cannot be broken"


def _calls(moment: Moment, before: Table) -> Iterator[str]:
    if moment.move == "call":
        yield "last tile called"
    if moment.count("LastTileMissed"):
        paid = sum(what[3] for what in moment.all("TileDrawn"))
        due = moment.rules.last_tile_penalty
        yield "call missed, penalty drawn" if paid == due > 0 else "call missed"
        if paid < due:
            yield "call missed, too few tiles for the penalty"
    if before.called - moment.after.called and moment.move == "draw":
        yield "a draw undoes the call"
    if before.uncalled is not None and not moment.after.live and moment.move != "call":
        if not moment.count("LastTileMissed"):
            yield "the call lapses with the round"


def _tile(move: str) -> tuple[int, int]:
    return tile_from_text(move.split("@", maxsplit=1)[0]) if "@" in move else (1, 0)
