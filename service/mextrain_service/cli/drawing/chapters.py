"""Rules in words, laid out for a terminal or a pipe."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from mextrain.v1.rule_set_pb2 import RuleChapter
from rich.console import Console
from rich.text import Text

from mextrain_engine.rulebook import Chapter


def print_chapters(console: Console, chapters: Iterable[Chapter | RuleChapter]) -> None:
    """Print each chapter as a heading and a list of sentences, no line wider than the console."""
    for chapter in chapters:
        console.print()
        console.print(Text(chapter.title, "bold"))
        for sentence in chapter.sentences:
            console.print(Text(_item(sentence.text, console.width)))


def _item(text: str, width: int) -> str:
    return textwrap.fill(text, width - 1, initial_indent="  · ", subsequent_indent="    ")
