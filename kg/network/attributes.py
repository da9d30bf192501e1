"""The attributes of nodes and edges, as plain values that any writer takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from kg.landscape import find_first_years
from kg.model import MatchKind, Section

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kg.model import Concept, Evidence, KnowledgeGraph, Paper

__all__ = [
    "LANDSCAPE_TYPES",
    "MATCH_NAMES",
    "Attributes",
    "graph_attributes",
    "iter_edges",
    "iter_nodes",
    "iter_results",
]

Attributes: TypeAlias = dict[str, str | int | float | list[str] | list[dict[str, str | int]]]

_MATCHES = {MatchKind.EXACT: "exact_match", MatchKind.CLOSE: "close_match"}
MATCH_NAMES = tuple(_MATCHES.values())
# What the landscape says about nodes, and the type of each in XML.
LANDSCAPE_TYPES = {
    "community": "integer",
    "community_name": "string",
    "centrality": "double",
    "first_year": "integer",
}


def iter_nodes(kg: KnowledgeGraph, *, texts: bool = True) -> Iterator[tuple[str, Attributes]]:
    """Yield the id and the attributes of each node: papers, then concepts, sorted by id.

    Without `texts` papers have no abstract.
    """
    places: dict[str, Attributes] = {
        node: {"community": one.number, "community_name": one.name}
        for one in kg.communities
        for node in (*one.papers, *one.concepts)
    }
    for paper in sorted(kg.papers.values(), key=lambda paper: paper.id):
        own = _paper_attributes(paper)
        if not texts:
            own.pop("abstract", None)
        yield paper.id, own | places.get(paper.id, {})
    first_years = find_first_years(kg)
    matches: dict[str, dict[str, set[str]]] = {}
    for match in kg.matches:
        matches.setdefault(match.concept, {}).setdefault(_MATCHES[match.predicate], set()).add(match.iri)
    for concept in sorted(kg.concepts.values(), key=lambda concept: concept.id):
        found = matches.get(concept.id, {})
        linked: Attributes = {name: sorted(found[name]) for name in MATCH_NAMES if name in found}
        if concept.id in first_years:
            linked["first_year"] = first_years[concept.id]
        if concept.id in kg.centrality:
            linked["centrality"] = kg.centrality[concept.id]
        yield concept.id, _concept_attributes(concept) | linked | places.get(concept.id, {})


def iter_edges(kg: KnowledgeGraph, *, texts: bool = True) -> Iterator[tuple[str, str, str, Attributes]]:
    """Yield subject, object, predicate and attributes of each relation, sorted by id.

    Without `texts` evidence from an abstract has, for its ``sentence``, the ``offset`` at which
    that starts in the abstract and its ``length``.
    """
    for relation in kg.columns:
        evidence = [_evidence_attributes(one, texts=texts) for one in relation.evidence]
        attributes: Attributes = {"score": relation.score, "evidence": evidence}
        if relation.via:
            attributes["via"] = list(relation.via)
        yield relation.subject, relation.object, relation.predicate.value, attributes


def iter_results(kg: KnowledgeGraph, *, texts: bool = True) -> Iterator[dict[str, str | int | float]]:
    """Yield the results that papers report, without what is not known, by paper and place."""
    for one in kg.results:
        row: dict[str, str | int | float | None] = {
            "paper": one.paper,
            "metric": one.metric,
            "metric_text": one.metric_text,
            "value": one.value,
            "unit": one.unit,
            "kind": one.kind.value,
            "direction": one.direction and one.direction.value,
            "better": one.better and one.better.value,
            "baseline_value": one.baseline_value,
            "dataset": one.dataset,
            "method": one.method,
            "baseline": one.baseline,
            "confidence": one.confidence,
        }
        said = _evidence_attributes(one.evidence, texts=texts)
        row |= {
            name: said[name] for name in ("section", "sentence", "offset", "length", "start", "end") if name in said
        }
        yield {name: value for name, value in row.items() if value is not None and value != ""}


def _evidence_attributes(one: Evidence, *, texts: bool) -> dict[str, str | int]:
    """Return what speaks for a relation, in words or by where the words are."""
    where: dict[str, str | int] = {"paper": one.paper, "section": one.section.value}
    if texts or one.section is Section.TITLE:
        where["sentence"] = one.sentence
    else:
        where |= {"offset": one.offset, "length": len(one.sentence)}
    return where | {"start": one.start, "end": one.end, "method": one.method}


def graph_attributes(kg: KnowledgeGraph) -> dict[str, str | int]:
    """Return what is said about the graph as a whole."""
    counts: dict[str, str | int] = {
        "papers": len(kg.papers),
        "concepts": len(kg.concepts),
        "relations": len(kg.relations),
    }
    for name in ("program", "model", "licence"):
        if kg.report.settings.get(name):
            counts[name] = kg.report.settings[name]
    return counts


def _paper_attributes(paper: Paper) -> Attributes:
    """Return the attributes of a paper's node, without those that are not known."""
    attributes: Attributes = {"kind": "Paper", "label": paper.label}
    known: Attributes = {
        "title": paper.title,
        "abstract": paper.abstract,
        "year": paper.year or "",
        "venue": paper.venue,
        "authors": list(paper.authors),
        "doi": paper.doi,
        "url": paper.url,
        "keywords": list(paper.keywords),
    }
    return attributes | {name: value for name, value in known.items() if value}


def _concept_attributes(concept: Concept) -> Attributes:
    """Return the attributes of a concept's node."""
    return {
        "kind": "Concept",
        "type": concept.type.value,
        "label": concept.label,
        "alt_labels": list(concept.alt_labels),
        "papers": concept.papers,
    }
