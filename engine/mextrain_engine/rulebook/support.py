"""Which values of an option this version plays.

Asks ``validation``; keeps no list of its own.
"""

from __future__ import annotations

from mextrain_engine.errors import RuleSetError
from mextrain_engine.ruleset import RuleSet
from mextrain_engine.validation import check

_REFUSED = {"NOT_SUPPORTED"}
_WORDS = {"true": True, "false": False}


def is_played(option: str, value: str) -> bool:
    """Tell whether an option may have a value, as a table of options writes it.

    A text that only stands for numbers counts as played.

    >>> is_played("hub_rule", "descending"), is_played("tie_break", "extra_round")
    (True, False)
    """
    try:
        rules = RuleSet().override(**{option: _WORDS.get(value, value)})
    except RuleSetError:
        return True
    return not any(
        problem.code in _REFUSED and option in problem.options for problem in check(rules)
    )
