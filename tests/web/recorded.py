"""Writes rounds of a real service down, for the tests of the page that makes tables out of events.

Run by hand when the contract changes: ``python -m tests.web.recorded``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import grpc
from google.protobuf.json_format import MessageToDict
from mextrain.v1 import game_pb2, rule_options_pb2, rule_set_pb2
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.game_service_pb2_grpc import GameServiceStub

from mextrain_service.local.self_started import self_started
from tests.project.tree import ROOT

FOLDER = ROOT / "web" / "test" / "data"
SEED = 2_026
PRESETS = ("modern", "thoughtco", "masters", "ehow")


class Seat:
    """The service as one bearer of a token meets it."""

    def __init__(self, channel: grpc.Channel, token: str) -> None:
        self._stub = GameServiceStub(channel)
        self._metadata = (("authorization", f"Bearer {token}"),)

    def __getattr__(self, method: str) -> Any:
        call = getattr(self._stub, method)
        return lambda request: call(request, metadata=self._metadata)


def main() -> None:
    """Record a round of each preset into a file of its own."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with self_started(workers=1) as service, grpc.insecure_channel(service.endpoint) as channel:
        for preset in PRESETS:
            recorded = _recorded(channel, service.platform_key, preset)
            text = json.dumps(recorded, separators=(",", ":")) + "\n"
            (FOLDER / f"{preset}.json").write_text(text, encoding="utf-8")


def _recorded(channel: grpc.Channel, key: str, preset: str) -> dict[str, Any]:
    """Play one round as a bot suggests; return the views after each turn, and what happened."""
    created = Seat(channel, key).CreateGame(
        pb.CreateGameRequest(
            preset=preset,
            overrides=rule_set_pb2.RuleSet(rounds=rule_options_pb2.ROUNDS_FIXED, round_count=1),
            seats=[
                game_pb2.Seat(person=game_pb2.Person(player_id="ada", display_name="Ada")),
                *(
                    game_pb2.Seat(bot=game_pb2.Bot(display_name=name))
                    for name in ("Bea", "Carl", "Dora")
                ),
            ],
            policy=game_pb2.TablePolicy(deal_by=game_pb2.DEAL_BY_SEATS, auto_call=True),
            fixed_seed=SEED,
        )
    )
    game_id = created.game.game_id
    seat = Seat(channel, created.seat_tokens[0].token)
    seat.DealRound(pb.DealRoundRequest(game_id=game_id))
    views = list(_views(seat, game_id))
    game = seat.GetGame(pb.GetGameRequest(game_id=game_id)).game
    events = seat.ListEvents(pb.ListEventsRequest(game_id=game_id, page_size=500)).events
    return {
        "game": MessageToDict(game),
        "events": [MessageToDict(each) for each in events],
        "views": [MessageToDict(each) for each in views],
    }


def _views(seat: Seat, game_id: str) -> Iterator[Any]:
    while True:
        suggested = seat.SuggestMove(pb.SuggestMoveRequest(game_id=game_id))
        if not suggested.HasField("move"):
            return
        request = pb.PlayMoveRequest(game_id=game_id, moves=[suggested.move])
        yield seat.PlayMove(request).view


if __name__ == "__main__":
    main()
