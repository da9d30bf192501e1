"""VOSviewer JSON: the network as a map of bibliometrics.

Papers and concepts are items. VOSviewer knows one link between two items and no direction, so
the relations between two nodes are one link; its strength is the sum of their scores, and it
says which relations these are. Clusters are the communities. The weights of an item are how many
links it has and, of a concept, how many papers mention it; scores are ``Year`` (of a paper, or
of the first paper about a concept) and ``Centrality``. A description is HTML, in which all text
is escaped; it lists the attributes that VOSviewer has no place for.

The format: https://app.vosviewer.com/docs/file-types/json-file-type/
"""

from __future__ import annotations

from collections import Counter
from html import escape
from io import TextIOWrapper
from typing import TYPE_CHECKING

from kg.files import open_whole
from kg.network.flat import iter_flat_edges, iter_flat_nodes
from kg.network.node_link import to_json, write_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from kg.model import KnowledgeGraph
    from kg.network.flat import Flat

__all__ = ["write_vosviewer"]

_CLUSTERS = 1000  # VOSviewer has colours for no more
_APART = {"label", "url", "community", "community_name", "centrality", "first_year", "year", "papers"}
_CONFIG = {
    "parameters": {"item_size": 1, "item_color": 1},
    "terminology": {"item": "Node", "items": "Nodes", "link": "Relation", "cluster": "Community"},
    "templates": {"item_description": "{description}", "link_description": "{description}"},
}

Pairs = dict[tuple[str, str], list[tuple[str, float]]]


def write_vosviewer(kg: KnowledgeGraph, path: Path, *, texts: bool = True) -> None:
    """Write VOSviewer JSON, an item or a link a line."""
    pairs = _pair_relations(kg)
    links = Counter(node for pair in pairs for node in pair)
    clusters = [{"cluster": one.number, "label": one.name} for one in kg.communities if one.number <= _CLUSTERS]
    with open_whole(path) as raw, TextIOWrapper(raw, "utf-8", "replace", "\n") as file:
        file.write('{"network": {"items": [')
        nodes = iter_flat_nodes(kg, texts=texts)
        write_lines(file, (_to_item(node, attributes, links[node]) for node, attributes in nodes))
        file.write('],\n"links": [')
        write_lines(file, _iter_links(pairs))
        file.write('],\n"clusters": [')
        write_lines(file, clusters)
        file.write(f']}},\n"config": {to_json(_CONFIG)},\n"info": {{"title": "paperkg"}}}}\n')


def _pair_relations(kg: KnowledgeGraph) -> Pairs:
    """Return the relations between two nodes, in both directions, by pair; none of a node with itself."""
    pairs: Pairs = {}
    for subject, object_, predicate, attributes in iter_flat_edges(kg):
        if subject != object_:
            pair = (subject, object_) if subject < object_ else (object_, subject)
            pairs.setdefault(pair, []).append((f"{subject} {predicate} {object_}", float(attributes["score"])))
    return dict(sorted(pairs.items()))


def _to_item(node: str, attributes: Flat, links: int) -> dict[str, object]:
    """Return a node as an item."""
    weights: dict[str, object] = {"Links": links}
    if "papers" in attributes:
        weights["Papers"] = attributes["papers"]
    year = attributes.get("year", attributes.get("first_year"))
    scores = {"Year": year, "Centrality": attributes.get("centrality")}
    item: dict[str, object] = {"id": node, "label": attributes["label"]}
    item["description"] = _describe({name: one for name, one in attributes.items() if name not in _APART})
    if str(attributes.get("url", "")).startswith(("https://", "http://")):
        item["url"] = attributes["url"]
    if 0 < int(attributes.get("community", 0)) <= _CLUSTERS:
        item["cluster"] = attributes["community"]
    return item | {"weights": weights, "scores": {name: one for name, one in scores.items() if one is not None}}


def _iter_links(pairs: Pairs) -> Iterator[dict[str, object]]:
    """Yield one link for each pair of nodes."""
    for (one, other), relations in pairs.items():
        described = "<br>".join(escape(name) for name, _ in relations)
        strength = round(sum(score for _, score in relations), 6)
        yield {"source_id": one, "target_id": other, "strength": strength, "description": described}


def _describe(attributes: Mapping[str, object]) -> str:
    """Return attributes as rows of a table in HTML."""
    rows = (f"<tr><td>{name}</td><td>{escape(str(one))}</td></tr>" for name, one in attributes.items())
    return f"<table>{''.join(rows)}</table>"
