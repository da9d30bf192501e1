"""What the page is given: the graph as compact rows, by number instead of by name.

Nodes are numbered, papers first, each by id. A sentence is not repeated: it is a stretch
of its paper's title or abstract. A very large graph is drawn in part, the best-connected
nodes first; the rows hold all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.errors import GraphError
from kg.model import ConceptType, Predicate, Section
from kg.view.layout import lay_out

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kg.model import Concept, Evidence, KnowledgeGraph, Paper, Relation

__all__ = ["MAX_CONCEPTS", "MAX_PAPERS", "to_records"]

MAX_PAPERS = 2_000  # more dots than these tell a reader nothing
MAX_CONCEPTS = 3_000

_TYPES = list(ConceptType)
_PREDICATES = list(Predicate)
_SECTIONS = list(Section)


def to_records(kg: KnowledgeGraph, *, focus: str | None = None) -> dict[str, object]:
    """Return the graph as rows that JSON can hold.

    ``papers`` are rows of id, label, title, abstract, year, venue, authors, DOI and URL;
    ``concepts`` of id, label, type, alt labels and number of papers; ``relations`` of
    subject, predicate, object, score, evidence and the concepts that join two papers;
    ``evidence`` of paper, section, offset and length of the sentence, start and end of the
    name in it, method and score; ``communities`` of name and nodes; ``drawn`` of node, x and y.
    Nodes, types, predicates, sections, methods and evidence are numbers: places in the lists of
    those names.

    Raises
    ------
    GraphError
        If `focus` is not in the graph.
    """
    if focus is not None and focus not in kg.papers and focus not in kg.concepts:
        raise GraphError(f"no node {focus!r} in the graph; give the id of one of its papers or concepts")
    ids = sorted(kg.papers) + sorted(kg.concepts)
    number = {node: at for at, node in enumerate(ids)}
    relations = sorted(kg.relations, key=lambda one: (number[one.subject], one.predicate, number[one.object]))
    evidence = sorted({one for relation in relations for one in relation.evidence})
    methods = sorted({one.method for one in evidence})
    place = {one: at for at, one in enumerate(evidence)}
    method = {one: at for at, one in enumerate(methods)}
    return {
        "types": _TYPES,
        "predicates": _PREDICATES,
        "sections": _SECTIONS,
        "methods": methods,
        "papers": [_paper_row(kg.papers[node]) for node in sorted(kg.papers)],
        "concepts": [_concept_row(kg.concepts[node]) for node in sorted(kg.concepts)],
        "relations": [_relation_row(one, number, place) for one in relations],
        "evidence": [_evidence_row(one, number, method[one.method]) for one in evidence],
        "communities": [[one.name, [number[node] for node in (*one.papers, *one.concepts)]] for one in kg.communities],
        "drawn": _draw(kg, relations, number, focus),
        "focus": -1 if focus is None else number[focus],
    }


def _paper_row(paper: Paper) -> list[object]:
    """Return a paper as a row."""
    title = "" if paper.title == paper.label else paper.title
    whence = [paper.year, paper.venue, paper.authors, paper.doi, paper.url]
    return [paper.id, paper.label, title, paper.abstract, *whence]


def _concept_row(concept: Concept) -> list[object]:
    """Return a concept as a row."""
    return [concept.id, concept.label, _TYPES.index(concept.type), concept.alt_labels, concept.papers]


def _relation_row(relation: Relation, number: Mapping[str, int], place: Mapping[Evidence, int]) -> list[object]:
    """Return a relation as a row; what joins two papers stands there only if anything does."""
    ends = [number[relation.subject], _PREDICATES.index(relation.predicate), number[relation.object]]
    row = [*ends, round(relation.score, 3), sorted({place[one] for one in relation.evidence})]
    via = [number[concept] for concept in relation.via if concept in number]
    return [*row, via] if via else row


def _evidence_row(one: Evidence, number: Mapping[str, int], method: int) -> list[object]:
    """Return evidence as a row."""
    sentence = [number[one.paper], _SECTIONS.index(one.section), one.offset, len(one.sentence)]
    return [*sentence, one.start, one.end, method, round(one.score, 3)]


def _draw(
    kg: KnowledgeGraph, relations: Sequence[Relation], number: Mapping[str, int], focus: str | None
) -> list[list[int]]:
    """Return node, x and y for the nodes that are drawn."""
    papers = len(kg.papers)
    # Concepts by type: those around one paper then stand in sectors of one colour.
    type_of = {number[node]: _TYPES.index(concept.type) for node, concept in kg.concepts.items()}
    pairs = [(number[one.subject], number[one.object]) for one in relations]
    links: dict[int, set[int]] = {node: set() for node in number.values()}
    for one, other in pairs:
        links[one].add(other)
        links[other].add(one)
    first = -1 if focus is None else number[focus]
    drawn_papers = sorted(_best_connected(range(papers), links, first)[:MAX_PAPERS])
    concepts = _best_connected(range(papers, len(number)), links, first)[:MAX_CONCEPTS]
    kept = drawn_papers + sorted(concepts, key=lambda node: (type_of[node], node))
    short = {node: at for at, node in enumerate(kept)}
    edges = sorted({(short[one], short[other]) for one, other in pairs if one in short and other in short})
    places = lay_out(len(drawn_papers), len(concepts), edges)
    return [[node, x, y] for node, (x, y) in zip(kept, places, strict=True)]


def _best_connected(nodes: Iterable[int], links: Mapping[int, set[int]], first: int) -> list[int]:
    """Return nodes by falling number of neighbours, with `first` before all."""
    return sorted(nodes, key=lambda node: (node != first, -len(links[node]), node))
