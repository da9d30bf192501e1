"""What tests of faults from the field share: graphs of small inputs, and questions to them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from kg.model import Concept, Paper, Predicate
from kg.names import fold_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg.model import KnowledgeGraph
    from tests.conftest import Built

INPUTS = Path(__file__).parents[2] / "shared" / "cases" / "inputs"


def make(built: Built, source: str | Sequence[str]) -> KnowledgeGraph:
    """Return the graph of an input file, or of abstracts whose papers are numbered from 1."""
    if not isinstance(source, str):
        return built([Paper(id=str(number), abstract=text) for number, text in enumerate(source, 1)])
    if not (INPUTS / source).is_file():
        pytest.skip(f"no {source}: the inputs of cases are not part of the repository")
    return built(INPUTS / source)


def find(graph: KnowledgeGraph, name: str) -> Concept:
    """Return the one concept that has a name among its labels."""
    found = [one for one in graph.concepts.values() if fold_name(name) in map(fold_name, (one.label, *one.alt_labels))]
    assert len(found) == 1, f"{name!r} means {[one.label for one in found]} of {to_labels(graph)}"
    return found[0]


def find_papers(graph: KnowledgeGraph, concept: Concept) -> list[int]:
    """Return the numbers of the papers that are joined to a concept, counted from 1 in the order of ids."""
    numbers = {node: number for number, node in enumerate(sorted(graph.papers), 1)}
    return sorted(
        {numbers[one.subject] for one in graph.relations if one.object == concept.id and one.subject in numbers}
    )


def find_shared(graph: KnowledgeGraph, one: int, other: int) -> set[str]:
    """Return the labels of what two papers share."""
    return {concept.label for concept in graph.concepts.values() if {one, other} <= set(find_papers(graph, concept))}


def find_joined(graph: KnowledgeGraph) -> set[tuple[str, str]]:
    """Return the pairs of papers that are joined."""
    return {(one.subject, one.object) for one in graph.relations if one.predicate is Predicate.RELATED_TO}


def to_labels(graph: KnowledgeGraph) -> list[str]:
    """Return the preferred labels of a graph."""
    return [one.label for one in graph.concepts.values()]


def to_all_labels(graph: KnowledgeGraph) -> set[str]:
    """Return the preferred and alternative labels of a graph."""
    return {label for one in graph.concepts.values() for label in (one.label, *one.alt_labels)}
