"""A whole match of bots over gRPC: every bot a client of its own, with its own token and view."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from mextrain_engine import Phase, RoundView, RuleSet, double, redact, set_size, tile
from mextrain_service.application.model import BotLevel
from mextrain_service.bots import SeatBots
from mextrain_service.client import (
    Changed,
    EntropyAdded,
    Game,
    MextrainClient,
    MextrainError,
    Person,
    ScoreSheet,
    SeatChanged,
    Table,
    TableFact,
)
from mextrain_service.client.rules_proto import OptionValue


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """What is to be played.

    Attributes:
        preset: the rules.
        overrides: options that differ from the preset.
        levels: how well each seat plays, by seat.
        names: what each seat is called, by seat.
        seed: what deals and whims follow from; None for a fair deal and free whims.
    """

    preset: str
    overrides: dict[str, OptionValue]
    levels: tuple[BotLevel, ...]
    names: tuple[str, ...]
    seed: int | None


@dataclass(frozen=True, slots=True)
class Moment:
    """The match after one call that changed it.

    Attributes:
        round: the table, as everyone may see it.
        totals: points of the rounds that are over, by seat.
        total_rounds: rounds of the match.
        events: what happened, without what only the seat that moved may know.
    """

    round: RoundView
    totals: tuple[int, ...]
    total_rounds: int
    events: tuple[TableFact, ...]


class BotMatch:
    """One match. Play it by iterating over ``moments``; then its facts are final.

    Attributes:
        game: the game as it was created.
        moves: moves made so far.
        tiles_conserved: at every moment, hands, boneyard and table made up the set.
    """

    def __init__(self, endpoint: str, platform_key: str, plan: MatchPlan) -> None:
        self._plan = plan
        self._endpoint = endpoint
        self._clients = ExitStack()
        self._platform = self._client(platform_key)
        self._bots = SeatBots()
        self._whim = plan.seed if plan.seed is not None else random.SystemRandom().getrandbits(64)
        created = self._platform.create_game(
            [Person(f"demo-{name.lower()}", name) for name in plan.names],
            preset=plan.preset,
            overrides=plan.overrides,
            fixed_seed=plan.seed,
        )
        self.game: Game = created.game
        self._seats = [self._client(token) for _, token in sorted(created.seat_tokens.items())]
        self.moves = 0
        self.tiles_conserved = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._clients.close()

    @property
    def rules(self) -> RuleSet:
        """The rules of the match, as the service filled them in."""
        return self.game.rules

    def moments(self) -> Iterator[Moment]:
        """Play the match to its end and yield it after every deal and every move."""
        phase = Phase.AWAITING_DEAL
        turn = mover = None
        while phase is not Phase.FINISHED:
            if phase is Phase.AWAITING_DEAL:
                mover = None
                _, changed = self._platform.deal_round(self.game.game_id)
            else:
                assert turn is not None
                seen = changed.table if turn == mover else self._look(turn)
                mover, changed = turn, self._move(turn, seen)
                self.moves += 1
            view = changed.table.view
            assert view.round is not None
            phase, turn = view.phase, _next_to_act(view.round)
            self.tiles_conserved &= _conserved(view.round, self.rules, view.seats)
            yield Moment(
                round=view.round,
                totals=changed.table.totals,
                total_rounds=view.total_rounds,
                events=tuple(map(_public, changed.events)),
            )

    def score(self) -> ScoreSheet:
        """Return the score as the service has it."""
        return self._platform.score(self.game.game_id)

    def _client(self, token: str) -> MextrainClient:
        return self._clients.enter_context(MextrainClient(self._endpoint, token))

    def _look(self, seat: int) -> Table:
        return self._seats[seat].get_game(self.game.game_id).table

    def _move(self, seat: int, seen: Table) -> Changed:
        """Let a bot choose from its own view and move, with the token of its seat."""
        client, game_id = self._seats[seat], self.game.game_id
        legal = client.legal_moves(game_id)
        if not legal.moves:
            raise MextrainError("INTERNAL", f"Seat {seat} is to move and has no legal move.")
        seed = random.Random(f"{self._whim}/{seat}/{seen.version}").getrandbits(64)  # noqa: S311
        move = self._bots.choose(seen.view, legal.moves, self._plan.levels[seat], seed, self.rules)
        return client.play(game_id, [move], expected_version=seen.version)


def match_facts(match: BotMatch, plan: MatchPlan, seconds: float) -> dict[str, object]:
    """Return the result of a match that is over, ready for JSON."""
    sheet = match.score()
    return {
        "preset": plan.preset,
        "players": len(plan.names),
        "seed": plan.seed,
        "levels": [level.value for level in plan.levels],
        "rounds": len(sheet.rounds),
        "moves": match.moves,
        "scores": [list(result.points) for result in sheet.rounds],
        "totals": [standing.total for standing in sheet.standings],
        "places": [standing.place for standing in sheet.standings],
        "winners": list(sheet.winners),
        "tiles_conserved": match.tiles_conserved,
        "seconds": round(seconds, 3),
    }


def _next_to_act(round_: RoundView) -> int | None:
    """Return who acts next; who has a last tile to announce comes before the next turn."""
    return round_.turn if round_.call_due is None else round_.call_due


def _conserved(round_: RoundView, rules: RuleSet, seats: int) -> bool:
    """Tell whether the tiles that everyone can count make up the whole set."""
    laid = 1 + sum(len(train.pips) - 1 for train in round_.trains)
    counted = sum(round_.hand_counts) + round_.boneyard_count + laid
    return counted == set_size(rules.max_pip(seats)) and _distinct(round_)


def _distinct(round_: RoundView) -> bool:
    """Tell whether no tile is seen twice: hub, trains and, at the end, the hands."""
    seen = [double(round_.hub)]
    for train in round_.trains:
        seen += [tile(near, far) for near, far in pairwise(train.pips)]
    for hand in round_.shown_hands or ():
        seen += hand
    return len(seen) == len(set(seen))


def _public(event: TableFact) -> TableFact:
    """Return what everyone may know of an event."""
    return event if isinstance(event, SeatChanged | EntropyAdded) else redact(event, None)
