"""The rules in plain words: every sentence with an id, its sources and the option that governs it.

Knows what the rules say; how they are enforced is in ``legal``, ``deal``, ``turn`` and ``scoring``.
"""

from mextrain_engine.rulebook.describe import Chapter, Sentence, describe
from mextrain_engine.rulebook.model import Rule, Section
from mextrain_engine.rulebook.sections import RULES, SECTIONS, rule

__all__ = ["RULES", "SECTIONS", "Chapter", "Rule", "Section", "Sentence", "describe", "rule"]
