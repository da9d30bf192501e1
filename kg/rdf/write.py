"""The formats of RDF, each with the same triples and always the same bytes.

Nodes are written as they come, so memory does not follow the graph. N-Triples and Turtle are put
together of strings that are written as these formats want them already; what needs escapes
pyoxigraph writes, and it serialises RDF/XML. Heads and prefixes are ours: pyoxigraph's come in
no order. N-Triples are sorted by line: runs of
lines that fit in memory are sorted and merged, those that do not fit through temporary files.
"""

from __future__ import annotations

import contextlib
import gzip
import heapq
import json
import tempfile
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING
from xml.sax.saxutils import quoteattr

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, serialize

from kg.errors import ExportError
from kg.files import open_whole
from kg.rdf.layers import iter_layers
from kg.rdf.shape import Layer, iter_nodes, iter_triples
from kg.rdf.shorten import Shortener
from kg.rdf.terms import term, to_triples
from kg.vocab import BASE, PREFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
    from pathlib import Path

    import rdflib
    from pyoxigraph import Triple

    from kg.model import KnowledgeGraph
    from kg.rdf.terms import Node

    Nodes = Iterable[Node]
    Prefixes = Mapping[str, str]
    Format = Callable[[Nodes, Prefixes], Iterator[bytes]]

__all__ = ["RDF_FORMATS", "to_rdf", "to_rdflib", "write_mentions_nt", "write_nodes", "write_rdf", "write_turtle"]

_BATCH = 2_000  # nodes that are serialised at a time
_NEXT = " ;\n\t"  # between the predicates of a node in Turtle
_RUN = 200_000  # lines that are sorted in memory
_AT_ONCE = 10_000  # lines that are compressed at a time
_USED = (
    "bibo", "cskg-ont", "dcterms", "fabio", "foaf", "itsrdf", "kg", "lpwcc", "lpwcp", "nif", "prism", "prov",
    "rdf", "rdfs", "schema", "skos", "xsd",
)  # fmt: skip
_NODE_PREFIXES = ("community", "concept", "paper", "run", "statement", "venue")
_RDF_TYPE = PREFIXES["rdf"] + "type"
_XSD_STRING = PREFIXES["xsd"] + "string"


def to_rdf(kg: KnowledgeGraph, *, base: str = BASE) -> rdflib.Graph:
    """Return a graph as RDFLib's, without its mentions.

    Examples
    --------
    >>> from kg.model import KnowledgeGraph, MentionFile, Paper, Report
    >>> from pathlib import Path
    >>> paper = Paper(id="7", title="Topic models")
    >>> graph = to_rdf(KnowledgeGraph({paper.id: paper}, {}, (), MentionFile(Path("none")), Report()))
    >>> [str(title) for title in graph.objects(predicate=graph.namespace_manager.expand_curie("dcterms:title"))]
    ['Concepts of the papers', 'Topic models']
    """
    graph = to_rdflib(iter_triples(kg, base=base))
    for prefix, namespace in _find_prefixes(base).items():
        graph.bind(prefix, namespace)
    return graph


def to_rdflib(triples: Iterable[Triple]) -> rdflib.Graph:
    """Return pyoxigraph's triples as a graph of RDFLib's, literals character by character."""
    import rdflib

    graph = rdflib.Graph(bind_namespaces="none")
    for triple in triples:
        subject, value = _to_rdflib_node(triple.subject), _to_rdflib_node(triple.object)
        graph.add((subject, rdflib.URIRef(triple.predicate.value), value))
    return graph


def _to_rdflib_node(node: object) -> rdflib.term.Node:
    """Return a node of pyoxigraph's as RDFLib's."""
    import rdflib

    if isinstance(node, Literal):
        kind, language = node.datatype.value, node.language
        datatype = None if language or kind == _XSD_STRING else rdflib.URIRef(kind)
        return rdflib.Literal(node.value, lang=language, datatype=datatype, normalize=False)
    return rdflib.BNode(node.value) if isinstance(node, BlankNode) else rdflib.URIRef(_iri_of(node))


def write_rdf(
    kg: KnowledgeGraph,
    path: Path,
    format: str,
    *,
    base: str = BASE,
    layer: Layer | Collection[Layer] = Layer.GRAPH,
    texts: bool = True,
) -> None:
    """Write a graph, or layers of it, in one of `RDF_FORMATS`; the file appears complete or not at all.

    Parameters
    ----------
    texts : bool
        Whether abstracts and their sentences are in it; else there are their places only.

    Raises
    ------
    ExportError
        If there is no such format, or the file can't be written.
    """
    layers = (layer,) if isinstance(layer, Layer) else layer
    write_nodes(iter_layers(kg, base=base, layers=layers, texts=texts), path, format, base=base)


def write_nodes(nodes: Nodes, path: Path, format: str, *, base: str, names: Iterable[str] = ()) -> None:
    """Write nodes in one of `RDF_FORMATS`, with more prefixes than the usual where `names` has some."""
    if format not in RDF_FORMATS:
        raise ExportError(f"no RDF format {format!r}; there are {', '.join(sorted(RDF_FORMATS))}")
    prefixes = dict(sorted({**_find_prefixes(base), **{name: PREFIXES[name] for name in names}}.items()))
    blocks = RDF_FORMATS[format](nodes, prefixes)
    with open_whole(path) as file:
        file.writelines(blocks)


def write_turtle(kg: KnowledgeGraph, path: Path, *, base: str = BASE) -> None:
    """Write ``graph.ttl``: concepts, papers, and relations with their evidence."""
    write_rdf(kg, path, "turtle", base=base)


