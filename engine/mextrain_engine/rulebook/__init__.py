"""The rules in plain words: each sentence with its id and the options that govern it."""

from mextrain_engine.rulebook.describe import Chapter, Sentence, describe
from mextrain_engine.rulebook.model import Rule, Section
from mextrain_engine.rulebook.sections import RULES, SECTIONS

__all__ = ["RULES", "SECTIONS", "Chapter", "Rule", "Section", "Sentence", "describe"]
