"""Vocabularies of others, their terms, and which terms mean what a concept means."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.errors import GraphError, InputError
from kg.model.terms import MatchKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kg.model.terms import ConceptType

__all__ = ["Term", "Vocabulary", "VocabularyMatch", "check_matches"]

_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?:%[0-9A-Fa-f]{2}|[^\x00-\x20<>\"{}|\\^`%\x7f-\x9f\ud800-\udfff])+")
_JUSTIFICATION = re.compile(r"semapv:[A-Z]\w+")


@dataclass(frozen=True, slots=True)
class Term:
    """A term of a vocabulary: its IRI, what it is called, and its type where the vocabulary says one."""

    iri: str
    labels: tuple[str, ...]  # preferred ones, the first of which is shown
    other_labels: tuple[str, ...] = ()
    type: ConceptType | None = None

    def __post_init__(self) -> None:
        if not _IRI.fullmatch(self.iri):
            raise InputError(f"{self.iri!r} is no absolute IRI")
        if not self.labels or not all(label.strip() for label in (*self.labels, *self.other_labels)):
            raise InputError(f"term {self.iri!r} has no label, or a blank one")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The terms of a file, by IRI, and what tells the file from others."""

    name: str  # of the file, without its folder
    digest: str  # SHA-256 of the file in hex digits
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True, order=True)
class VocabularyMatch:
    """A term of a vocabulary that means what a concept means, and why that is so.

    The fields are those of a mapping in SSSOM, where the concept is the subject and the term
    is the object.
    """

    concept: str  # node id
    predicate: MatchKind
    iri: str  # of the term
    label: str  # of the term
    source: str  # name of the vocabulary
    name: str  # of the concept, which the term has too
    name_field: str  # which label of the concept that is, such as "skos:prefLabel"
    label_field: str  # which label of the term that is
    confidence: float
    justification: str = "semapv:LexicalMatching"
    comment: str = ""  # why it is no exact match

    def __post_init__(self) -> None:
        pair = f"match of {self.concept!r} with {self.iri!r}"
        if self.predicate not in list(MatchKind):
            raise GraphError(f"{pair} is {self.predicate!r}, which is none of {', '.join(MatchKind)}")
        if not _IRI.fullmatch(self.iri):
            raise GraphError(f"{pair} leads to no absolute IRI")
        if not 0 <= self.confidence <= 1:
            raise GraphError(f"{pair} has the confidence {self.confidence!r}, which is not in [0, 1]")
        if not _JUSTIFICATION.fullmatch(self.justification):
            raise GraphError(f"{pair} has the justification {self.justification!r}, which is no term of semapv")


def check_matches(matches: Iterable[VocabularyMatch], concepts: Mapping[str, object]) -> None:
    """Refuse matches of other concepts, two of one pair, and exact ones that would make two things one.

    Exact matches are symmetric and transitive, so a term has at most one, and a concept at most
    one in each vocabulary.

    Raises
    ------
    GraphError
        At the first that is wrong.
    """
    seen: set[tuple[str, ...]] = set()
    for match in matches:
        if match.concept not in concepts:
            raise GraphError(f"{match.iri!r} is matched with {match.concept!r}, which is not in the graph")
        keys: list[tuple[str, ...]] = [("pair", match.concept, match.iri)]
        if match.predicate is MatchKind.EXACT:
            keys += [("concept", match.concept, match.source), ("term", match.iri)]
        for key in keys:
            if key in seen:
                raise GraphError(f"{' '.join(key)} has two matches where there may be one")
            seen.add(key)
