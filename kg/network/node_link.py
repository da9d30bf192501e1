"""Node-link JSON, as NetworkX reads it."""

from __future__ import annotations

import json
from io import TextIOWrapper
from typing import TYPE_CHECKING

from kg.files import open_whole
from kg.network.attributes import graph_attributes, iter_edges, iter_nodes, iter_results

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path
    from typing import TextIO

    from kg.model import KnowledgeGraph

__all__ = ["to_json", "write_json", "write_lines"]

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False)


def write_json(kg: KnowledgeGraph, path: Path, *, texts: bool = True) -> None:
    """Write node-link JSON, a node, an edge or a result a line.

    ``networkx.node_link_graph(json.load(file), edges="edges")`` makes the network of it.
    """
    with open_whole(path) as raw, TextIOWrapper(raw, "utf-8", "replace", "\n") as file:
        file.write(f'{{"directed": true, "multigraph": true, "graph": {to_json(graph_attributes(kg))[:-1]}')
        if kg.results:
            file.write(', "results": [')
            write_lines(file, iter_results(kg, texts=texts))
            file.write("]")
        file.write('},\n"nodes": [')
        write_lines(file, ({"id": node, **attributes} for node, attributes in iter_nodes(kg, texts=texts)))
        file.write('],\n"edges": [')
        write_lines(
            file,
            (
                {"source": subject, "target": object_, "key": predicate, **attributes}
                for subject, object_, predicate, attributes in iter_edges(kg, texts=texts)
            ),
        )
        file.write("]}\n")


def write_lines(file: TextIO, rows: Iterable[Mapping[str, object]]) -> None:
    """Write the values of a JSON array, one a line."""
    for count, row in enumerate(rows):
        file.write((",\n" if count else "\n") + to_json(row))


def to_json(value: Mapping[str, object]) -> str:
    """Return a value as JSON on one line."""
    return _ENCODER.encode(value)
