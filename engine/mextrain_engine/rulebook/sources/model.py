"""What a sentence of a source, a corner case and a decision are."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """One sentence of a source document, in English.

    Attributes:
        id: the document and the number, like ``1A.10``.
        lines: where it stands in the document, like ``L21``; empty when it is only known from
            the original of the document.
        text: what it says.
        certainty: ``stated``, ``recovered`` from the original, ``inferred`` or ``unresolved``;
            several with a slash.
    """

    id: str
    lines: str
    text: str
    certainty: str


@dataclass(frozen=True, slots=True)
class Document:
    """A source document.

    Attributes:
        id: ``1A`` to ``1D``.
        tradition: the tag of its tradition, as in the option table.
        title: what it is.
        preset: the preset that plays it.
        sentences: all that it says, in its order.
    """

    id: str
    tradition: str
    title: str
    preset: str
    sentences: tuple[SourceSentence, ...]


@dataclass(frozen=True, slots=True)
class CornerCase:
    """A question that the sources leave to the engine.

    Attributes:
        id: ``C1`` to ``C48``.
        question: what has to be decided.
        said: who says what about it; may be empty.
        decision: what this engine does.
    """

    id: str
    question: str
    said: str
    decision: str


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision on what the corner cases leave open.

    Attributes:
        id: ``D1`` to ``D10``.
        text: what was decided.
    """

    id: str
    text: str


_CERTAINTY = {"S": "stated", "O": "recovered", "I": "inferred", "?": "unresolved"}


def said(sentence_id: str, lines: str, text: str, marks: str) -> SourceSentence:
    """Return a sentence; ``marks`` is S, O, I or ?, several with a slash."""
    certainty = "/".join(_CERTAINTY[mark] for mark in marks.split("/"))
    return SourceSentence(sentence_id, lines, text, certainty)
