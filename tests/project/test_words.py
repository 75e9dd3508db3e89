"""Words that were retired stay out: the field's term stands in their place, in every source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project.tree import ROOT

RETIRED = {
    "Alarm": "Timer",
    "Asked": "PendingRequest",
    "Complaint": "CliError",
    "Door": "Dispatcher",
    "FollowedGame": "LiveGame",
    "Followers": "LiveGames",
    "FrontFailedError": "ChildFailedError",
    "GameChanger": "Transactions",
    "Interceptor": "a function that the pipeline calls",
    "LogMark": "LogPosition",
    "NewsPromise": "OutboxEntry",
    "Notices": "ChangeNotifier",
    "OpenMethod": "BoundMethod",
    "OperatorClient": "MextrainClient",
    "Outbox": "SendQueue",
    "Outside": "Dependencies",
    "Place": "WorkerOptions",
    "PromiseKeeper": "OutboxRelay",
    "ReadingClient": "MextrainClient",
    "RequestMark": "IdempotencyKey",
    "SystemEntropy": "secrets.token_bytes",
    "Teller": "FanOut",
    "WorkerFailedError": "ChildFailedError",
    "end_with_parent": "ChildProcess",
    "exec_with_parent": "pdeathsig_exec",
}
"""The term for each word that is no name any more."""


def _sources() -> Iterator[Path]:
    for folder in ("benchmarks", "engine", "sdk", "service", "tests", "tools"):
        for path in (ROOT / folder).rglob("*.py"):
            if path != Path(__file__) and "node_modules" not in path.parts:
                yield path


@pytest.mark.parametrize("word", RETIRED)
def test_retired_word_is_no_name_in_any_source(word: str) -> None:
    name = re.compile(rf"\b{word}\b(?!\s+[a-z])")
    found = [str(path.relative_to(ROOT)) for path in _sources() if name.search(path.read_text())]
    assert [] == found, f"say {RETIRED[word]}"
