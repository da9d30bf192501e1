"""A part of a graph: what is within some steps of a node."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from kg.errors import GraphError

if TYPE_CHECKING:
    from kg.model import KnowledgeGraph, Result

__all__ = ["find_nearby"]


def find_nearby(kg: KnowledgeGraph, node: str, hops: int) -> KnowledgeGraph:
    """Return the graph of what is at most `hops` relations away from a node, with the papers that its evidence is from.

    Raises
    ------
    GraphError
        If the node is not in the graph, or `hops` is below 1.
    """
    if node not in kg.papers and node not in kg.concepts:
        raise GraphError(f"no node {node!r} in the graph; give the id of one of its papers or concepts")
    if hops < 1:
        raise GraphError(f"{hops} hops from {node!r} leave nothing; ask for 1 or more")
    links: dict[str, set[str]] = defaultdict(set)
    for one in kg.relations:
        links[one.subject].add(one.object)
        links[one.object].add(one.subject)
    found, edge = {node}, {node}
    for _ in range(hops):
        edge = {other for one in edge for other in links[one]} - found
        found |= edge
    relations = tuple(one for one in kg.relations if one.subject in found and one.object in found)
    told = {evidence.paper for one in relations for evidence in one.evidence}
    return replace(
        kg,
        papers={key: paper for key, paper in kg.papers.items() if key in found or key in told},
        concepts={key: concept for key, concept in kg.concepts.items() if key in found},
        relations=relations,
        communities=(),
        centrality={key: value for key, value in kg.centrality.items() if key in found},
        matches=tuple(one for one in kg.matches if one.concept in found),
        results=tuple(one for one in kg.results if {one.paper, *_ends(one)} <= found | {""}),
    )


def _ends(result: Result) -> tuple[str, ...]:
    """Return the concepts of a result; "" is none."""
    return result.metric, result.dataset, result.method, result.baseline
