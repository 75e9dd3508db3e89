"""The engine and a verifier in another language are held to the same vectors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from mextrain_engine import commitment, permutation, round_seed

HERE = Path(__file__).parent
FILES = sorted((HERE.parent / "data" / "fairness").glob("*.json"))
VERIFIER = HERE / "verify.mjs"
NODE = Path(sys.executable).with_name("node")


def verify(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the verifier in the other language."""
    command = [str(NODE), str(VERIFIER), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_there_are_vectors_of_every_set() -> None:
    assert ["136", "190", "28", "55", "91"] == sorted(path.stem.split("_")[-1] for path in FILES)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_engine_agrees_with_the_vectors(path: Path) -> None:
    for vector in json.loads(path.read_text())["vectors"]:
        seed = round_seed(bytes.fromhex(vector["secret"]), vector["round"])
        entropy = [bytes.fromhex(part) for part in vector["entropy"]]
        assert vector["seed"] == seed.hex()
        assert vector["commitment"] == commitment(seed).hex()
        assert vector["permutation"] == list(permutation(seed, vector["size"], entropy))


def test_verifier_in_another_language_agrees_with_the_vectors() -> None:
    done = verify("vectors", *FILES)
    assert (0, "") == (done.returncode, done.stderr)
    assert len(FILES) == done.stdout.count("9 vectors agree")


def test_verifier_in_another_language_notices_a_changed_vector(tmp_path: Path) -> None:
    text = FILES[0].read_text()
    vector = json.loads(text)["vectors"][0]
    first = vector["permutation"][0]
    changed = tmp_path / "changed.json"
    changed.write_text(
        text.replace(f'"permutation": [{first},', f'"permutation": [{first + 1},', 1)
    )
    done = verify("vectors", changed)
    assert 1 == done.returncode
    assert "permutation differs" in done.stderr


def test_verifier_in_another_language_checks_the_deals_of_a_record(tmp_path: Path) -> None:
    seed = bytes(range(32))
    header = "mextrain 1 rules=1 preset=modern seats=2"
    good = f"{header}\ndeal 1 commitment={commitment(seed).hex()} seed={seed.hex()}\n0 draw\n"
    path = tmp_path / "game.mextrain"
    path.write_text(good)
    assert 0 == verify("deal", path).returncode
    path.write_text(good.replace("seed=00", "seed=01"))
    done = verify("deal", path)
    assert (1, "not the one that was committed to") == (done.returncode, done.stderr.strip()[-33:])
