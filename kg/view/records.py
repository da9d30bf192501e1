"""What the page is given: the graph as compact rows, by number instead of by name.

Nodes are numbered, papers first, each by id. A sentence is not repeated: it is a stretch
of its paper's title or abstract. Of a very large graph the page has a part: the papers with the
most relations, and their concepts.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from kg.errors import GraphError
from kg.mentions import read_mentions
from kg.model import ConceptType, Predicate, Section, iter_ends
from kg.view.edges import to_edges
from kg.view.islands import lay_out_islands
from kg.view.layout import lay_out

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kg.model import KnowledgeGraph, Paper, Result
    from kg.view.islands import Island

__all__ = ["MAX_FLOWERS", "MAX_PAPERS", "to_records"]

MAX_PAPERS = 10_000  # more make a file that browsers open slowly
MAX_FLOWERS = 60  # papers up to which all is drawn at once

_TYPES = list(ConceptType)
_PREDICATES = list(Predicate)
_SECTIONS = list(Section)


def to_records(kg: KnowledgeGraph, *, focus: str | None = None) -> dict[str, object]:
    """Return the graph as rows that JSON can hold.

    ``papers`` are rows of id, label, title, abstract, year, venue, authors, DOI and URL;
    ``concepts`` of id, label, type, alt labels, number of papers, and why the label and each
    alt label is the concept's; ``relations`` of
    subject, predicate, object, score, evidence and the concepts that join two papers;
    ``evidence`` of paper, section, offset and length of the sentence, start and end of the
    name in it, method and score; ``results`` of paper, metric, its words, value, unit,
    kind, method, data set, baseline and evidence; ``communities`` of name and nodes. Nodes, types, predicates,
    sections, methods, reasons and evidence are numbers: places in the lists of those names.
    ``places`` has x and y of each node in turn, ``islands`` x, y and radius by community (none
    where the graph is small; the last may be of papers in no community), ``weights`` how telling
    each concept is where it stands, ``whole`` the papers and concepts of the graph.

    Raises
    ------
    GraphError
        If `focus` is not in the graph.
    """
    if focus is not None and focus not in kg.papers and focus not in kg.concepts:
        raise GraphError(f"no node {focus!r} in the graph; give the id of one of its papers or concepts")
    papers, concepts = _choose(kg, focus)
    number = {node: at for at, node in enumerate([*papers, *concepts])}
    results = [one for one in kg.results if one.paper in number]
    edges = to_edges(kg, number, [one.evidence for one in results])
    return {
        "types": _TYPES,
        "predicates": _PREDICATES,
        "sections": _SECTIONS,
        "methods": edges.methods,
        "papers": [_paper_row(kg.papers[node]) for node in papers],
        **_to_concepts(kg, concepts),
        "results": [_result_row(one, number, place) for one, place in zip(results, edges.places, strict=True)],
        "relations": edges.relations,
        "evidence": edges.evidence,
        "communities": [
            [one.name, [number[node] for node in (*one.papers, *one.concepts) if node in number]]
            for one in kg.communities
        ],
        **_to_drawing(kg, number, edges.pairs),
        "whole": [len(kg.papers), len(kg.concepts)],
        "focus": -1 if focus is None else number[focus],
    }


def _paper_row(paper: Paper) -> list[object]:
    """Return a paper as a row."""
    title = "" if paper.title == paper.label else paper.title
    whence = [paper.year, paper.venue, paper.authors, paper.doi, paper.url]
    return [paper.id, paper.label, title, paper.abstract, *whence]


def _to_concepts(kg: KnowledgeGraph, ids: Sequence[str]) -> dict[str, object]:
    """Return concepts as rows, and the reasons why their names are theirs, which the rows have by number."""
    why = _find_reasons(kg)
    reasons = sorted({reason for some in why.values() for reason in some.values()})
    place = {reason: at for at, reason in enumerate(reasons)}
    rows: list[list[object]] = []
    for concept in map(kg.concepts.__getitem__, ids):
        row: list[object] = [concept.id, concept.label, _TYPES.index(concept.type), concept.alt_labels, concept.papers]
        some = why.get(concept.id, {})
        given = [place[some[name]] if name in some else -1 for name in (concept.label, *concept.alt_labels)]
        rows.append([*row, given] if some else row)
    return {"concepts": rows, "reasons": reasons}


def _find_reasons(kg: KnowledgeGraph) -> dict[str, dict[str, str]]:
    """Return, by concept and name, why the name is the concept's: the reason of most mentions."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    if not kg.mentions.path.is_file():
        return {}
    for batch in read_mentions(kg.mentions, columns=["concept", "surface", "reason"]):
        columns = (batch.column(name).to_pylist() for name in ("concept", "surface", "reason"))
        for concept, surface, reason in zip(*columns, strict=True):
            counts.setdefault((concept, surface), Counter())[reason] += 1
    why: dict[str, dict[str, str]] = {}
    for (concept, surface), some in counts.items():
        why.setdefault(concept, {})[surface] = min(some, key=lambda reason: (-some[reason], reason))
    return why


