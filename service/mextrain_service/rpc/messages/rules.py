"""Rule sets and their explanation, as messages."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from mextrain.v1 import rule_set_pb2 as pb

from mextrain_engine import MIN_SEATS, RuleSet
from mextrain_engine.rulebook import RULES, Chapter
from mextrain_service.application.explain_rules import RulesAnswer
from mextrain_service.application.list_presets import PresetAnswer
from mextrain_service.rpc.messages.option_fields import OPTION_FIELDS


@lru_cache(maxsize=256)
def rule_set_message(rules: RuleSet) -> pb.RuleSet:
    """Return a rule set with every option filled in; shared, so change nothing in it."""
    message = pb.RuleSet(name=rules.name)
    for option in OPTION_FIELDS:
        value = getattr(rules, option.name)
        if option.by_players:
            getattr(message, option.name).extend(_steps(value))
        elif option.pair is not None:
            setattr(message, option.name, option.pair.wire[value])
        elif value is not None:
            setattr(message, option.name, value)
    return message


def preset_message(preset: PresetAnswer) -> pb.Preset:
    """Return a preset."""
    return pb.Preset(
        name=preset.rules.name,
        summary=preset.summary,
        rules=rule_set_message(preset.rules),
    )


def chapter_messages(answer: RulesAnswer) -> list[pb.RuleChapter]:
    """Return the explanation, chapter by chapter."""
    return [_chapter(chapter) for chapter in answer.chapters]


def _chapter(chapter: Chapter) -> pb.RuleChapter:
    return pb.RuleChapter(
        chapter_id=chapter.id,
        title=chapter.title,
        sentences=[
            pb.RuleSentence(
                rule_id=sentence.id, text=sentence.text, options=RULES[sentence.id].options
            )
            for sentence in chapter.sentences
        ],
    )


def _steps(table: tuple[int, ...]) -> Iterator[pb.PlayerStep]:
    """Yield the runs of equal numbers; counts of players with none are left out."""
    numbered = enumerate(table, start=MIN_SEATS)
    for value, run in groupby(numbered, key=lambda entry: entry[1]):
        players = [count for count, _ in run]
        if value:
            yield pb.PlayerStep(min_players=players[0], max_players=players[-1], value=value)
