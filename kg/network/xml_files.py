"""GraphML and GEXF, in which lists are text."""

from __future__ import annotations

import re
from io import TextIOWrapper
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from kg.errors import ExportError
from kg.files import open_whole
from kg.network.attributes import LANDSCAPE_TYPES, MATCH_NAMES, graph_attributes, iter_nodes, sort_relations

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from kg.model import KnowledgeGraph, Relation

__all__ = ["write_gexf", "write_graphml"]

_NODE_TYPES = {
    "kind": "string", "type": "string", "label": "string", "title": "string", "abstract": "string",
    "year": "integer", "venue": "string", "authors": "string", "doi": "string", "url": "string",
    "keywords": "string", "alt_labels": "string", "papers": "integer",
}  # fmt: skip
_EDGE_TYPES = {"key": "string", "score": "double", "support": "integer", "evidence": "string", "via": "string"}
_GRAPHML_TYPES = {"string": "string", "integer": "int", "double": "double"}
_GEXF_NAMES = {"type": "concept_type", "key": "networkx_key"}  # GEXF and its readers take these words themselves
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LINE_BREAKS = {"\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}  # XML readers change these in attributes


def write_graphml(kg: KnowledgeGraph, path: Path) -> None:
    """Write GraphML for Gephi, Cytoscape, igraph and ``networkx.read_graphml``.

    Raises
    ------
    ExportError
        If a node's id holds a character that XML forbids.
    """
    counts = graph_attributes(kg)
    with open_whole(path) as raw, TextIOWrapper(raw, "utf-8", newline="\n") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
        kinds = {name: "integer" if isinstance(value, int) else "string" for name, value in counts.items()}
        for group, types in (("graph", kinds), ("node", _node_types(kg)), ("edge", _EDGE_TYPES)):
            for name, kind in types.items():
                row = f'id="{group}_{name}" for="{group}" attr.name="{name}" attr.type="{_GRAPHML_TYPES[kind]}"'
                file.write(f"<key {row}/>\n")
        file.write(f'<graph edgedefault="directed">\n{_graphml_fields("graph", counts)}\n')
        for node, values in _flat_nodes(kg):
            file.write(f"<node id={_quote_id(node)}>{_graphml_fields('node', values)}</node>\n")
        for relation, values in _flat_edges(kg):
            ends = f"source={_quote_id(relation.subject)} target={_quote_id(relation.object)}"
            file.write(f"<edge {ends}>{_graphml_fields('edge', values)}</edge>\n")
        file.write("</graph>\n</graphml>\n")


def write_gexf(kg: KnowledgeGraph, path: Path) -> None:
    """Write GEXF 1.3 for Gephi and ``networkx.read_gexf``.

    An edge has its score as weight and its predicate as label and kind, so that two edges
    between the same nodes stay two. No date is in the file.

    Raises
    ------
    ExportError
        If a node's id holds a character that XML forbids.
    """
    with open_whole(path) as raw, TextIOWrapper(raw, "utf-8", newline="\n") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<gexf xmlns="http://gexf.net/1.3" version="1.3">\n')
        file.write(f"<meta><creator>{_text(kg.report.settings.get('program', 'paperkg'))}</creator></meta>\n")
        file.write('<graph defaultedgetype="directed" mode="static">\n')
        for group, types in (("node", _node_types(kg)), ("edge", _EDGE_TYPES)):
            file.write(f'<attributes class="{group}">\n')
            for name, kind in types.items():
                title = _GEXF_NAMES.get(name, name)
                if name != "label":  # an XML attribute of the node
                    file.write(f'<attribute id="{title}" title="{title}" type="{kind}"/>\n')
            file.write("</attributes>\n")
        file.write("<nodes>\n")
        for node, values in _flat_nodes(kg):
            label = _quote(values.pop("label"))
            file.write(f"<node id={_quote_id(node)} label={label}>{_gexf_fields(values)}</node>\n")
        file.write("</nodes>\n<edges>\n")
        for count, (relation, values) in enumerate(_flat_edges(kg)):
            name = _quote(relation.predicate.value)
            ends = f"source={_quote_id(relation.subject)} target={_quote_id(relation.object)}"
            row = f'id="e{count}" {ends} label={name} kind={name} weight="{relation.score!r}"'
            file.write(f"<edge {row}>{_gexf_fields(values)}</edge>\n")
        file.write("</edges>\n</graph>\n</gexf>\n")


def _node_types(kg: KnowledgeGraph) -> dict[str, str]:
    """Return the attributes of nodes with their types; those of matches only where there are any."""
    return _NODE_TYPES | LANDSCAPE_TYPES | (dict.fromkeys(MATCH_NAMES, "string") if kg.matches else {})


def _flat_nodes(kg: KnowledgeGraph) -> Iterator[tuple[str, dict[str, str | int | float]]]:
    """Yield the id of each node and its attributes as text and numbers."""
    for node, attributes in iter_nodes(kg):
        yield node, {name: _flatten(value) for name, value in attributes.items() if value != []}


def _flat_edges(kg: KnowledgeGraph) -> Iterator[tuple[Relation, dict[str, str | int | float]]]:
    """Yield each relation and its attributes as text and numbers."""
    for relation in sort_relations(kg):
        values: dict[str, str | int | float] = {
            "key": relation.predicate.value,
            "score": relation.score,
            "support": relation.support,
            "evidence": relation.evidence[0].sentence,
        }
        if relation.via:
            values["via"] = _flatten(list(relation.via))
        yield relation, values


def _flatten(value: str | float | list[str] | list[dict[str, str | int]]) -> str | int | float:
    """Return a value as XML formats can hold it."""
    return " | ".join(map(str, value)) if isinstance(value, list) else value


def _graphml_fields(group: str, values: Mapping[str, str | int | float]) -> str:
    """Return ``<data>`` elements."""
    return "".join(f'<data key="{group}_{name}">{_text(value)}</data>' for name, value in values.items())


def _gexf_fields(values: Mapping[str, str | int | float]) -> str:
    """Return an ``<attvalues>`` element."""
    fields = (f'<attvalue for="{_GEXF_NAMES.get(name, name)}" value={_quote(one)}/>' for name, one in values.items())
    return f"<attvalues>{''.join(fields)}</attvalues>"


def _text(value: str | float) -> str:
    """Return a value as the text of an XML element."""
    return escape(_NOT_XML.sub("\ufffd", str(value)), {"\r": "&#13;"})


def _quote(value: str | float) -> str:
    """Return a value as an XML attribute, in quotes."""
    return quoteattr(_NOT_XML.sub("\ufffd", str(value)), _LINE_BREAKS)


def _quote_id(node: str) -> str:
    """Return a node id as an XML attribute; it can't be changed, or two might become one."""
    if found := _NOT_XML.search(node):
        raise ExportError(f"id of node {node!r} holds {found[0]!r}, which XML can't; give the paper another id")
    return _quote(node)
