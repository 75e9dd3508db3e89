"""Use case: say in plain words what a rule set means."""

from __future__ import annotations

from dataclasses import dataclass

from mextrain_engine import RuleSet, RuleSetError, check, check_seats
from mextrain_engine.rulebook import Chapter, describe
from mextrain_service.application.access import Action, require_allowed
from mextrain_service.application.callers import Caller
from mextrain_service.application.chosen_rules import RulesChoice, chosen_rules


@dataclass(frozen=True, slots=True)
class RulesAnswer:
    """Rules in plain words.

    Attributes:
        rules: the rule set that is explained.
        chapters: the explanation, in the order in which a table needs it.
    """

    rules: RuleSet
    chapters: tuple[Chapter, ...]


class ExplainRules:
    """Explains rules that can be played, and says why others cannot."""

    def __call__(
        self, caller: Caller, choice: RulesChoice, players: int | None = None
    ) -> RulesAnswer:
        """Return the explanation.

        Args:
            caller: who asks.
            choice: which rules.
            players: for how many, 2 to 14; None for every count that the rules allow.

        Raises:
            Refused: ``PRESET_NOT_FOUND``, there is no such preset.
            RuleSetError: the rules cannot be played, with every reason.
        """
        require_allowed(caller, Action.READ_RULES)
        rules = chosen_rules(choice)
        problems = check(rules) if players is None else check_seats(rules, players)
        if problems:
            raise RuleSetError(problems)
        return RulesAnswer(rules, describe(rules, players))
