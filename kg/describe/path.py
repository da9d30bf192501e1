"""How two papers or concepts hang together: the most telling path between them.

A path costs −ln of the score of each relation on it, and for each node that it passes through ln of
how many pairs of neighbours that node joins: a paper's only two names join one pair and cost nothing,
a name of a thousand papers joins half a million, so that a path through it is no answer where one
through rarer names exists. The ends cost nothing, so the path from B to A is that from A to B read
from its end.
"""

from __future__ import annotations

import heapq
import json
import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from kg.describe.related import find_shared, to_quote
from kg.describe.text import cite, count, wrap
from kg.errors import GraphError
from kg.model import Predicate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kg.model import KnowledgeGraph, Relation

    _Near = Mapping[str, Mapping[str, Relation]]

__all__ = ["Path", "Step", "find_path", "format_path"]

_LEAST_SCORE = 1e-6  # what a score of 0 counts as
_UNIT = 1e6  # costs are added in whole millionths, so that equal ones are equal


@dataclass(frozen=True, slots=True)
class Step:
    """A relation on a path, whichever way it points, and the node that it leads to."""

    relation: Relation
    node: str


@dataclass(frozen=True, slots=True)
class Path:
    """The steps from a node to another; none from a node to itself."""

    start: str
    steps: tuple[Step, ...]
    cost: float  # in nats

    @property
    def nodes(self) -> tuple[str, ...]:
        """Return the nodes on the path in order."""
        return (self.start, *(step.node for step in self.steps))


def find_path(kg: KnowledgeGraph, start: str, end: str) -> Path | None:
    """Return the path between two papers or concepts that costs least, or nothing where none is.

    Relations of every kind are followed, in both directions. Of paths that cost the same it is the
    one with the fewest steps, then that whose nodes come first by id, read from the end whose id
    comes first.

    Raises
    ------
    GraphError
        If one of the two is not in the graph.
    """
    for node in (start, end):
        if node not in kg.papers and node not in kg.concepts:
            raise GraphError(f"there is no node {node!r}; give the id of a paper or a concept")
    first, last = sorted((start, end))  # so that both ways give the same path
    near = _find_neighbours(kg)
    costs = _measure(near, first, last)
    if first not in costs:
        return None
    nodes = [first]
    while nodes[-1] != last:
        nodes.append(_find_next(near, costs, nodes[-1], last))
    if start != first:
        nodes.reverse()
    steps = tuple(Step(near[one][other], other) for one, other in pairwise(nodes))
    return Path(start, steps, costs[first][0] / _UNIT)


def format_path(kg: KnowledgeGraph, path: Path, *, as_json: bool = False) -> str:
    """Return a path as text for a person, or as JSON, which ends with a line break too."""
    if as_json:
        nodes = [_to_name(kg, node) for node in path.nodes]
        shown = {"cost": round(path.cost, 6), "nodes": nodes, "steps": [_to_json(step) for step in path.steps]}
        return json.dumps(shown, ensure_ascii=False, indent=2) + "\n"
    return "\n".join(_iter_lines(kg, path)) + "\n"


def _find_neighbours(kg: KnowledgeGraph) -> _Near:
    """Return each node's neighbours with the surest relation to them."""
    near: dict[str, dict[str, Relation]] = {}
    for one in kg.relations:
        if one.subject != one.object:
            known = near.setdefault(one.subject, {}).get(one.object)
            if known is None or _order(one) < _order(known):
                near[one.subject][one.object] = one
                near.setdefault(one.object, {})[one.subject] = one
    return near


def _order(relation: Relation) -> tuple[float, str, str]:
    """Return a key that puts the surest relation of two nodes first."""
    return -relation.score, relation.predicate, relation.subject


def _measure(near: _Near, start: str, end: str) -> dict[str, tuple[int, int]]:
    """Return the cost and steps of the best way from nodes to `end`; Dijkstra's algorithm, until `start` is met."""
    costs: dict[str, tuple[int, int]] = {}
    heap = [((0, 0), end)]
    while heap and start not in costs:
        (cost, steps), node = heapq.heappop(heap)
        if node not in costs:
            costs[node] = cost, steps
            through = cost + _count_through(near, node, end)
            for other, relation in near.get(node, {}).items():
                if other not in costs:
                    heapq.heappush(heap, ((through + _count_relation(relation), steps + 1), other))
    return costs


def _find_next(near: _Near, costs: Mapping[str, tuple[int, int]], node: str, end: str) -> str:
    """Return the first by id of the neighbours that a best way to `end` goes through."""
    cost, steps = costs[node]
    return min(
        other
        for other, relation in near[node].items()
        if other in costs
        and costs[other][1] + 1 == steps
        and costs[other][0] + _count_through(near, other, end) + _count_relation(relation) == cost
    )


def _count_through(near: _Near, node: str, end: str) -> int:
    """Return what it costs to pass through a node."""
    degree = len(near.get(node, ()))
    return 0 if node == end or degree < 2 else round(_UNIT * math.log(degree * (degree - 1) / 2))


def _count_relation(relation: Relation) -> int:
    """Return what it costs to follow a relation."""
    return round(-_UNIT * math.log(max(relation.score, _LEAST_SCORE)))


def _iter_lines(kg: KnowledgeGraph, path: Path) -> Iterator[str]:
    """Yield the lines about a path."""
    yield from wrap(_cite(kg, path.start))
    for node, step in zip(path.nodes, path.steps, strict=False):
        relation = step.relation
        arrow = f"—{relation.predicate}→" if relation.subject == node else f"←{relation.predicate}—"
        if relation.predicate is Predicate.RELATED_TO:
            arrow = f"—{relation.predicate}—"
        yield f"  {arrow}  {relation.score:.2f}"
        shared = find_shared(kg, relation, here=node)[:1]
        yield from (line for one in shared for line in wrap(f"both: {_cite(kg, one.concept)}", "    "))
        quoted = [one for pair in shared for one in (pair.here, pair.there)] or relation.evidence[:1]
        yield from (line for one in quoted for line in wrap(f"“{one.sentence}”", "    "))
        yield from wrap(_cite(kg, step.node))


def _cite(kg: KnowledgeGraph, node: str) -> str:
    """Return a node in a line."""
    if node in kg.papers:
        return cite(kg.papers[node])
    concept = kg.concepts[node]
    return f"{concept.label} ({concept.type}, in {count(concept.papers, 'paper')})"


def _to_name(kg: KnowledgeGraph, node: str) -> dict[str, Any]:
    """Return what a node is known by."""
    if node in kg.papers:
        return {"id": node, "kind": "Paper", "label": kg.papers[node].label}
    concept = kg.concepts[node]
    return {"id": node, "kind": "Concept", "type": concept.type.value, "label": concept.label, "papers": concept.papers}


def _to_json(step: Step) -> dict[str, Any]:
    """Return a step as JSON has it."""
    relation = step.relation
    return {
        "source": relation.subject,
        "target": relation.object,
        "key": relation.predicate.value,
        "score": relation.score,
        "via": list(relation.via),
        "evidence": [to_quote(one) for one in relation.evidence],
    }
