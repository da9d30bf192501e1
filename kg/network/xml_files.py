"""GraphML and GEXF, in which lists are text."""

from __future__ import annotations

import re
from io import TextIOWrapper
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from kg.errors import ExportError
from kg.files import open_whole
from kg.network.attributes import graph_attributes
from kg.network.flat import EDGE_TYPES, find_node_types, iter_flat_edges, iter_flat_nodes

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from kg.model import KnowledgeGraph

__all__ = ["write_gexf", "write_graphml"]

_EDGE_TYPES = {"key": "string", **EDGE_TYPES}
_GRAPHML_TYPES = {"string": "string", "list": "string", "integer": "int", "double": "double"}
_GEXF_TYPES = {"string": "string", "list": "string", "integer": "integer", "double": "double"}
_GEXF_NAMES = {"type": "concept_type", "key": "networkx_key"}  # GEXF and its readers take these words themselves
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_PLAIN = re.compile(r"[^&<>\r\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]*")  # text that is XML as it is
_LINE_BREAKS = {"\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}  # XML readers change these in attributes


def write_graphml(kg: KnowledgeGraph, path: Path, *, texts: bool = True) -> None:
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
        for group, types in (("graph", kinds), ("node", find_node_types(kg)), ("edge", _EDGE_TYPES)):
            for name, kind in types.items():
                row = f'id="{group}_{name}" for="{group}" attr.name="{name}" attr.type="{_GRAPHML_TYPES[kind]}"'
                file.write(f"<key {row}/>\n")
        file.write(f'<graph edgedefault="directed">\n{_graphml_fields("graph", counts)}\n')
        for node, values in iter_flat_nodes(kg, texts=texts):
            file.write(f"<node id={_quote_id(node)}>{_graphml_fields('node', values)}</node>\n")
        for subject, object_, predicate, values in iter_flat_edges(kg, texts=texts):
            fields = _graphml_fields("edge", {"key": predicate, **values})
            file.write(f"<edge source={_quote_id(subject)} target={_quote_id(object_)}>{fields}</edge>\n")
        file.write("</graph>\n</graphml>\n")


def write_gexf(kg: KnowledgeGraph, path: Path, *, texts: bool = True) -> None:
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
        for group, types in (("node", find_node_types(kg)), ("edge", _EDGE_TYPES)):
            file.write(f'<attributes class="{group}">\n')
            for name, kind in types.items():
                title = _GEXF_NAMES.get(name, name)
                if name != "label":  # an XML attribute of the node
                    file.write(f'<attribute id="{title}" title="{title}" type="{_GEXF_TYPES[kind]}"/>\n')
            file.write("</attributes>\n")
        file.write("<nodes>\n")
        for node, values in iter_flat_nodes(kg, texts=texts):
            label = _quote(values.pop("label"))
            file.write(f"<node id={_quote_id(node)} label={label}>{_gexf_fields(values)}</node>\n")
        file.write("</nodes>\n<edges>\n")
        for count, (subject, object_, predicate, values) in enumerate(iter_flat_edges(kg, texts=texts)):
            name = _quote(predicate)
            ends = f"source={_quote_id(subject)} target={_quote_id(object_)}"
            row = f'id="e{count}" {ends} label={name} kind={name} weight="{values["score"]!r}"'
            fields = _gexf_fields({"key": predicate, **values})
            file.write(f"<edge {row}>{fields}</edge>\n")
        file.write("</edges>\n</graph>\n</gexf>\n")


def _graphml_fields(group: str, values: Mapping[str, str | int | float]) -> str:
    """Return ``<data>`` elements."""
    return "".join(f'<data key="{group}_{name}">{_text(value)}</data>' for name, value in values.items())


def _gexf_fields(values: Mapping[str, str | int | float]) -> str:
    """Return an ``<attvalues>`` element."""
    fields = (f'<attvalue for="{_GEXF_NAMES.get(name, name)}" value={_quote(one)}/>' for name, one in values.items())
    return f"<attvalues>{''.join(fields)}</attvalues>"


def _text(value: str | float) -> str:
    """Return a value as the text of an XML element."""
    text = str(value)
    return text if _PLAIN.fullmatch(text) else escape(_NOT_XML.sub("\ufffd", text), {"\r": "&#13;"})


def _quote(value: str | float) -> str:
    """Return a value as an XML attribute, in quotes."""
    return quoteattr(_NOT_XML.sub("\ufffd", str(value)), _LINE_BREAKS)


def _quote_id(node: str) -> str:
    """Return a node id as an XML attribute; it can't be changed, or two might become one."""
    if found := _NOT_XML.search(node):
        raise ExportError(f"id of node {node!r} holds {found[0]!r}, which XML can't; give the paper another id")
    return _quote(node)
