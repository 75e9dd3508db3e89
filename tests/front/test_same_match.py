"""The same match through each interface: what is answered agrees field by field."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, cast

import grpc
import pytest
from google.protobuf import json_format
from google.protobuf.message import Message
from mextrain.v1 import game_pb2, move_pb2, rule_options_pb2, rule_set_pb2
from mextrain.v1 import game_service_pb2 as pb
from mextrain.v1.view_pb2 import PHASE_PLAYING

from mextrain_service.local.discovery import Running
from tests.front.rest import Rest
from tests.front.speaking import Call, RefusedError, answer_type, over_grpc, over_rest
from tests.project.tree import ROOT
from tests.worker.table import reason_of

EXAMPLE: Final = ROOT / "examples" / "connect"
ROUNDS: Final = 1
SEED: Final = 7

Answers = list[tuple[str, Any]]
"""What was asked, and what came back: a message, or the reason of a refusal."""

DIFFERS_EACH_TIME: Final = {
    "game_id",
    "cursor",
    "token",
    "server_time",
    "create_time",
    "update_time",
    "expire_time",
    "turn_deadline",
}


def _played(calling: Callable[[str], Call], key: str) -> Answers:
    """Play as the example for Connect-ES does; return every answer."""
    answers: Answers = []

    def ask(credential: str, method: str, request: Any) -> Any:
        try:
            answer = calling(credential)(method, request)
        except (RefusedError, grpc.RpcError) as refused:
            answers.append((method, _reason(refused)))
            return None
        answers.append((method, answer))
        return answer

    created = ask(key, "CreateGame", _new_game())
    game_id = created.game.game_id
    tokens = [each.token for each in created.seat_tokens]
    for number in range(1, ROUNDS + 1):
        dealing = pb.DealRoundRequest(game_id=game_id, request_id=f"deal-{number}")
        view = ask(key, "DealRound", dealing).game.view
        out_of_turn = pb.PlayMoveRequest(game_id=game_id, moves=[move_pb2.Move(notation="draw")])
        ask(tokens[1 - view.round.turn], "PlayMove", out_of_turn)
        while view.phase == PHASE_PLAYING:
            token = tokens[view.round.turn]
            legal = ask(token, "ListLegalMoves", pb.ListLegalMovesRequest(game_id=game_id))
            played = pb.PlayMoveRequest(
                game_id=game_id,
                moves=legal.moves[:1],
                expected_version=view.version,
                request_id=f"move-{view.version}",
            )
            view = ask(token, "PlayMove", played).view
    ask(key, "GetScore", pb.GetScoreRequest(game_id=game_id))
    watched = calling(tokens[0])("WatchGame", pb.WatchGameRequest(game_id=game_id, after_version=0))
    return [*answers, *(("WatchGame", update) for update in watched)]


def _new_game() -> pb.CreateGameRequest:
    return pb.CreateGameRequest(
        seats=[
            game_pb2.Seat(person=game_pb2.Person(player_id=player)) for player in ("ada", "bob")
        ],
        overrides=rule_set_pb2.RuleSet(rounds=rule_options_pb2.ROUNDS_FIXED, round_count=ROUNDS),
        fixed_seed=SEED,
    )


def _reason(refused: RefusedError | grpc.RpcError) -> str:
    if isinstance(refused, RefusedError):
        return refused.reason
    return reason_of(cast("grpc.Call", refused))


def _played_by_connect_es(running: Running, protocol: str, http: str, notes: Path) -> Answers:
    """Run the example; return every answer that it wrote down."""
    assert (EXAMPLE / "gen").is_dir(), "`make examples` installs what this needs"
    words = {"protocol": protocol, "http": http, "rounds": ROUNDS, "seed": SEED, "answers": notes}
    done = subprocess.run(
        [
            *("node", EXAMPLE / "match.js", running.http_url, running.platform_key),
            *(f"--{name}={word}" for name, word in words.items()),
        ],
        check=False,
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert (0, "") == (done.returncode, done.stderr), done.stdout
    return [_noted(json.loads(line)) for line in notes.read_text("utf-8").splitlines()]


def _noted(note: dict[str, Any]) -> tuple[str, Any]:
    method = note["method"]
    if "refused" in note:
        return method, note["refused"]["reason"]
    return method, json_format.ParseDict(note["answer"], answer_type(method)())


def _comparable(answers: Answers) -> list[tuple[str, Any]]:
    """Leave out what differs each time; take the watcher's messages apart, however they came."""
    told = [_scrubbed(answer) for method, answer in answers if method == "WatchGame"]
    events = [("event", event) for each in told for event in each.events.events]
    ends = [("end", each.end) for each in told if each.HasField("end")]
    others = [(method, _scrubbed(answer)) for method, answer in answers if method != "WatchGame"]
    return [*others, *events, *ends]


def _scrubbed(answer: Any) -> Any:
    if isinstance(answer, Message):
        for message in _within(answer):
            for name in DIFFERS_EACH_TIME & set(message.DESCRIPTOR.fields_by_name):
                message.ClearField(name)
    return answer


def _within(message: Message) -> Iterator[Message]:
    """Yield the message and every one in it."""
    yield message
    for field, value in message.ListFields():
        inner = field.message_type
        if inner is not None and not inner.GetOptions().map_entry:
            for each in value if field.is_repeated else [value]:
                yield from _within(each)


def _assert_same(expected: Answers, found: Answers) -> None:
    left, right = _comparable(expected), _comparable(found)
    assert [name for name, _ in left] == [name for name, _ in right]
    for number, (wanted, came) in enumerate(zip(left, right, strict=True)):
        assert wanted == came, f"answer {number}"


@pytest.fixture(scope="module")
def by_grpc(running: Running) -> Answers:
    """The match as a worker itself answers it."""
    return _played(lambda bearer: over_grpc(running.endpoint, bearer), running.platform_key)


def test_match_has_a_move_a_refusal_an_end_and_a_winner(by_grpc: Answers) -> None:
    """Lest empty answers agree."""
    assert "NOT_YOUR_TURN" in [answer for _, answer in by_grpc]
    assert len([1 for method, _ in by_grpc if method == "PlayMove"]) > 20
    (score,) = (answer for method, answer in by_grpc if method == "GetScore")
    assert score.score.winners
    assert by_grpc[-1][1].HasField("end")


def test_match_is_the_same_through_rest(running: Running, by_grpc: Answers) -> None:
    rest = Rest(running.http_url)
    found = _played(lambda bearer: over_rest(rest.bearing(bearer)), running.platform_key)
    _assert_same(by_grpc, found)


@pytest.mark.parametrize(
    ("protocol", "http"),
    [("connect", "1.1"), ("connect", "2"), ("grpc-web", "1.1"), ("grpc-web", "2"), ("grpc", "2")],
)
def test_match_is_the_same_through_connect_es(
    running: Running, by_grpc: Answers, tmp_path: Path, protocol: str, http: str
) -> None:
    found = _played_by_connect_es(running, protocol, http, tmp_path / "answers")
    _assert_same(by_grpc, found)
