"""Cytoscape.js JSON, which Cytoscape, Cytoscape.js and NetworkX read.

Elements have the attributes that the network has, under ``data``. A list of texts stays a list.
Programs that show a table of attributes hold no list of objects, so of the evidence there is the
first sentence, and ``support``. ``name`` is the label of a node and, as ``interaction`` and
``key``, the predicate of an edge.
"""

from __future__ import annotations

from io import TextIOWrapper
from typing import TYPE_CHECKING

from kg.files import open_whole
from kg.network.attributes import graph_attributes, iter_nodes
from kg.network.flat import iter_plain_edges
from kg.network.node_link import to_json, write_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kg.model import KnowledgeGraph

__all__ = ["write_cytoscape"]


def write_cytoscape(kg: KnowledgeGraph, path: Path, *, texts: bool = True) -> None:
    """Write Cytoscape.js JSON, an element a line.

    ``networkx.cytoscape_graph(json.load(file))`` makes the network of it.
    """
    head = {"format_version": "1.0", "target_cytoscapejs_version": "~2.1", "directed": True, "multigraph": True}
    with open_whole(path) as raw, TextIOWrapper(raw, "utf-8", "replace", "\n") as file:
        file.write(f'{to_json(head)[:-1]}, "data": {to_json({"name": "paperkg", **graph_attributes(kg)})},\n')
        file.write('"elements": {"nodes": [')
        nodes = iter_nodes(kg, texts=texts)
        write_lines(file, ({"data": {"id": node, "value": node, "name": one["label"], **one}} for node, one in nodes))
        file.write('],\n"edges": [')
        write_lines(file, _iter_edge_elements(kg, texts=texts))
        file.write("]}}\n")


def _iter_edge_elements(kg: KnowledgeGraph, *, texts: bool) -> Iterator[dict[str, object]]:
    """Yield relations as elements; their ids share no name with nodes."""
    for number, (subject, object_, predicate, attributes) in enumerate(iter_plain_edges(kg, texts=texts)):
        ends = {"id": f"edge:{number}", "source": subject, "target": object_}
        names = {"key": predicate, "interaction": predicate, "name": predicate}
        yield {"data": ends | names | attributes}
