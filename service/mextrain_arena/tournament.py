"""Levels of play held against each other on the bare engine: who scores what, and how surely.

Every bot is handed the view of its seat, its legal moves and a seed, as at a real table. The deals
of one seating are played again with the levels moved on by a seat, until each level had each hand:
so a lucky hand is lucky for all, and far fewer matches tell the levels apart.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mextrain_engine import (
    Phase,
    RuleSet,
    State,
    apply,
    deal_from_seed,
    legal_moves,
    new_game,
    observe,
    outcome,
)
from mextrain_service.application.model import BotLevel
from mextrain_service.bots import SeatBots

_NORMAL_95 = 1.96
_SEED_BYTES = 32


@dataclass(frozen=True, slots=True)
class Pairing:
    """One match to be played.

    Attributes:
        rules: the rules, fit for so many seats.
        levels: who plays, by seat.
        number: the match, 0-based; matches of one group share their deals.
        group: what the deals follow from, with the seed.
        seed: what everything follows from.
    """

    rules: RuleSet
    levels: tuple[BotLevel, ...]
    number: int
    group: int
    seed: int


@dataclass(frozen=True, slots=True)
class Played:
    """How a match came out.

    Attributes:
        pairing: what was played.
        rounds: how many rounds it had.
        totals: points by seat.
        winners: the winning seats.
    """

    pairing: Pairing
    rounds: int
    totals: tuple[int, ...]
    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and how far it may be off.

    Attributes:
        mean: of all matches.
        margin: half the width of the 95 % confidence interval; 0 when one group was all there is.
    """

    mean: float
    margin: float


@dataclass(frozen=True, slots=True)
class LevelResult:
    """What a level came to.

    Attributes:
        level: the level.
        score: points of a round.
        wins: part of the matches won, 0 to 1; a shared win counts in part.
        behind: points of a round more than the first level of the tournament.
    """

    level: BotLevel
    score: Estimate
    wins: Estimate
    behind: Estimate


def pairings(
    rules: RuleSet, levels: Sequence[BotLevel], players: int, matches: int, seed: int
) -> list[Pairing]:
    """Return the matches of a tournament, the levels spread over the seats and moved on each time.

    Args:
        rules: the rules, fit for so many players.
        levels: who plays, at least two and no more than players.
        players: seats of each match.
        matches: how many; a multiple of the number of levels gives each level each hand as often.
        seed: what deals and whims follow from.
    """
    return [
        Pairing(
            rules=rules,
            levels=tuple(levels[(seat + match) % len(levels)] for seat in range(players)),
            number=match,
            group=match // len(levels),
            seed=seed,
        )
        for match in range(matches)
    ]


def play_pairing(pairing: Pairing) -> Played:
    """Play one match to its end. The same pairing always comes out the same."""
    deals = random.Random(f"{pairing.seed}/{pairing.group}")  # noqa: S311 - no secret
    whims = random.Random(f"{pairing.seed}/{pairing.number}/whims")  # noqa: S311
    state = new_game(pairing.rules, len(pairing.levels))
    while state.phase is not Phase.FINISHED:
        state = deal_from_seed(state, deals.randbytes(_SEED_BYTES)).state
        state = _play_round(state, pairing.levels, whims)
    ended = outcome(state)
    assert ended is not None
    return Played(pairing, len(state.results), ended.score.totals, ended.winners)


def results(played: Iterable[Played], levels: Sequence[BotLevel]) -> list[LevelResult]:
    """Return what each level came to, in the order given.

    The groups of matches with the same deals are what the confidence intervals are taken over.
    """
    groups: dict[int, list[Played]] = {}
    for match in played:
        groups.setdefault(match.pairing.group, []).append(match)
    scores = {level: [_score(group, level) for group in groups.values()] for level in levels}
    first = scores[levels[0]]
    return [
        LevelResult(
            level=level,
            score=_estimate(scores[level]),
            wins=_estimate([_wins(group, level) for group in groups.values()]),
            behind=_estimate([own - best for own, best in zip(scores[level], first, strict=True)]),
        )
        for level in levels
    ]


def _play_round(state: State, levels: Sequence[BotLevel], whims: random.Random) -> State:
    bots = SeatBots()
    while state.phase is Phase.PLAYING:
        assert state.round is not None
        # Who has a last tile to announce acts before the next turn.
        seat = state.round.uncalled if state.round.uncalled >= 0 else state.round.turn
        legal, seed = legal_moves(state, seat), whims.getrandbits(64)
        view = observe(state, seat)
        move = legal[0]
        if len(legal) > 1:
            move = bots.choose(view, legal, levels[seat], seed, state.rules)
        state = apply(state, move, seat).state
    return state


def _score(group: Sequence[Played], level: BotLevel) -> float:
    """Return the mean points of a round that a level had in a group of matches."""
    return statistics.fmean(
        total / match.rounds
        for match in group
        for total, other in zip(match.totals, match.pairing.levels, strict=True)
        if other is level
    )


def _wins(group: Sequence[Played], level: BotLevel) -> float:
    return statistics.fmean(
        sum(match.pairing.levels[seat] is level for seat in match.winners) / len(match.winners)
        for match in group
    )


def _estimate(values: Sequence[float]) -> Estimate:
    mean = statistics.fmean(values)
    if len(values) == 1:
        return Estimate(mean, 0.0)
    return Estimate(mean, _NORMAL_95 * statistics.stdev(values) / len(values) ** 0.5)
