"""Write ``docs/errors.md``: every error that a caller can get, from the table and the contract."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from mextrain_service.rpc.error_status import CODE_OF_REASON, PREFIX

ROOT = Path(__file__).resolve().parent.parent
CONTRACT = ROOT / "proto/mextrain/v1/error_reason.proto"
PAGE = ROOT / "docs/errors.md"

_DOCUMENTED = re.compile(rf"((?:^  //.*\n)+)^  {PREFIX}(\w+) = [1-9]\d*;", re.MULTILINE)

HTTP = {
    "ABORTED": 409,
    "ALREADY_EXISTS": 409,
    "DATA_LOSS": 500,
    "DEADLINE_EXCEEDED": 504,
    "FAILED_PRECONDITION": 400,
    "INTERNAL": 500,
    "INVALID_ARGUMENT": 400,
    "NOT_FOUND": 404,
    "PERMISSION_DENIED": 403,
    "RESOURCE_EXHAUSTED": 429,
    "UNAUTHENTICATED": 401,
    "UNAVAILABLE": 503,
    "UNIMPLEMENTED": 501,
}
"""The HTTP status of each code."""

HEAD = """\
# Errors

Generated from the error table and the contract by `make docs-errors`; do not edit.

Every error is a `google.rpc.Status`: over gRPC in the trailing metadata `grpc-status-details-bin`,
over REST as the JSON body. Its first detail is a `google.rpc.ErrorInfo` with the domain `mextrain`,
the reason of this table, and the facts as `metadata`, all of them text. A failed call has changed
nothing, except that after `STORE_UNAVAILABLE`, `DEADLINE_EXCEEDED` or a lost connection a write may
have happened; retry it with the same `request_id` to find out.

A status may also carry:

- `google.rpc.BadRequest` with `FIELD_INVALID`, `TILE_MALFORMED`, `MOVE_MALFORMED` and
  `RULE_SET_INVALID`: all violations (the first 20), each with the field, a machine-readable
  `reason` and a sentence.
- `google.rpc.RetryInfo` where the same call may succeed later: how long to wait.
- `mextrain.v1.View` with `STALE_VERSION`: the table now, as the caller may see it.

| reason | code | HTTP | meaning | facts |
|---|---|---|---|---|
"""


def page() -> str:
    """Return the whole page."""
    comments = dict(contract_comments(CONTRACT.read_text(encoding="utf-8")))
    return HEAD + "".join(
        _row(reason, code, comments[reason]) for reason, code in CODE_OF_REASON.items()
    )


def contract_comments(text: str) -> Iterator[tuple[str, str]]:
    """Yield each reason of the contract with its comment, as one paragraph a line."""
    for comment, reason in _DOCUMENTED.findall(text):
        lines = [line.removeprefix("  //").strip() for line in comment.splitlines()]
        paragraphs = "\n".join(lines).split("\n\n")
        yield reason, "\n".join(part.replace("\n", " ") for part in paragraphs)


def _row(reason: str, code: str, comment: str) -> str:
    meaning, _, example = comment.partition("\nExample: ")
    told = meaning.replace(f" {code}.", "").strip()
    facts = "" if example == "{}" else f"`{example}`"
    cells = (f"`{reason}`", code, str(HTTP[code]), told, facts)
    return f"| {' | '.join(cells)} |\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
