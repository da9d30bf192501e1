"""Which concepts each paper is about, as the relations say."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.model import Predicate, iter_ends

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kg.model import KnowledgeGraph

__all__ = ["Occurrence", "count_occurrences", "widen"]


@dataclass(frozen=True, slots=True)
class Occurrence:
    """The papers of concepts and the concepts of papers, each sorted by id."""

    concepts: Mapping[str, tuple[str, ...]]  # by paper; of every paper
    papers: Mapping[str, tuple[str, ...]]  # by concept


def count_occurrences(kg: KnowledgeGraph) -> Occurrence:
    """Return which concepts the papers of a graph mention, in whatever role."""
    found: dict[str, set[str]] = {paper: set() for paper in sorted(kg.papers)}
    for subject, _, target in iter_ends(kg.relations):
        if subject in found and target in kg.concepts:
            found[subject].add(target)
    return _to_occurrence(found)


def widen(occurrence: Occurrence, kg: KnowledgeGraph) -> Occurrence:
    """Return what papers are about when each concept stands for its broader ones too.

    A broader one counts only where more papers mention it: a name that few use ("methods such
    as reinforcement learning") gathers nothing that the narrower one does not.
    """
    size = {concept: len(papers) for concept, papers in occurrence.papers.items()}
    broader: dict[str, set[str]] = defaultdict(set)
    for subject, predicate, target in iter_ends(kg.relations):
        if predicate is Predicate.BROADER and size.get(target, 0) > size.get(subject, 0):
            broader[subject].add(target)
    return _to_occurrence(
        {
            paper: set(concepts).union(*(broader[one] for one in concepts if one in broader))
            for paper, concepts in occurrence.concepts.items()
        }
    )


def _to_occurrence(found: Mapping[str, set[str]]) -> Occurrence:
    """Return both directions of what papers, sorted by id, are about."""
    papers: dict[str, list[str]] = defaultdict(list)
    for paper, concepts in found.items():
        for concept in concepts:
            papers[concept].append(paper)
    return Occurrence(
        {paper: tuple(sorted(concepts)) for paper, concepts in found.items()},
        {concept: tuple(papers[concept]) for concept in sorted(papers)},
    )
