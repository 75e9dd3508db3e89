"""Write the vectors of the fair deal from the engine: ``python -m tests.fairness.vectors``.

They are a contract: run it for new vectors only, never to make a test pass.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from mextrain_engine import commitment, permutation, round_seed

FOLDER = Path(__file__).parent.parent / "data" / "fairness"
ENTROPIES: tuple[tuple[bytes, ...], ...] = ((), (b"a",), (b"", bytes(range(64)), b"\xff"))


def vectors(size: int) -> list[dict[str, object]]:
    """Return vectors for one size of set: several secrets, rounds and entropies."""
    found: list[dict[str, object]] = []
    for n in range(3):
        secret = hashlib.sha256(b"vector %d %d" % (size, n)).digest()
        for number, entropy in zip((1, 2, 13), ENTROPIES, strict=True):
            seed = round_seed(secret, number)
            found.append(
                {
                    "secret": secret.hex(),
                    "round": number,
                    "size": size,
                    "entropy": [part.hex() for part in entropy],
                    "seed": seed.hex(),
                    "commitment": commitment(seed).hex(),
                    "permutation": list(permutation(seed, size, entropy)),
                }
            )
    return found


def main() -> None:
    """Write one file for each size of set."""
    for size in (28, 55, 91, 136, 190):
        lines = ",\n".join(json.dumps(vector) for vector in vectors(size))
        text = f'{{"vectors": [\n{lines}\n]}}\n'
        (FOLDER / f"double_set_of_{size}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
