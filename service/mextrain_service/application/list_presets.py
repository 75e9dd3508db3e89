"""Use case: list the rule sets that have a name."""

from __future__ import annotations

from dataclasses import dataclass

from mextrain_engine import PRESETS, RuleSet
from mextrain_service.application.access import Action, require_allowed
from mextrain_service.application.callers import Caller
from mextrain_service.application.preset_summaries import SUMMARIES


@dataclass(frozen=True, slots=True)
class PresetAnswer:
    """A rule set that has a name.

    Attributes:
        rules: the rules, under their ``name``.
        summary: one or two sentences for someone who has to choose.
    """

    rules: RuleSet
    summary: str


class ListPresets:
    """Lists the presets."""

    def __call__(self, caller: Caller) -> tuple[PresetAnswer, ...]:
        """Return every preset, the default first."""
        require_allowed(caller, Action.READ_RULES)
        return tuple(PresetAnswer(rules, SUMMARIES[rules.name]) for rules in PRESETS.values())
