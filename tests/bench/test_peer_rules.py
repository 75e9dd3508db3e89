"""The game that the peers play is the service's: move by move, over whole rounds."""

from __future__ import annotations

import json
import subprocess

from benchmarks.peers.game import RecordedRound, peer_move, recorded_round
from benchmarks.peers.node import FOLDER

ROUNDS = 30


def _followed(rounds: list[RecordedRound]) -> list[dict[str, list[list[dict[str, object]]]]]:
    """Return what the peers' rules say of each round."""
    lines = "".join(f"{json.dumps(each.for_peers())}\n" for each in rounds)
    ran = subprocess.run(
        ["node", str(FOLDER / "follow.mjs")],
        input=lines,
        check=True,
        capture_output=True,
        text=True,
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


def test_rules_of_the_peers_allow_what_the_engine_allows_and_end_when_it_ends() -> None:
    rounds = [recorded_round(seed) for seed in range(ROUNDS)]
    followed = _followed(rounds)
    assert len(rounds) == len(followed)
    for ours, theirs in zip(rounds, followed, strict=True):
        expected = [sorted(json.dumps(peer_move(move)) for move in legal) for legal in ours.legal]
        assert expected == [sorted(map(json.dumps, legal)) for legal in theirs["legal"]]
        assert theirs["over"]


READ_ALL = """
const { readFileSync } = require('node:fs');
const { SourceTextModule } = require('node:vm');
for (const name of process.argv.slice(1)) new SourceTextModule(readFileSync(name, 'utf8'));
"""


def test_programs_of_the_peers_can_be_read_by_node() -> None:
    programs = [str(program) for program in sorted(FOLDER.glob("*.mjs"))]
    assert programs
    command = ["node", "--no-warnings", "--experimental-vm-modules", "--eval", READ_ALL]
    subprocess.run([*command, *programs], check=True)
