"""A stretch of a passage that may name a concept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kg.extract.words import get_text

if TYPE_CHECKING:
    from collections.abc import Mapping

    from spacy.tokens import Doc

    from kg.extract.words import Word
    from kg.model import ConceptType

__all__ = ["Candidate", "is_capitalised", "to_candidate"]

_SMALL = frozenset({"and", "for", "from", "in", "of", "on", "the", "to", "with"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """Words ``[first, last)`` of a passage that may name a concept."""

    first: int
    last: int
    start: int  # in characters of the passage
    end: int
    surface: str  # as it would stand inside a sentence
    source: str  # "acronym", "name", "coined", "model" or "chunk"
    type: ConceptType | None = None  # where the words around or the curated list say so
    head: int = 0  # token that stands for it in the parse
    determiner: str = ""  # what was cut off the front, in lower case
    inside: float = 0.0  # how likely its tokens are in names, to a trained recogniser, on average
    whole: float = 0.0  # how likely no name reaches beyond it, to a trained recogniser
    kinds: Mapping[ConceptType, float] = field(default_factory=dict)  # how likely it is of each type, to it
    outer: str = ""  # the surface of a longer candidate that it is a part of


def to_candidate(
    doc: Doc, words: list[Word], span: tuple[int, int], source: str, kind: ConceptType | None = None
) -> Candidate:
    """Return the candidate of the words of a span."""
    first, last = span
    start, end = words[first].start, words[last - 1].end
    tokens = doc[words[first].first : words[last - 1].last]
    return Candidate(first, last, start, end, get_text(doc)[start:end], source, kind, tokens.root.i)


def is_capitalised(surface: str) -> bool:
    """Return whether all of several words but small ones begin with a capital."""
    big = [word for word in surface.split() if word not in _SMALL]
    return len(big) > 1 and all(word[0].isupper() for word in big)
