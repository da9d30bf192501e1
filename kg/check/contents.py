"""What the files of a folder hold, which must be the same papers, concepts and relations."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from xml.parsers import expat

from pyoxigraph import Literal, NamedNode

from kg.check.finding import Finding
from kg.errors import GraphError, KgError
from kg.model import MatchKind
from kg.rdf.terms import to_clean
from kg.vocab import from_iri, to_term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from pyoxigraph import Store

    from kg.model import KnowledgeGraph

__all__ = ["Contents", "find_differences"]

_GRAPHML_KEY = "edge_key"  # the field of an edge that holds its predicate
_SHOWN = 3  # examples in a finding


@dataclass(frozen=True, slots=True)
class Contents:
    """Which papers, concepts and relations a file holds, by node id."""

    papers: frozenset[str]
    concepts: frozenset[str]
    relations: frozenset[tuple[str, str, str]]  # subject, predicate, object
    matches: frozenset[tuple[str, str, str]] | None = None  # concept, predicate, IRI; none where they can't be told
    labels: frozenset[tuple[str, str]] | None = None  # concept and label; none where they are not read


def find_differences(folder: Path, kg: KnowledgeGraph, triples: Store | None) -> Iterator[Finding]:
    """Yield where the files made from the tables hold something else than the tables.

    Parameters
    ----------
    triples : pyoxigraph.Store, optional
        What ``graph.ttl`` holds; without it, that file is not compared.
    """
    relations = frozenset((one.subject, str(one.predicate), one.object) for one in kg.relations)
    matches = frozenset((one.concept, str(one.predicate), one.iri) for one in kg.matches)
    labels = frozenset((one.id, to_clean(one.label)) for one in kg.concepts.values())
    expected = Contents(frozenset(kg.papers), frozenset(kg.concepts), relations, matches, labels)
    readers: dict[str, Callable[[], Contents]] = {
        "graph.json": lambda: _read_json(folder / "graph.json"),
        "graph.graphml": lambda: _read_graphml(folder / "graph.graphml"),
    }
    if triples is not None:
        readers["graph.ttl"] = lambda: _read_store(triples)
    for file, read in readers.items():
        try:
            found = read()
        except (OSError, ValueError, KeyError, TypeError, AttributeError, expat.ExpatError, KgError) as error:
            yield Finding(file, f"can't be read: {error}")
            continue
        yield from _compare(file, found, expected)


def _compare(file: str, found: Contents, expected: Contents) -> Iterator[Finding]:
    """Yield what one file lacks, has too much, and which relations of it dangle."""
    for kind in ("papers", "concepts", "relations", "matches", "labels"):
        here, there = getattr(found, kind), getattr(expected, kind)
        if here is not None and here != there:
            examples = _show(there - here, "lacks") + _show(here - there, "has besides")
            yield Finding(file, f"holds {len(here)} {kind}, the tables {len(there)}: it {' and '.join(examples)}")
    nodes = found.papers | found.concepts
    for relation in sorted(found.relations):
        for end in (relation[0], relation[2]):
            if end not in nodes:
                yield Finding(file, f"{' '.join(relation)} ends at {end}, which is not in the file")


def _show(values: Iterable[object], verb: str) -> list[str]:
    """Return a phrase with some of the values, or none where there are none."""
    texts = sorted(" ".join(value) if isinstance(value, tuple) else str(value) for value in values)
    more = [f"{len(texts) - _SHOWN} more"] if len(texts) > _SHOWN else []
    return [f"{verb} {', '.join(texts[:_SHOWN] + more)}"] if texts else []


def _to_contents(nodes: Iterable[str], relations: Iterable[tuple[str, str, str]]) -> Contents:
    """Return contents from node ids and relations, each of which may be there once only."""
    ids, edges = list(nodes), list(relations)
    for values in (ids, edges):
        if len(values) != len(set(values)):
            raise GraphError("a node or a relation is in it twice")
    papers = frozenset(node for node in ids if node.startswith("paper:"))
    return Contents(papers, frozenset(ids) - papers, frozenset(edges))


def _read_json(path: Path) -> Contents:
    """Return what node-link JSON holds."""
    document = json.loads(path.read_bytes())
    edges = ((edge["source"], edge["key"], edge["target"]) for edge in document["edges"])
    contents = _to_contents((node["id"] for node in document["nodes"]), edges)
    names = {MatchKind.EXACT: "exact_match", MatchKind.CLOSE: "close_match"}
    matches = (
        (node["id"], str(kind), iri)
        for node in document["nodes"]
        for kind in names
        for iri in node.get(names[kind], ())
    )
    labels = ((node["id"], to_clean(node["label"])) for node in document["nodes"] if node["id"] in contents.concepts)
    return replace(contents, matches=frozenset(matches), labels=frozenset(labels))


def _read_graphml(path: Path) -> Contents:
    """Return what GraphML holds; it is read as a stream, and entities are refused."""
    nodes: list[str] = []
    edges: list[list[str]] = []  # subject, predicate, object
    within: list[str] = []  # the elements that are open

    def start(name: str, attributes: dict[str, str]) -> None:
        within.append(f"{name} {attributes.get('key', '')}")
        if name == "node":
            nodes.append(attributes["id"])
        elif name == "edge":
            edges.append([attributes["source"], "", attributes["target"]])

    def text(content: str) -> None:
        if edges and within[-1] == f"data {_GRAPHML_KEY}":
            edges[-1][1] += content

    def refuse(*_: object) -> None:
        raise GraphError("it declares an entity")

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: within.pop()
    parser.CharacterDataHandler = text
    parser.EntityDeclHandler = refuse
    with path.open("rb") as file:
        parser.ParseFile(file)
    return _to_contents(nodes, ((subject, predicate, object_) for subject, predicate, object_ in edges))


def _read_store(triples: Store) -> Contents:
    """Return what ``graph.ttl`` holds; relations are its statements."""
    base = _find_base(triples)
    nodes = [
        from_iri(node, base=base)
        for kind in ("schema:ScholarlyArticle", "skos:Concept")
        for node in _find_instances(triples, kind)
    ]
    edges = []
    for statement in _find_instances(triples, "cskg-ont:Statement"):
        parts = [_find_object(triples, statement, name) for name in ("rdf:subject", "rdf:predicate", "rdf:object")]
        subject, predicate, object_ = parts
        edges.append((from_iri(subject, base=base), predicate.rpartition("#")[2], from_iri(object_, base=base)))
    matches = [
        (from_iri(node, base=base), str(kind), iri)
        for kind in MatchKind
        for node, iri in _find_pairs(triples, f"skos:{kind}")
    ]
    contents = _to_contents(nodes, edges)
    return replace(contents, matches=frozenset(matches), labels=frozenset(_iter_labels(triples, contents, base)))


def _iter_labels(triples: Store, contents: Contents, base: str) -> Iterator[tuple[str, str]]:
    """Yield concepts with their preferred labels."""
    for quad in triples.quads_for_pattern(None, NamedNode(to_term("skos:prefLabel")), None):
        if isinstance(quad.subject, NamedNode) and isinstance(quad.object, Literal):
            iri = quad.subject.value
            node = from_iri(iri, base=base) if iri.startswith(f"{base}concept/") else iri
            if node in contents.concepts:
                yield node, quad.object.value


def _find_base(triples: Store) -> str:
    """Return the base of the nodes' IRIs, from the concept scheme's."""
    schemes = _find_instances(triples, "skos:ConceptScheme")
    if len(schemes) != 1 or not schemes[0].endswith("scheme"):
        raise GraphError(f"it has {len(schemes)} concept schemes, not one that ends in 'scheme'")
    return schemes[0].removesuffix("scheme")


def _find_instances(triples: Store, kind: str) -> list[str]:
    """Return the IRIs of the nodes of a class."""
    quads = triples.quads_for_pattern(None, NamedNode(to_term("rdf:type")), NamedNode(to_term(kind)))
    return [quad.subject.value for quad in quads if isinstance(quad.subject, NamedNode)]


def _find_pairs(triples: Store, name: str) -> list[tuple[str, str]]:
    """Return the IRIs that a predicate joins."""
    quads = triples.quads_for_pattern(None, NamedNode(to_term(name)), None)
    pairs = [(quad.subject, quad.object) for quad in quads]
    return [(one.value, two.value) for one, two in pairs if isinstance(one, NamedNode) and isinstance(two, NamedNode)]


def _find_object(triples: Store, subject: str, name: str) -> str:
    """Return the IRI that a predicate leads to; there must be one."""
    quads = list(triples.quads_for_pattern(NamedNode(subject), NamedNode(to_term(name)), None))
    if len(quads) != 1 or not isinstance(quads[0].object, NamedNode):
        raise GraphError(f"{subject} has {len(quads)} {name}, not one IRI")
    return quads[0].object.value
