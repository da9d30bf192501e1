"""The graph as NetworkX shows it, and the files that other graph programs read.

Nodes are papers and concepts by id; an edge is a relation, and its key is the predicate. What
is not known is absent: no attribute is ever ``None``.

A paper has ``kind`` ("Paper"), ``label``, and where known ``title``, ``abstract``, ``year``,
``venue``, ``authors``, ``doi``, ``url`` and ``keywords``. A concept has ``kind`` ("Concept"),
``type``, ``label``, ``alt_labels`` and ``papers`` (how many). An edge has ``score``,
``evidence`` (a list of ``{paper, section, sentence, start, end, method}``) and, between papers,
``via`` (the concepts that join them).

GraphML and GEXF know no lists. In both, lists are joined by " | ", ``evidence`` is the first
sentence and ``support`` the number of papers that speak for the edge. GraphML has the predicate
in ``key``, GEXF in ``networkx_key`` and ``label``; NetworkX reads either as the edge's key. GEXF
keeps ``type`` for itself, so there it is ``concept_type``. Characters that XML 1.0 forbids become
U+FFFD, as in the RDF formats.
"""

from __future__ import annotations

import json
import re
from io import TextIOWrapper
from typing import TYPE_CHECKING, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from kg.errors import ExportError, GraphError
from kg.files import open_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import TextIO

    import networkx as nx

    from kg.model import Concept, KnowledgeGraph, Paper, Relation

__all__ = ["Attributes", "iter_edges", "iter_nodes", "to_network", "write_gexf", "write_graphml", "write_json"]

Attributes: TypeAlias = dict[str, str | int | float | list[str] | list[dict[str, str | int]]]

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


def to_network(kg: KnowledgeGraph) -> nx.MultiDiGraph:
    """Return the graph with papers and concepts as nodes and relations as edges.

    Returns
    -------
    networkx.MultiDiGraph
        Edge keys are predicates. Attributes are as the module says; those of the graph are
        the program and how many papers, concepts and relations there are.

    Raises
    ------
    GraphError
        If a relation is in the graph twice.
    """
    import networkx as nx

    network = nx.MultiDiGraph(**_graph_attributes(kg))
    network.add_nodes_from(iter_nodes(kg))
    for subject, object_, predicate, attributes in iter_edges(kg):
        if network.has_edge(subject, object_, predicate):
            raise GraphError(f"{subject} {predicate} {object_} is in the graph twice")
        network.add_edge(subject, object_, predicate, **attributes)
    return network


def iter_nodes(kg: KnowledgeGraph) -> Iterator[tuple[str, Attributes]]:
    """Yield the id and the attributes of each node: papers, then concepts, sorted by id."""
    for paper in sorted(kg.papers.values(), key=lambda paper: paper.id):
        yield paper.id, _paper_attributes(paper)
    for concept in sorted(kg.concepts.values(), key=lambda concept: concept.id):
        yield concept.id, _concept_attributes(concept)


def iter_edges(kg: KnowledgeGraph) -> Iterator[tuple[str, str, str, Attributes]]:
    """Yield subject, object, predicate and attributes of each relation, sorted by id."""
    for relation in _sorted_relations(kg):
        evidence: list[dict[str, str | int]] = [
            {
                "paper": one.paper,
                "section": one.section.value,
                "sentence": one.sentence,
                "start": one.start,
                "end": one.end,
                "method": one.method,
            }
            for one in relation.evidence
        ]
        attributes: Attributes = {"score": relation.score, "evidence": evidence}
        if relation.via:
            attributes["via"] = list(relation.via)
        yield relation.subject, relation.object, relation.predicate.value, attributes


def write_json(kg: KnowledgeGraph, path: Path) -> None:
    """Write node-link JSON, a node or an edge a line.

    ``networkx.node_link_graph(json.load(file), edges="edges")`` makes the network of it.
    """
    with open_whole(path) as raw, TextIOWrapper(raw, "utf-8", "replace", "\n") as file:
        file.write(f'{{"directed": true, "multigraph": true, "graph": {_to_json(_graph_attributes(kg))},\n"nodes": [')
        _write_lines(file, ({"id": node} | attributes for node, attributes in iter_nodes(kg)))
        file.write('],\n"edges": [')
        _write_lines(
            file,
            (
                {"source": subject, "target": object_, "key": predicate} | attributes
                for subject, object_, predicate, attributes in iter_edges(kg)
            ),
        )
        file.write("]}\n")


def write_graphml(kg: KnowledgeGraph, path: Path) -> None:
    """Write GraphML for Gephi, Cytoscape, igraph and ``networkx.read_graphml``.

    Raises
    ------
    ExportError
        If a node's id holds a character that XML forbids.
    """
    counts = _graph_attributes(kg)
    with open_whole(path) as raw, TextIOWrapper(raw, "utf-8", newline="\n") as file:
        file.write('<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n')
        kinds = {name: "integer" if isinstance(value, int) else "string" for name, value in counts.items()}
        for group, types in (("graph", kinds), ("node", _NODE_TYPES), ("edge", _EDGE_TYPES)):
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
        for group, types in (("node", _NODE_TYPES), ("edge", _EDGE_TYPES)):
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


def _graph_attributes(kg: KnowledgeGraph) -> dict[str, str | int]:
    """Return what is said about the graph as a whole."""
    counts: dict[str, str | int] = {
        "papers": len(kg.papers),
        "concepts": len(kg.concepts),
        "relations": len(kg.relations),
    }
    for name in ("program", "model", "licence"):
        if kg.report.settings.get(name):
            counts[name] = kg.report.settings[name]
    return counts


def _paper_attributes(paper: Paper) -> Attributes:
    """Return the attributes of a paper's node, without those that are not known."""
    attributes: Attributes = {"kind": "Paper", "label": paper.label}
    known: Attributes = {
        "title": paper.title,
        "abstract": paper.abstract,
        "year": paper.year or "",
        "venue": paper.venue,
        "authors": list(paper.authors),
        "doi": paper.doi,
        "url": paper.url,
        "keywords": list(paper.keywords),
    }
    return attributes | {name: value for name, value in known.items() if value}


def _concept_attributes(concept: Concept) -> Attributes:
    """Return the attributes of a concept's node."""
    return {
        "kind": "Concept",
        "type": concept.type.value,
        "label": concept.label,
        "alt_labels": list(concept.alt_labels),
        "papers": concept.papers,
    }


def _sorted_relations(kg: KnowledgeGraph) -> list[Relation]:
    """Return the relations by subject, predicate and object."""
    return sorted(kg.relations, key=lambda one: (one.subject, one.predicate.value, one.object))


def _flat_nodes(kg: KnowledgeGraph) -> Iterator[tuple[str, dict[str, str | int | float]]]:
    """Yield the id of each node and its attributes as text and numbers."""
    for node, attributes in iter_nodes(kg):
        yield node, {name: _flatten(value) for name, value in attributes.items() if value != []}


def _flat_edges(kg: KnowledgeGraph) -> Iterator[tuple[Relation, dict[str, str | int | float]]]:
    """Yield each relation and its attributes as text and numbers."""
    for relation in _sorted_relations(kg):
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


def _write_lines(file: TextIO, rows: Iterable[Attributes]) -> None:
    """Write the values of a JSON array, one a line."""
    for count, row in enumerate(rows):
        file.write((",\n" if count else "\n") + _to_json(row))


def _to_json(value: Mapping[str, object]) -> str:
    """Return a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


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
