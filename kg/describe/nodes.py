"""What a graph knows about a node."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from kg.describe.headings import IN, MATCHED, OF_CONCEPT, OF_PAPER, OUT
from kg.describe.names import describe_names
from kg.describe.results import describe_results
from kg.describe.text import cite, clip, count, quote, wrap
from kg.errors import GraphError
from kg.model import Predicate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kg.model import Concept, KnowledgeGraph, Paper, Relation

__all__ = ["describe"]


def describe(kg: KnowledgeGraph, node: str) -> str:
    """Return all that a graph knows about a paper or a concept, with the sentences.

    Raises
    ------
    GraphError
        If there is no such node.
    """
    if node in kg.concepts:
        lines = _describe_concept(kg, kg.concepts[node])
    elif node in kg.papers:
        lines = _describe_paper(kg, kg.papers[node])
    else:
        raise GraphError(f"there is no node {node!r}; give the id of a paper or a concept")
    return "\n".join(lines) + "\n"


def _describe_concept(kg: KnowledgeGraph, concept: Concept) -> Iterator[str]:
    """Yield the lines about a concept."""
    yield from wrap(f"{concept.label} ({concept.type})")
    yield from wrap(concept.id, "  ")
    if concept.alt_labels:
        yield from wrap(f"also called: {'; '.join(concept.alt_labels)}", "  ")
    yield f"  in {count(concept.papers, 'paper')}"
    for match in kg.matches:
        if match.concept == concept.id:
            yield from wrap(f"{MATCHED[match.predicate]}: {match.label} <{match.iri}> in {match.source}", "  ", "    ")
    relations = kg.columns
    leaving, reaching = relations.leaving(concept.id), relations.reaching(concept.id)
    for heading, found in _group(OF_CONCEPT, [*leaving, *reaching]):
        yield from ("", f"{heading}:")
        for relation in sorted(found, key=lambda one: _paper_order(kg.papers[one.subject])):
            yield from wrap(cite(kg.papers[relation.subject]), "  ")
            yield from quote(relation.evidence[0])
    outward = [(relation, relation.object) for relation in leaving]
    yield from _describe_relations(kg, OUT, outward)
    inward = [(relation, relation.subject) for relation in reaching]
    yield from _describe_relations(kg, IN, inward)
    yield from describe_results(kg, concept.id)
    yield from describe_names(kg, concept)


def _describe_relations(
    kg: KnowledgeGraph, headings: Mapping[Predicate, str], relations: list[tuple[Relation, str]]
) -> Iterator[str]:
    """Yield the lines about relations between concepts, each given with its other end."""
    others = {relation: other for relation, other in relations if other in kg.concepts}
    for heading, found in _group(headings, others):
        yield from ("", f"{heading}:")
        for relation in sorted(found, key=lambda one: (-one.support, others[one])):
            other = kg.concepts[others[relation]]
            yield from wrap(f"{other.label} ({other.type})", "  ")
            yield from quote(relation.evidence[0])


def _describe_paper(kg: KnowledgeGraph, paper: Paper) -> Iterator[str]:
    """Yield the lines about a paper."""
    yield from wrap(paper.label)
    yield from wrap(paper.id, "  ")
    if facts := ", ".join([*paper.authors, paper.venue, str(paper.year or "")]).strip(", "):
        yield from wrap(facts, "  ")
    yield from (line for text in (paper.url, paper.doi and f"doi:{paper.doi}") if text for line in wrap(text, "  "))
    relations = kg.columns
    own = relations.leaving(paper.id)
    for heading, found in _group(OF_PAPER, own):
        yield from ("", f"{heading}:")
        for relation in sorted(found, key=lambda one: kg.concepts[one.object].label.casefold()):
            concept = kg.concepts[relation.object]
            yield from wrap(f"{concept.label} ({concept.type}): {clip(relation.evidence[0])}", "  ", "      ")
    yield from describe_results(kg, paper.id)
    related = [one for one in [*own, *relations.reaching(paper.id)] if one.predicate is Predicate.RELATED_TO]
    if related:
        yield from ("", "related papers, by what they share:")
    for relation in sorted(related, key=lambda one: (-one.score, one.subject, one.object)):
        other = relation.object if relation.subject == paper.id else relation.subject
        yield from wrap(f"{cite(kg.papers[other])}, {relation.score:.2f}", "  ")
        labels = (kg.concepts[one].label for one in relation.via if one in kg.concepts)
        yield from wrap("; ".join(labels), "    ")


def _group(headings: Mapping[Predicate, str], relations: Iterable[Relation]) -> Iterator[tuple[str, list[Relation]]]:
    """Yield the relations under each heading, in the order of the headings."""
    groups: dict[str, list[Relation]] = defaultdict(list)
    for relation in relations:
        if relation.predicate in headings:
            groups[headings[relation.predicate]].append(relation)
    yield from ((heading, groups[heading]) for heading in dict.fromkeys(headings.values()) if heading in groups)


def _paper_order(paper: Paper) -> tuple[int, str, str]:
    """Return a key that puts the newest paper first, and one without year last."""
    return -(paper.year or 0), paper.label.casefold(), paper.id
