"""Use case: list the rule sets that have a name."""

from __future__ import annotations

from mextrain_engine import PRESETS, RuleSet
from mextrain_service.application.access import Action, require_allowed
from mextrain_service.application.callers import Caller


class ListPresets:
    """Lists the presets."""

    def __call__(self, caller: Caller) -> tuple[RuleSet, ...]:
        """Return every preset, the default first, each under its ``name``."""
        require_allowed(caller, Action.READ_RULES)
        return tuple(PRESETS.values())
