"""Points of a round, totals of a match, places and ties."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mextrain_engine import options as opt
from mextrain_engine.ruleset import RuleSet
from mextrain_engine.state import Phase, RoundResult, State
from mextrain_engine.tiles import PIPS, TileMask, double, tiles_in


@dataclass(frozen=True, slots=True)
class Score:
    """The score sheet of a match.

    Attributes:
        rounds: the rounds that are over, in order.
        totals: points so far, by seat.
        zero_rounds: rounds in which a seat went out, by seat.
        low_rounds: the smallest points of a seat in a round other than zero, by seat; None when
            there is none.
        places: 1 is the best so far; equal seats share the better number (1, 1, 3), by seat.
        leaders: the seats at place 1, ascending.
    """

    rounds: tuple[RoundResult, ...]
    totals: tuple[int, ...]
    zero_rounds: tuple[int, ...]
    low_rounds: tuple[int | None, ...]
    places: tuple[int, ...]
    leaders: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match came out.

    Attributes:
        winners: the winning seats, ascending; several when they share the first place.
        tie_broken: equal totals for the first place were told apart by the tie-break.
        score: the whole score sheet.
    """

    winners: tuple[int, ...]
    tie_broken: bool
    score: Score


def hand_points(rules: RuleSet, hand: TileMask) -> int:
    """Return what a hand counts: its pips, the double-blank as the rules value it.

    >>> from mextrain_engine import RuleSet, mask_of, tile
    >>> hand_points(RuleSet(), mask_of([tile(12, 5), tile(0, 0)]))
    67
    """
    # Rules score.double-blank, score.double-blank.free
    blank = rules.double_blank_value if hand >> double(0) & 1 else 0
    # Rules score.doubles-face-value, score.blank-end.free
    return blank + sum(PIPS[tile_id] for tile_id in tiles_in(hand))


def round_points(rules: RuleSet, hands: Sequence[TileMask], out: int) -> tuple[int, ...]:
    """Return the points of a round, by seat.

    Args:
        rules: the rule set.
        hands: what each seat holds at the end.
        out: the seats that went out, as a bit mask; 0 when the round was blocked.
    """
    held = [hand_points(rules, hand) for hand in hands]
    # Rule score.winner-takes-sum
    if rules.scoring is opt.Scoring.WINNER_TAKES_SUM:
        return _shared_out(held, _takers(rules, held, out))
    # Rules score.pips, score.out-zero, score.blocked.all-count, score.no-multiplier
    return tuple(held)


def score(state: State) -> Score:
    """Return the score sheet: all rounds that are over.

    >>> from mextrain_engine import RuleSet, new_game
    >>> score(new_game(RuleSet(), seats=3)).totals
    (0, 0, 0)
    """
    seats = range(state.seats)
    results = state.results
    totals = tuple(sum(result.points[seat] for result in results) for seat in seats)
    zero_rounds = tuple(sum(result.out >> seat & 1 for result in results) for seat in seats)
    low_rounds = tuple(
        min((result.points[seat] for result in results if result.points[seat]), default=None)
        for seat in seats
    )
    keys = [
        _rank_key(state.rules, *facts)
        for facts in zip(totals, zero_rounds, low_rounds, strict=True)
    ]
    places = tuple(1 + sum(other < key for other in keys) for key in keys)
    leaders = tuple(seat for seat in seats if places[seat] == 1)
    return Score(results, totals, zero_rounds, low_rounds, places, leaders)


def outcome(state: State) -> Outcome | None:
    """Return how the match came out, or None while it is not over.

    >>> from mextrain_engine import RuleSet, new_game
    >>> outcome(new_game(RuleSet(), seats=3)) is None
    True
    """
    if state.phase is not Phase.FINISHED:
        return None
    sheet = score(state)
    best = sheet.totals[sheet.leaders[0]]
    tied = sum(total == best for total in sheet.totals)
    return Outcome(sheet.leaders, tied > len(sheet.leaders), sheet)


def _takers(rules: RuleSet, held: Sequence[int], out: int) -> list[int]:
    """Return who wins points: the seats that went out, else the lowest hands if they share."""
    # Rule score.winner-takes-sum
    if out:
        return list(tiles_in(out))
    # Rule score.blocked.nobody-scores
    if rules.block_score is opt.BlockScore.ALL_COUNT:
        return []
    # Rule score.blocked.shared-pot
    return [seat for seat, points in enumerate(held) if points == min(held)]


def _shared_out(held: Sequence[int], takers: list[int]) -> tuple[int, ...]:
    """Share the points of all other hands among the takers, rounded down (C45, D5)."""
    pot = sum(points for seat, points in enumerate(held) if seat not in takers)
    # Rules score.winner-takes-sum.shared, score.blocked.shared-pot
    return tuple(pot // len(takers) if seat in takers else 0 for seat in range(len(held)))


def _rank_key(
    rules: RuleSet, total: int, zero_rounds: int, low_round: int | None
) -> tuple[int, ...]:
    """Return what seats are ordered by, the best least (C46)."""
    # Rule match.most-win
    if rules.scoring is opt.Scoring.WINNER_TAKES_SUM:
        return (-total,)
    # Rules match.tie.zero-rounds, match.tie.low-round
    if rules.tie_break is opt.TieBreak.ZERO_ROUNDS_THEN_LOW_ROUND:
        return (total, -zero_rounds, low_round or 0)
    # Rules match.fewest-win, match.tie.shared
    return (total,)
