"""The tables, whose texts, labels and relations must say what they promise."""

from __future__ import annotations

import unicodedata
from itertools import chain
from typing import TYPE_CHECKING

import networkx as nx
import pyarrow as pa

from kg.check.finding import Finding, limit
from kg.errors import GraphError
from kg.mentions import read_mentions
from kg.model import Predicate, Report, Section
from kg.store import read_store

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from typing import Any

    from kg.model import Evidence, KnowledgeGraph

__all__ = ["check_tables", "read_tables"]

_STORE = "store"
_CONCEPTS = "store/concepts.parquet"
_MENTIONS = "store/mentions.parquet"
_RESULTS = "store/results.parquet"
_RELATIONS = "store/relations.parquet"


def read_tables(folder: Path) -> tuple[KnowledgeGraph | None, list[Finding]]:
    """Return the graph in the tables, or why there is none; an end that dangles is a reason."""
    try:
        kg = read_store(folder / _STORE, Report())
    except (GraphError, pa.ArrowException, OSError, ValueError, TypeError, KeyError) as error:
        return None, [Finding(_STORE, f"can't be read: {error}")]
    return kg, []


def check_tables(kg: KnowledgeGraph) -> list[Finding]:
    """Return what is wrong with concepts, relations and mentions."""
    return [
        *limit(_find_label_faults(kg), _CONCEPTS, "labels"),
        *limit(_find_cycles(kg), _RELATIONS, "cycles"),
        *limit(_find_wrong_quotes(kg), _RELATIONS, "evidence"),
        *limit(_find_wrong_results(kg), _RESULTS, "results"),
        *limit(_find_twins(kg), _RELATIONS, "relations"),
        *limit(_find_wrong_mentions(kg), _MENTIONS, "mentions"),
    ]


def _find_label_faults(kg: KnowledgeGraph) -> Iterator[Finding]:
    """Yield concepts of one type and one label, whatever its case, and labels given twice."""
    seen: dict[tuple[str, str], str] = {}
    for concept in kg.concepts.values():
        key = (unicodedata.normalize("NFKC", concept.label).casefold(), concept.type)
        if key in seen:
            yield Finding(_CONCEPTS, f"{seen[key]} and {concept.id} are both the {concept.type} {concept.label!r}")
        seen.setdefault(key, concept.id)
        if concept.label in concept.alt_labels:
            yield Finding(_CONCEPTS, f"{concept.id} has {concept.label!r} as label and as alternative label")


def _find_cycles(kg: KnowledgeGraph) -> Iterator[Finding]:
    """Yield concepts that are broader than themselves."""
    pairs = ((one.subject, one.object) for one in kg.relations if one.predicate is Predicate.BROADER)
    hierarchy = nx.DiGraph(pairs)
    for group in sorted(map(sorted, nx.strongly_connected_components(hierarchy))):
        if len(group) > 1 or hierarchy.has_edge(group[0], group[0]):
            yield Finding(_RELATIONS, f"broader goes in a circle through {', '.join(group)}")


def _find_wrong_quotes(kg: KnowledgeGraph) -> Iterator[Finding]:
    """Yield evidence that is not in its paper, and concepts that join papers but are unknown."""
    for relation in kg.relations:
        name = f"{relation.subject} {relation.predicate} {relation.object}"
        for one in relation.evidence:
            if fault := _find_quote_fault(kg, one):
                yield Finding(_RELATIONS, f"evidence for {name} {fault}")
        for concept in relation.via:
            if concept not in kg.concepts:
                yield Finding(_RELATIONS, f"{name} is via {concept}, which is not in the graph")


def _find_wrong_results(kg: KnowledgeGraph) -> Iterator[Finding]:
    """Yield results whose evidence is not in their paper, or that are in the graph twice."""
    seen = set()
    for one in kg.results:
        name = f"result {one.value!r} {one.unit} of {one.paper}"
        if fault := _find_quote_fault(kg, one.evidence):
            yield Finding(_RESULTS, f"evidence for {name} {fault}")
        place = (one.paper, one.evidence.section, one.evidence.offset, one.evidence.start)
        if place in seen:
            yield Finding(_RESULTS, f"{name} is in the graph twice")
        seen.add(place)


def _find_quote_fault(kg: KnowledgeGraph, one: Evidence) -> str:
    """Return what is wrong with a piece of evidence, or nothing."""
    if one.paper not in kg.papers:
        return f"is from {one.paper}, which is not in the graph"
    text = kg.papers[one.paper].text(one.section)
    if not one.sentence or one.offset < 0 or text[one.offset : one.offset + len(one.sentence)] != one.sentence:
        return f"is not what the {one.section} of {one.paper} reads at {one.offset}"
    if not 0 <= one.start < one.end <= len(one.sentence):
        return f"marks {one.start} to {one.end} of a sentence of {len(one.sentence)} characters"
    return ""


def _find_twins(kg: KnowledgeGraph) -> Iterator[Finding]:
    """Yield relations that are in the graph twice."""
    seen: set[tuple[str, str, str]] = set()
    for relation in kg.relations:
        key = (relation.subject, relation.predicate, relation.object)
        if key in seen:
            yield Finding(_RELATIONS, f"{' '.join(key)} is in the graph twice")
        seen.add(key)


def _find_wrong_mentions(kg: KnowledgeGraph) -> Iterator[Finding]:
    """Yield mentions that end outside of the graph or are not in the paper's text."""
    rows = chain.from_iterable(batch.to_pylist() for batch in read_mentions(kg.mentions))
    try:
        yield from _find_mention_faults(kg, rows)
    except (GraphError, pa.ArrowException, OSError, KeyError, ValueError) as error:
        yield Finding(_MENTIONS, f"can't be read: {error}")


def _find_mention_faults(kg: KnowledgeGraph, rows: Iterable[dict[str, Any]]) -> Iterator[Finding]:
    """Yield what is wrong with each row of the mention file."""
    for row in rows:
        paper = kg.papers.get(row["paper"])
        if paper is None:
            yield Finding(_MENTIONS, f"{row['surface']!r} is of {row['paper']}, which is not in the graph")
            continue
        start, end = row["offset"] + row["start"], row["offset"] + row["end"]
        if paper.text(Section(row["section"]))[start:end].casefold() != row["surface"].casefold():
            yield Finding(_MENTIONS, f"the {row['section']} of {paper.id} does not read {row['surface']!r} at {start}")
        if row["concept"] not in kg.concepts:
            yield Finding(_MENTIONS, f"{row['surface']!r} means {row['concept']!r}, which is not in the graph")
