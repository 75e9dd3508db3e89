"""Draws the dashboard with real data: a service on which people play, a Prometheus that asks it."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import yaml
from google.protobuf.duration_pb2 import Duration
from mextrain.v1.channel_pb2 import ChannelRequest, OpenChannel, PlayMoves
from mextrain.v1.game_pb2 import OnTimeout, Person, Seat, TablePolicy, TurnClock
from mextrain.v1.game_service_pb2 import CreateGameResponse, PlayGamesRequest

from mextrain_client import MextrainClient, MextrainError
from mextrain_service.local.discovery import Running
from mextrain_service.process.ports import free_ports
from tools.dashboard_drawing import Series, page
from tools.dashboard_panels import ROWS, WINDOW, Panel, Query

ROOT: Final = Path(__file__).resolve().parents[1]
PICTURE: Final = ROOT / "docs" / "dashboard.png"
_HOST: Final = "127.0.0.1"
_SECONDS: Final = 150
_STEP_S: Final = 2
_PAUSES_S: Final = (0.02, 0.08, 0.08, 0.08, 0.08, 1.5)
"""How long people think at most, by table; at the last one too long."""

_ON_ONE_STREAM: Final = 4
"""The table that plays so."""

_IN_HASTE: Final = TablePolicy(
    clock=TurnClock(per_turn=Duration(seconds=1), on_timeout=OnTimeout.ON_TIMEOUT_BOT)
)
_SIZE: Final = "1820,2450"


def main() -> int:
    """Play for a while, then draw."""
    front, admin, operator, exporting, asking = free_ports(_HOST, 5)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        running = stack.enter_context(_service(folder, front, admin, operator))
        stack.enter_context(
            _program(
                *("prometheus-redis-exporter", "-redis.addr", running.redis_url),
                *("-web.listen-address", f"{_HOST}:{exporting}"),
            )
        )
        targets = {
            "mextrain-worker": [url.split("/")[2] for url in running.metrics_urls],
            "mextrain-front": [f"{_HOST}:{operator}"],
            "redis": [f"{_HOST}:{exporting}"],
        }
        words = _prometheus(folder, targets, asking)
        stack.enter_context(_program(*words))
        _play(running)
        end = time.time()
        found = {
            panel: tuple(_series(f"http://{_HOST}:{asking}", panel, end))
            for row in ROWS
            for panel in row.panels
        }
        _photograph(page(found, _SECONDS), folder)
    empty = [panel.title for panel, series in found.items() if not series]
    print(f"wrote {PICTURE.relative_to(ROOT)}; without data: {', '.join(empty) or 'none'}")
    return 0


@contextmanager
def _service(folder: Path, front: int, admin: int, operator: int) -> Iterator[Running]:
    variables = {
        "PATH": str(Path(sys.executable).parent),
        "XDG_RUNTIME_DIR": str(folder),
        "MEXTRAIN_FRONT_PORT": str(front),
        "MEXTRAIN_FRONT_ADMIN_PORT": str(admin),
        "MEXTRAIN_FRONT_METRICS_PORT": str(operator),
        "MEXTRAIN_FRONT_ACCESS_LOG": "false",
        "MEXTRAIN_LOGGING_LEVEL": "error",
    }
    words = [sys.executable, "-m", "mextrain_service.cli", "serve", "--json", "--port=0"]
    with subprocess.Popen(
        [*words, "--workers=2"], env=variables, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            yield Running.from_json(process.stdout.readline())
        finally:
            process.terminate()


@contextmanager
def _program(*words: str) -> Iterator[None]:
    program = shutil.which(words[0])
    assert program, f"{words[0]} is missing: `make system` installs it"
    nowhere = subprocess.DEVNULL
    with subprocess.Popen([program, *words[1:]], stdout=nowhere, stderr=nowhere) as process:
        try:
            yield
        finally:
            process.kill()


def _prometheus(folder: Path, targets: dict[str, list[str]], port: int) -> tuple[str, ...]:
    """Write its configuration, hurried so that minutes show what hours do; return how it starts."""
    for path in (ROOT / "deploy" / "prometheus" / "rules").glob("*.yml"):
        rules = yaml.safe_load(path.read_text("utf-8"))
        for group in rules["groups"]:
            group["interval"] = f"{_STEP_S}s"
        (folder / path.name).write_text(yaml.safe_dump(rules), encoding="utf-8")
    jobs = [
        {
            "job_name": job,
            "metrics_path": "/stats/prometheus" if job == "mextrain-front" else "/metrics",
            "static_configs": [{"targets": places}],
        }
        for job, places in targets.items()
    ]
    every = {"scrape_interval": f"{_STEP_S}s", "scrape_timeout": f"{_STEP_S}s"}
    configuration = {"global": every, "rule_files": [f"{folder}/*s.yml", f"{folder}/*g.yml"]}
    file = folder / "prometheus.yaml"
    file.write_text(yaml.safe_dump({**configuration, "scrape_configs": jobs}), encoding="utf-8")
    return (
        *("prometheus", f"--config.file={file}", f"--storage.tsdb.path={folder}/data"),
        f"--web.listen-address={_HOST}:{port}",
    )


def _play(running: Running) -> None:
    """Let people play at some tables until the time is over, watched, with a slip now and then."""
    over = threading.Event()
    players = [
        threading.Thread(target=_table, args=(running, number, over))
        for number in range(len(_PAUSES_S))
    ]
    for player in players:
        player.start()
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline:
        for path in ("/v1/presets", "/v1/presets", "/v1/games/none"):
            with suppress(OSError), urllib.request.urlopen(running.http_url + path):  # noqa: S310
                pass
        time.sleep(0.2)
    over.set()
    for player in players:
        player.join()


def _table(running: Running, number: int, over: threading.Event) -> None:
    chance = random.Random(number)  # noqa: S311 - whose turn it is to slip
    host = MextrainClient(running.endpoint, running.platform_key)
    while not over.is_set():
        people = [Seat(person=Person(player_id=f"p{number}-{seat}")) for seat in range(4)]
        created = host.create_game(people, policy=_IN_HASTE)
        game_id = created.game.game_id
        host.deal_round(game_id)
        seats = [MextrainClient(running.endpoint, each.token) for each in created.seat_tokens]
        watching = threading.Thread(target=_watch, args=(seats[0], game_id, over), daemon=True)
        watching.start()
        if number == _ON_ONE_STREAM:
            requests = _requests(seats, created, over)
            with suppress(MextrainError):
                for _ in host.play_games(requests):
                    pass
            continue
        for seat in seats * 30:
            if over.wait(chance.uniform(0, _PAUSES_S[number])):
                return
            with suppress(MextrainError):
                moves = seat.list_legal_moves(game_id).moves
                if moves:
                    seat.play_move(game_id, chance.choice(moves))
                elif chance.random() < 0.05:  # out of turn
                    seat.play_move(game_id, "draw")


def _requests(
    seats: list[MextrainClient], created: CreateGameResponse, over: threading.Event
) -> Iterator[PlayGamesRequest]:
    """Ask for one move after the other, of all seats, on one stream."""
    game_id = created.game.game_id
    opened = [OpenChannel(game_id=game_id, token=each.token) for each in created.seat_tokens]
    yield PlayGamesRequest(
        requests=[
            ChannelRequest(channel=number, open=each) for number, each in enumerate(opened, start=1)
        ]
    )
    for _ in range(30):
        for number, seat in enumerate(seats):
            moves = seat.list_legal_moves(game_id).moves
            if moves:
                play = PlayMoves(moves=moves[:1])
                yield PlayGamesRequest(requests=[ChannelRequest(channel=number + 1, play=play)])
            if over.wait(0.05):
                return


def _watch(seat: MextrainClient, game_id: str, over: threading.Event) -> None:
    with suppress(MextrainError):
        for _ in seat.watch_game(game_id):
            if over.is_set():
                return


def _series(url: str, panel: Panel, end: float) -> Iterator[Series]:
    for query in panel.queries:
        text = query.text.replace(WINDOW, "20s")
        if panel.single:
            asked = f"{url}/api/v1/query?query={quote(text)}&time={end}"
        else:
            span = f"start={end - _SECONDS}&end={end}&step={_STEP_S}"
            asked = f"{url}/api/v1/query_range?query={quote(text)}&{span}"
        with urllib.request.urlopen(asked) as answer:  # noqa: S310 - our own server
            for result in json.load(answer)["data"]["result"]:
                if points := tuple(_points(result, end - _SECONDS)):
                    yield Series(_name(query, result["metric"]), points)


def _points(result: dict[str, Any], start: float) -> Iterator[tuple[float, float]]:
    for at, value in result.get("values") or [result["value"]]:
        if value not in ("NaN", "+Inf", "-Inf"):
            yield at - start, float(value)


def _name(query: Query, labels: dict[str, str]) -> str:
    name = query.legend
    for label, value in labels.items():
        name = name.replace(f"{{{{{label}}}}}", value)
    return name


def _photograph(text: str, folder: Path) -> None:
    file = folder / "dashboard.html"
    file.write_text(text, encoding="utf-8")
    program = shutil.which("chromium")
    assert program, "chromium is missing: `make system` installs it"
    quiet = ("--disable-background-networking", "--disable-component-update", "--disable-sync")
    subprocess.run(
        [
            *(program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
            *(*quiet, "--no-first-run", f"--user-data-dir={folder}/profile"),
            *(f"--window-size={_SIZE}", f"--screenshot={PICTURE}", file.as_uri()),
        ],
        check=True,
        timeout=120,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


if __name__ == "__main__":
    sys.exit(main())
