"""What the source documents say and what was decided where they leave a question: data."""

from collections.abc import Mapping
from types import MappingProxyType

from mextrain_engine.rulebook.sources import (
    corner_cases_doubles,
    corner_cases_ending,
    corner_cases_opening,
    ehow,
    masters,
    thoughtco,
    wikihow,
)
from mextrain_engine.rulebook.sources.decisions import DECISIONS
from mextrain_engine.rulebook.sources.model import CornerCase, Decision, Document, SourceSentence
from mextrain_engine.rulebook.sources.traditions import TRADITIONS

DOCUMENTS: tuple[Document, ...] = (
    thoughtco.DOCUMENT,
    masters.DOCUMENT,
    wikihow.DOCUMENT,
    ehow.DOCUMENT,
)
"""The four source documents."""

CORNER_CASES: tuple[CornerCase, ...] = (
    *corner_cases_opening.CASES,
    *corner_cases_doubles.CASES,
    *corner_cases_ending.CASES,
)
"""The 48 corner cases, in order."""

SENTENCES: Mapping[str, SourceSentence] = MappingProxyType(
    {sentence.id: sentence for document in DOCUMENTS for sentence in document.sentences}
)
"""Every source sentence by its id."""

KNOWN_REFERENCES: frozenset[str] = frozenset(
    (
        *SENTENCES,
        *(case.id for case in CORNER_CASES),
        *(decision.id for decision in DECISIONS),
        *TRADITIONS,
    )
)
"""Everything that a rule may name as its source."""

__all__ = [
    "CORNER_CASES",
    "DECISIONS",
    "DOCUMENTS",
    "KNOWN_REFERENCES",
    "SENTENCES",
    "TRADITIONS",
    "CornerCase",
    "Decision",
    "Document",
    "SourceSentence",
]
