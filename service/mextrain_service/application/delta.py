"""What a commit changes, worked out once for all who want to know: lists, deadlines, news, bots."""

from __future__ import annotations

from dataclasses import dataclass

from mextrain_service.application.clocks import next_due_ms
from mextrain_service.application.model import HostedGame
from mextrain_service.application.news import brings_news
from mextrain_service.application.own_actions import goes_on


@dataclass(slots=True)
class Delta:
    """A game before and after a commit.

    Attributes:
        before: the game that the change was computed from; None for one that is created.
        after: the game as it is to be stored.
        goes_on: the table has something to do by itself after it.
        due_ms: when the service has to act on the game, as ``clocks.due_ms`` says; None for never.
        brings_news: it may be worth telling to the platform.
    """

    before: HostedGame | None
    after: HostedGame
    goes_on: bool
    due_ms: int | None
    brings_news: bool


def delta(before: HostedGame | None, after: HostedGame) -> Delta:
    """Return what a commit changes."""
    further = goes_on(after)
    due_ms = next_due_ms(after, goes_on=further)
    return Delta(before, after, further, due_ms, brings_news(before, after))