def _result_row(one: Result, number: Mapping[str, int], evidence: int) -> list[object]:
    """Return a result as a row."""
    ends = [number.get(node, -1) for node in (one.metric, one.method, one.dataset, one.baseline)]
    return [number[one.paper], ends[0], one.metric_text, one.value, one.unit, one.kind.value, *ends[1:], evidence]


def _choose(kg: KnowledgeGraph, focus: str | None) -> tuple[list[str], list[str]]:
    """Return the papers and concepts that the page has: of a very large graph, the best-connected papers and theirs."""
    papers, concepts = sorted(kg.papers), sorted(kg.concepts)
    if len(papers) <= MAX_PAPERS:
        return papers, concepts
    links = Counter(end for subject, _, target in iter_ends(kg.relations) for end in (subject, target))
    first = {focus} | {subject for subject, _, target in iter_ends(kg.relations) if target == focus}
    kept = set(sorted(papers, key=lambda node: (node not in first, -links[node], node))[:MAX_PAPERS])
    theirs = {target for subject, _, target in iter_ends(kg.relations) if subject in kept} | {focus}
    return sorted(kept), [node for node in concepts if node in theirs]


def _to_drawing(
    kg: KnowledgeGraph, number: Mapping[str, int], relations: Iterable[tuple[int, int]]
) -> dict[str, list[list[int]] | list[int]]:
    """Return where nodes and communities stand, and how much each concept tells of where it stands."""
    papers, count = sum(node in kg.papers for node in number), len(number)
    pairs = sorted(set(relations))
    # Concepts by type: those around one paper then stand in sectors of one colour.
    type_of = {number[node]: _TYPES.index(kg.concepts[node].type) for node in number if node in kg.concepts}
    kept = [*range(papers), *sorted(type_of, key=lambda node: (type_of[node], node))]
    short = {node: at for at, node in enumerate(kept)}
    edges = sorted((short[one], short[other]) for one, other in pairs)
    members = [[*one.papers, *one.concepts] for one in kg.communities]
    groups = [[short[number[node]] for node in some if node in number] for some in members]
    islands: list[Island] = []
    if papers > MAX_FLOWERS and kg.communities:
        places, islands = lay_out_islands(papers, count - papers, edges, groups)
    else:
        places = lay_out(papers, count - papers, edges)
    by_number = dict(zip(kept, places, strict=True))
    return {
        "places": [value for node in range(count) for value in by_number[node]],
        "islands": [[one.x, one.y, one.radius] for one in islands],
        "weights": _weigh(papers, count, pairs, [[kept[node] for node in group] for group in groups]),
    }


def _weigh(papers: int, count: int, pairs: Sequence[tuple[int, int]], groups: Sequence[Sequence[int]]) -> list[int]:
    """Return, by concept, in how many papers of one group it is, times their share of all its papers, in hundredths."""
    home = {node: number for number, group in enumerate(groups) for node in group if node < papers}
    near: dict[int, Counter[int]] = {}
    for low, high in {(min(pair), max(pair)) for pair in pairs}:
        if low < papers <= high:
            near.setdefault(high, Counter())[home.get(low, -1)] += 1
    weights = []
    for concept in range(papers, count):
        some = near.get(concept, Counter())
        most = max(some.values(), default=0)
        weights.append(round(100 * most * most / some.total()) if most else 0)
    return weights
