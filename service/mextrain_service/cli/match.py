"""A whole match of bots over gRPC: every bot a client of its own, with its own token and view."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from typing import Self

from mextrain.v1.event_pb2 import Event
from mextrain.v1.game_pb2 import Person, Seat
from mextrain.v1.game_service_pb2 import PlayMoveResponse
from mextrain.v1.round_pb2 import Round, RoundResult
from mextrain.v1.score_pb2 import Score
from mextrain.v1.view_pb2 import Phase, View

from mextrain_client import MextrainClient, MextrainError
from mextrain_engine import RuleSet, format_move, set_size
from mextrain_service.application.model import BotLevel
from mextrain_service.bots import SeatBots
from mextrain_service.cli.choices import fixed_rounds, rules_named
from mextrain_service.cli.seat_view import read_move, read_view


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """What is to be played.

    Attributes:
        preset: the rules.
        rounds: how many rounds; None for those of the preset.
        levels: how well each seat plays, by seat.
        names: what each seat is called, by seat.
        seed: what deals and whims follow from; None for a fair deal and free whims.
    """

    preset: str
    rounds: int | None
    levels: tuple[BotLevel, ...]
    names: tuple[str, ...]
    seed: int | None


@dataclass(frozen=True, slots=True)
class Moment:
    """The match after one call that changed it.

    Attributes:
        view: the table after it.
        events: what happened, without what only the seat that moved may know.
    """

    view: View
    events: tuple[Event, ...]


class BotMatch:
    """One match. Play it by iterating over ``moments``; then its facts are final.

    Attributes:
        game_id: its ID.
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
        self._rules = _rules(plan)
        created = self._platform.create_game(
            [
                Seat(person=Person(player_id=f"demo-{name.lower()}", display_name=name))
                for name in plan.names
            ],
            preset=plan.preset,
            overrides=fixed_rounds(plan.rounds),
            fixed_seed=plan.seed,
        )
        self.game_id = created.game.game_id
        self._seats = [self._client(access.token) for access in created.seat_tokens]
        self.moves = 0
        self.tiles_conserved = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._clients.close()

    def moments(self) -> Iterator[Moment]:
        """Play the match to its end and yield it after every deal and every move."""
        phase = Phase.PHASE_AWAITING_DEAL
        view, turn, mover = View(), -1, -1
        while phase != Phase.PHASE_FINISHED:
            events: Iterable[Event]
            if phase == Phase.PHASE_AWAITING_DEAL:
                mover = -1
                dealt = self._platform.deal_round(self.game_id)
                view, events = dealt.game.view, dealt.events
            else:
                played = self._move(turn, view if turn == mover else None)
                view, events, mover = played.view, played.events, turn
                self.moves += 1
            phase, turn = view.phase, _next_to_act(view.round)
            self.tiles_conserved &= _conserved(view.round, self._rules)
            yield Moment(view, tuple(map(_public, events)))

    def score(self) -> Score:
        """Return the score as the service has it."""
        return self._platform.get_score(self.game_id).score

    def _client(self, token: str) -> MextrainClient:
        return self._clients.enter_context(MextrainClient(self._endpoint, token))

    def _move(self, seat: int, seen: View | None) -> PlayMoveResponse:
        """Let a bot choose from its own view and move, with the token of its seat.

        Args:
            seat: whose turn it is.
            seen: what the seat saw last, if that is how the table is now.
        """
        client, results = self._seats[seat], list[RoundResult]()
        if seen is None:
            game = client.get_game(self.game_id).game
            seen, results = game.view, list(game.results)
        legal = client.list_legal_moves(self.game_id)
        if not legal.moves:
            raise MextrainError("INTERNAL", f"Seat {seat} is to move and has no legal move.")
        seed = random.Random(f"{self._whim}/{seat}/{seen.version}").getrandbits(64)  # noqa: S311
        view = read_view(seen, len(self._seats), results)
        moves = tuple(map(read_move, legal.moves))
        move = self._bots.choose(view, moves, self._plan.levels[seat], seed, self._rules)
        return client.play_move(self.game_id, format_move(move), expected_version=seen.version)


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


def _rules(plan: MatchPlan) -> RuleSet:
    rules = rules_named(plan.preset, len(plan.names))
    if plan.rounds is None:
        return rules
    return rules.override(rounds="fixed", round_count=plan.rounds)


def _next_to_act(round_: Round) -> int:
    """Return who acts next; who has a last tile to announce comes before the next turn."""
    return round_.call_due if round_.HasField("call_due") else round_.turn


def _conserved(round_: Round, rules: RuleSet) -> bool:
    """Tell whether the tiles that everyone can count make up the whole set."""
    laid = 1 + sum(len(train.pips) - 1 for train in round_.trains)
    counted = sum(round_.hand_counts) + round_.boneyard_count + laid
    return counted == set_size(rules.max_pip(len(round_.hand_counts))) and _distinct(round_)


def _distinct(round_: Round) -> bool:
    """Tell whether no tile is seen twice: hub, trains and, at the end, the hands."""
    seen = [(round_.hub, round_.hub)]
    for train in round_.trains:
        seen += [(max(ends), min(ends)) for ends in pairwise(train.pips)]
    for hand in round_.shown_hands:
        seen += [(tile.high, tile.low) for tile in hand.tiles]
    return len(seen) == len(set(seen))


def _public(event: Event) -> Event:
    """Return what everyone may know of an event."""
    shown = Event()
    shown.CopyFrom(event)
    if event.HasField("tile_drawn"):
        shown.tile_drawn.ClearField("tile")
    elif event.HasField("hub_sought") and not event.hub_sought.returned:
        shown.hub_sought.ClearField("tile")
    return shown
