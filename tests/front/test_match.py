"""A whole match by REST alone."""

from __future__ import annotations

from typing import Any

from tests.front.rest import Rest, persons

ROUNDS = 2
RULES = {"rounds": "ROUNDS_FIXED", "roundCount": ROUNDS}


def _play_round(seats: list[Rest], path: str) -> None:
    """Make the first legal move of whoever is to move, until the round is over."""
    view = seats[0].get(path).body["game"]["view"]
    while view["phase"] == "PHASE_PLAYING":
        seat = seats[view["round"]["turn"]]
        move = seat.get(f"{path}/legalMoves").body["moves"][0]
        body = {
            "moves": [move],
            "expectedVersion": view["version"],
            "requestId": f"m{view['version']}",
        }
        answer = seat.post(f"{path}:play", body)
        assert 200 == answer.status, answer
        view = answer.body["view"]


def test_match_is_played_to_its_score_by_rest_alone(platform: Rest) -> None:
    asked = {"seats": persons("ada", "bob"), "overrides": RULES, "fixedSeed": "7"}
    answer = platform.post("/v1/games", asked)
    assert 200 == answer.status, answer.body
    created: dict[str, Any] = answer.body
    path = f"/v1/games/{created['game']['gameId']}"
    seats = [platform.bearing(token["token"]) for token in created["seatTokens"]]
    for _ in range(ROUNDS):
        assert 200 == platform.post(f"{path}:deal").status
        _play_round(seats, path)
    score = platform.get(f"{path}/score").body["score"]
    assert ROUNDS == len(score["rounds"])
    assert score["winners"]
    assert (400, "GAME_FINISHED") == platform.post(f"{path}:deal").refused
    assert 200 == platform.call("DELETE", path).status
    assert (404, "GAME_NOT_FOUND") == platform.get(path).refused
