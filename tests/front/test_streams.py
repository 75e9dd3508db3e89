"""Watching as server-sent events: what happened, once, in order, also for who dropped out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from typing import Any

from tests.front.rest import Rest, persons
from tests.polling import WITHIN_S


@contextmanager
def _watching(rest: Rest, path: str) -> Iterator[HTTPResponse]:
    """Open a stream; drop it at the end, whatever was still to come."""
    connection = HTTPConnection(rest.url.removeprefix("http://"), timeout=WITHIN_S)
    connection.request("GET", path, headers={"authorization": f"Bearer {rest.credential}"})
    try:
        yield connection.getresponse()
    finally:
        connection.close()


def _updates(stream: HTTPResponse) -> Iterator[dict[str, Any]]:
    """Yield the message of each event; pass over heartbeats."""
    for line in stream:
        if line.startswith(b"data: "):
            update = json.loads(line.removeprefix(b"data: "))
            if "heartbeat" not in update:
                yield update


def _game(platform: Rest) -> tuple[str, list[Rest]]:
    created = platform.post("/v1/games", {"seats": persons("ada", "bob"), "fixedSeed": "7"}).body
    seats = [platform.bearing(token["token"]) for token in created["seatTokens"]]
    return f"/v1/games/{created['game']['gameId']}", seats


def _play(seats: list[Rest], path: str) -> int:
    """Make one legal move; return the version after it."""
    turn = seats[0].get(path).body["game"]["view"]["round"]["turn"]
    moves = seats[turn].get(f"{path}/legalMoves").body["moves"]
    answer = seats[turn].post(f"{path}:play", {"moves": moves[:1]})
    assert 200 == answer.status, answer
    return int(answer.body["view"]["version"])


def test_watch_tells_what_happens_when_it_happens(platform: Rest) -> None:
    path, seats = _game(platform)
    with _watching(seats[0], f"{path}:watch?afterVersion=0") as stream:
        assert 200 == stream.status
        assert "text/event-stream" == stream.headers["content-type"]
        updates = _updates(stream)
        platform.post(f"{path}:deal")
        assert 1 == next(updates)["events"]["version"]
        version = _play(seats, path)
        assert version == next(updates)["events"]["version"]


def test_watch_misses_nothing_when_it_is_resumed_after_a_drop(platform: Rest) -> None:
    path, seats = _game(platform)
    platform.post(f"{path}:deal")
    with _watching(seats[0], f"{path}:watch?afterVersion=0") as stream:
        cursor = next(_updates(stream))["events"]["cursor"]
    versions = [_play(seats, path) for _ in range(3)]
    told: list[int] = []
    with _watching(seats[0], f"{path}:watch?cursor={cursor}") as stream:
        updates = _updates(stream)
        while not told or told[-1] < versions[-1]:
            batch = next(updates)["events"]
            told += [event["version"] for event in batch["events"]]
    assert sorted(told) == told
    assert set(versions) == set(told)


def test_watch_says_that_it_is_over_when_the_game_is_deleted(platform: Rest) -> None:
    path, seats = _game(platform)
    with _watching(seats[0], f"{path}:watch") as stream:
        updates = _updates(stream)
        assert "RESET_REASON_BEGINNING" == next(updates)["reset"]["reason"]
        assert 200 == platform.call("DELETE", path).status
        assert "END_REASON_DELETED" == next(updates)["end"]["reason"]
        assert [] == list(updates)


def test_watch_is_refused_with_a_status_when_there_is_no_such_game(platform: Rest) -> None:
    answer = platform.get("/v1/games/nowhere:watch")
    assert (404, "GAME_NOT_FOUND") == answer.refused
