"""Attributes without lists, for formats that have none.

One rule for all of them. A list is its parts joined by " | ". Of the evidence there is the first
sentence, and ``support`` says how many papers speak for the edge. What is not known is absent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from kg.model import Section
from kg.network.attributes import LANDSCAPE_TYPES, MATCH_NAMES, iter_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kg.model import KnowledgeGraph
    from kg.network.attributes import Attributes

__all__ = ["EDGE_TYPES", "Flat", "find_node_types", "iter_flat_edges", "iter_flat_nodes", "iter_plain_edges"]

Flat: TypeAlias = dict[str, str | int | float]

_NODE_TYPES = {
    "kind": "string", "type": "string", "label": "string", "title": "string", "abstract": "string",
    "year": "integer", "venue": "string", "authors": "list", "doi": "string", "url": "string",
    "keywords": "list", "alt_labels": "list", "papers": "integer",
}  # fmt: skip
EDGE_TYPES = {"score": "double", "support": "integer", "evidence": "string", "via": "list"}


def find_node_types(kg: KnowledgeGraph) -> dict[str, str]:
    """Return the attributes of nodes with their types; those of matches only where there are any."""
    return _NODE_TYPES | LANDSCAPE_TYPES | (dict.fromkeys(MATCH_NAMES, "list") if kg.matches else {})


def iter_flat_nodes(kg: KnowledgeGraph, *, texts: bool = True) -> Iterator[tuple[str, Flat]]:
    """Yield the id of each node and its attributes as text and numbers."""
    for node, attributes in iter_nodes(kg, texts=texts):
        yield node, _flatten(attributes)


def iter_flat_edges(kg: KnowledgeGraph, *, texts: bool = True) -> Iterator[tuple[str, str, str, Flat]]:
    """Yield subject, object, predicate and attributes of each relation, these as text and numbers."""
    for subject, object_, predicate, attributes in iter_plain_edges(kg, texts=texts):
        yield subject, object_, predicate, _flatten(attributes)


def iter_plain_edges(kg: KnowledgeGraph, *, texts: bool = True) -> Iterator[tuple[str, str, str, Attributes]]:
    """Yield relations with their first sentence and support in the place of the evidence."""
    for relation in kg.columns:
        attributes: Attributes = {"score": relation.score, "support": relation.support}
        first = relation.evidence[0]
        if texts or first.section is Section.TITLE:
            attributes["evidence"] = first.sentence
        if relation.via:
            attributes["via"] = list(relation.via)
        yield relation.subject, relation.object, relation.predicate.value, attributes


def _flatten(attributes: Mapping[str, object]) -> Flat:
    """Return attributes with lists as text and without empty ones."""
    flat: Flat = {}
    for name, value in attributes.items():
        if isinstance(value, list) and value:
            flat[name] = " | ".join(map(str, value))
        elif isinstance(value, str | int | float):
            flat[name] = value
    return flat
