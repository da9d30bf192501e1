"""Which papers to read together, and the sentences that say why."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from kg.describe.text import cite, count, wrap
from kg.errors import GraphError
from kg.model import Predicate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from kg.model import Evidence, KnowledgeGraph, Relation

__all__ = ["RelatedPaper", "SharedConcept", "find_related", "find_shared", "format_related", "to_quote"]


@dataclass(frozen=True, slots=True)
class SharedConcept:
    """A concept that joins two papers, with a sentence of each that has it."""

    concept: str  # node id
    here: Evidence
    there: Evidence


@dataclass(frozen=True, slots=True)
class RelatedPaper:
    """A paper that is related to another, and what the two share."""

    paper: str  # node id
    score: float
    shared: tuple[SharedConcept, ...]  # the most telling first


def find_related(kg: KnowledgeGraph, paper: str, *, limit: int | None = None) -> list[RelatedPaper]:
    """Return the papers that are related to a paper, nearest first, then by id.

    Parameters
    ----------
    kg : KnowledgeGraph
    paper : str
        Its node id; `find_nodes` finds it by title.
    limit : int, optional
        How many are returned at most.

    Raises
    ------
    GraphError
        If there is no such paper.
    """
    if paper not in kg.papers:
        raise GraphError(f"there is no paper {paper!r}; give the id of a paper, such as {next(iter(kg.papers), '')!r}")
    relations = kg.columns
    near = {
        (one.object if one.subject == paper else one.subject): one
        for one in [*relations.leaving(paper), *relations.reaching(paper)]
        if one.predicate is Predicate.RELATED_TO
    }
    best = sorted(near, key=lambda other: (-near[other].score, other))[:limit]
    found = _find_evidence(kg, {paper, *best})
    return [RelatedPaper(one, near[one].score, _pair_up(near[one], paper, one, found)) for one in best]


def find_shared(kg: KnowledgeGraph, relation: Relation, *, here: str) -> tuple[SharedConcept, ...]:
    """Return what joins two related papers, seen from one of them, the most telling first."""
    there = relation.object if relation.subject == here else relation.subject
    return _pair_up(relation, here, there, _find_evidence(kg, {here, there}))


def format_related(kg: KnowledgeGraph, paper: str, related: Sequence[RelatedPaper], *, as_json: bool = False) -> str:
    """Return related papers as text for a person, or as JSON, which ends with a line break too."""
    if as_json:
        shown = {**_to_name(kg, paper), "related": [_to_json(kg, one) for one in related]}
        return json.dumps(shown, ensure_ascii=False, indent=2) + "\n"
    return "\n".join(_iter_lines(kg, paper, related)) + "\n"


def to_quote(evidence: Evidence) -> dict[str, Any]:
    """Return a sentence, and where the name stands in it, with the keys of ``graph.json``."""
    return {"paper": evidence.paper, "sentence": evidence.sentence, "start": evidence.start, "end": evidence.end}


def _find_evidence(kg: KnowledgeGraph, papers: set[str]) -> dict[tuple[str, str], Evidence]:
    """Return a sentence for each concept of some papers."""
    found: dict[tuple[str, str], Evidence] = {}
    relations = kg.columns
    for paper in papers:
        for one in relations.leaving(paper):
            if one.object in kg.concepts:
                found.setdefault((paper, one.object), one.evidence[0])
    return found


def _pair_up(
    relation: Relation, here: str, there: str, found: Mapping[tuple[str, str], Evidence]
) -> tuple[SharedConcept, ...]:
    """Return the concepts that join two papers, with a sentence of each."""
    return tuple(
        SharedConcept(concept, found[here, concept], found[there, concept])
        for concept in relation.via
        if (here, concept) in found and (there, concept) in found
    )


def _iter_lines(kg: KnowledgeGraph, paper: str, related: Sequence[RelatedPaper]) -> Iterator[str]:
    """Yield the lines about related papers."""
    yield from wrap(cite(kg.papers[paper]))
    for one in related:
        yield ""
        yield from wrap(f"{one.score:.2f}  {cite(kg.papers[one.paper])}", "", "      ")
        for shared in one.shared:
            concept = kg.concepts[shared.concept]
            yield from wrap(f"both: {concept.label} ({concept.type}, in {count(concept.papers, 'paper')})", "      ")
            yield from wrap(f"here: “{shared.here.sentence}”", "        ")
            yield from wrap(f"there: “{shared.there.sentence}”", "        ")


def _to_name(kg: KnowledgeGraph, paper: str) -> dict[str, Any]:
    """Return what a paper is known by."""
    return {"paper": paper, "label": kg.papers[paper].label, "year": kg.papers[paper].year}


def _to_json(kg: KnowledgeGraph, related: RelatedPaper) -> dict[str, Any]:
    """Return a related paper as JSON has it."""
    shared = [
        {
            "concept": one.concept,
            "label": kg.concepts[one.concept].label,
            "type": kg.concepts[one.concept].type.value,
            "papers": kg.concepts[one.concept].papers,
            "here": to_quote(one.here),
            "there": to_quote(one.there),
        }
        for one in related.shared
    ]
    return {**_to_name(kg, related.paper), "score": related.score, "shared": shared}
