"""Words that were retired stay out: the field's term stands in their place, in every source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project.tree import ROOT

RETIRED = {
    "Alarm": "Timer",
    "AskMeter": "ChannelRequestMeter",
    "Asked": "PendingRequest",
    "ChannelAnswer": "ChannelResponse",
    "ChannelAsk": "ChannelRequest",
    "Complaint": "CliError",
    "Door": "Dispatcher",
    "Doors": "RequestChecks",
    "FollowedGame": "LiveGame",
    "Followers": "LiveGames",
    "FrontFailedError": "ChildFailedError",
    "GameChanger": "Transactions",
    "Interceptor": "a function that the pipeline calls",
    "LogMark": "LogPosition",
    "MovesMade": "MovesPlayed",
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
    "mextrain_ask_seconds": "mextrain_channel_request_seconds",
}
"""The term for each word that is no name any more."""

PHRASES = (
    "are told",
    "be it",
    "come back later",
    "is none that",
    "is not good",
    "is told",
    "its end means",
    "lest",
    "name of no",
    "name of the game",
    "no longer good",
    "of which none",
    "that is none",
    "that which",
    "the store went back in time",
    "there is no such",
    "was told",
    "were told",
    "what that",
    "whoever",
    "whomever",
)
"""Phrases that readers would have to translate."""

_PHRASE = re.compile(rf"\b({'|'.join(map(re.escape, PHRASES))})\b", re.IGNORECASE)

_LEFT_OUT = ("docs/adr/", "docs/rules.md", "docs/performance.md", "docs/capacity.md")


def _sources() -> Iterator[Path]:
    for folder in ("benchmarks", "engine", "sdk", "service", "tests", "tools"):
        for path in (ROOT / folder).rglob("*.py"):
            if path != Path(__file__) and "node_modules" not in path.parts:
                yield path


def _read_outside() -> Iterator[Path]:
    """Yield what readers outside see: contract, documents, texts of the page."""
    for pattern in (
        "proto/mextrain/**/*.proto",
        "docs/*.md",
        "*.md",
        "k8s/*.md",
        "deploy/*/README.md",
        "web/src/i18n/en/*.ts",
    ):
        for path in ROOT.glob(pattern):
            name = str(path.relative_to(ROOT))
            if name != "CHANGELOG.md" and not name.startswith(_LEFT_OUT):
                yield path


@pytest.mark.parametrize("word", RETIRED)
def test_retired_word_is_no_name_in_any_source(word: str) -> None:
    name = re.compile(rf"\b{word}\b(?!\s+[a-z])")
    found = [str(path.relative_to(ROOT)) for path in _sources() if name.search(path.read_text())]
    assert [] == found, f"say {RETIRED[word]}"


def test_no_text_for_readers_outside_has_a_phrase_to_translate() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {match[0]}"
        for path in _read_outside()
        for number, line in enumerate(path.read_text().splitlines(), 1)
        for match in _PHRASE.finditer(re.sub(r"`[^`]*`", "", line))
    ]
    assert [] == found