def write_mentions_nt(kg: KnowledgeGraph, path: Path, *, base: str = BASE) -> None:
    """Write ``mentions.nt.gz``: every mention with its offsets, sorted by line.

    The compressed file holds neither its name nor a time.
    """
    blocks = _to_ntriples(iter_nodes(kg, base=base, layer=Layer.MENTIONS), _find_prefixes(base))
    with open_whole(path) as file, gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
        while some := b"".join(islice(blocks, _AT_ONCE)):
            packed.write(some)


def _find_prefixes(base: str) -> dict[str, str]:
    """Return the prefixes of a file, sorted; those of nodes are the kinds of node ids."""
    prefixes = {name: PREFIXES[name] for name in _USED} | {kind: f"{base}{kind}/" for kind in _NODE_PREFIXES}
    return dict(sorted(prefixes.items()))


def _to_turtle(nodes: Nodes, prefixes: Prefixes) -> Iterator[bytes]:
    """Yield Turtle, which is TriG too."""
    for name, namespace in prefixes.items():
        yield f"@prefix {name}: <{namespace}> .\n".encode()
    shorten = Shortener(prefixes).shorten
    for node in nodes:
        text, last = f"\n{shorten(node.subject)}", ""
        for name, value in node.facts:
            between = " ," if name == last else f"{_NEXT if last else ' '}{'a' if name == 'rdf:type' else name}"
            text += f"{between} {shorten(value)}"
            last = name
        yield f"{text} .\n".encode()


def _to_ntriples(nodes: Nodes, _: Prefixes) -> Iterator[bytes]:
    """Yield N-Triples, sorted, each line once."""
    return _sort_lines(
        f"{node.subject} {term(name)} {value} .\n".encode() for node in nodes for name, value in node.facts
    )


def _to_rdfxml(nodes: Nodes, prefixes: Prefixes) -> Iterator[bytes]:
    """Yield RDF/XML; a carriage return is written as a reference, which a parser keeps."""
    names = "".join(f"\n    xmlns:{name}={quoteattr(namespace)}" for name, namespace in prefixes.items())
    yield f'<?xml version="1.0" encoding="UTF-8"?>\n<rdf:RDF{names}>\n'.encode()
    triples = to_triples(nodes)
    while some := list(islice(triples, _BATCH)):
        whole = serialize(chain.from_iterable(some), format=RdfFormat.RDF_XML, prefixes=dict(prefixes)) or b""
        body = whole.split(b"\n", 2)[2].rpartition(b"</rdf:RDF>")[0]
        yield body.replace(b"\r", b"&#13;")
    yield b"</rdf:RDF>\n"


def _to_jsonld(nodes: Nodes, prefixes: Prefixes) -> Iterator[bytes]:
    """Yield JSON-LD with its context inside, a node a line."""
    context = json.dumps(dict(prefixes), ensure_ascii=False)
    yield f'{{"@context": {context},\n"@graph": ['.encode()
    for number, node in enumerate(to_triples(nodes)):
        line = json.dumps(_to_json_node(node, prefixes), ensure_ascii=False)
        yield (",\n" if number else "\n").encode() + line.encode()
    yield b"\n]}\n"


def _to_json_node(node: list[Triple], prefixes: Prefixes) -> dict[str, object]:
    """Return one node as a JSON object with compact names of terms."""
    json_node: dict[str, object] = {"@id": _iri_of(node[0].subject)}
    for predicate, triples in groupby(node, key=lambda triple: triple.predicate.value):
        values = [triple.object for triple in triples]
        if predicate == _RDF_TYPE:
            json_node["@type"] = [_compact(_iri_of(value), prefixes) for value in values]
        else:
            json_values = [_to_json_value(value, prefixes) for value in values]
            json_node[_compact(predicate, prefixes)] = json_values if len(json_values) > 1 else json_values[0]
    return json_node


def _to_json_value(value: object, prefixes: Prefixes) -> str | dict[str, str]:
    """Return one object of a triple in JSON-LD."""
    if not isinstance(value, Literal):
        return {"@id": _iri_of(value)}
    if value.datatype.value == _XSD_STRING:
        return value.value
    return {"@type": _compact(value.datatype.value, prefixes), "@value": value.value}


def _compact(iri: str, prefixes: Prefixes) -> str:
    """Return the CURIE of a term."""
    cut = max(iri.rfind("#"), iri.rfind("/")) + 1
    for name, namespace in prefixes.items():
        if namespace == iri[:cut]:
            return f"{name}:{iri[cut:]}"
    return iri


def _iri_of(node: object) -> str:
    """Return the IRI of a node, which all subjects and all objects but literals are."""
    if not isinstance(node, NamedNode):
        raise ExportError(f"{node!r} is no IRI; a graph has no blank nodes")
    return node.value


def _sort_lines(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Yield lines sorted, each once."""
    with contextlib.ExitStack() as stack:
        runs: list[Iterable[bytes]] = []
        while run := sorted(islice(lines, _RUN)):
            if len(run) < _RUN:  # the last one stays in memory
                runs.append(run)
                break
            file = stack.enter_context(tempfile.TemporaryFile())
            file.writelines(run)
            file.seek(0)
            runs.append(file)
        yield from (line for line, _ in groupby(heapq.merge(*runs)))


RDF_FORMATS: dict[str, Format] = {
    "jsonld": _to_jsonld,
    "ntriples": _to_ntriples,
    "rdfxml": _to_rdfxml,
    "trig": _to_turtle,
    "turtle": _to_turtle,
}
