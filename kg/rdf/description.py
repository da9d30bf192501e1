"""A description of the data: VoID and DCAT for catalogues, with measures of quality in DQV.

It counts the triples, nodes, classes and properties of the graph, and says of what layers and
files it is made. Whose texts the papers' are nobody can tell from the papers: the licence is what
`licence` says, and without it the description says that it is not known.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import quote

from kg.errors import ExportError
from kg.rdf.quality import iter_measures
from kg.rdf.shape import Layer, iter_nodes
from kg.rdf.terms import describe, ref, term, to_count, to_node, to_text
from kg.rdf.write import write_nodes
from kg.vocab import BASE, PREFIXES, to_term

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from kg.model import KnowledgeGraph
    from kg.rdf.terms import Fact, Node, Value

__all__ = ["iter_description", "write_description"]

_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|\\^`\ud800-\udfff]+")
_MEDIA_TYPES = "https://www.iana.org/assignments/media-types/"
_UNKNOWN = "The licence of the papers' titles, abstracts and sentences is not known."
_PARTS = {
    Layer.CONCEPTS: "Concepts, papers and their direct relations",
    Layer.STATEMENTS: "Statements about relations, with confidence and evidence",
    Layer.MENTIONS: "Mentions of concepts, with offsets in texts",
}
_FILES = {
    "graph.ttl": ("text/turtle", ""),
    "mentions.nt.gz": ("application/n-triples", "application/gzip"),
}


def write_description(kg: KnowledgeGraph, path: Path, *, base: str = BASE, licence: str = "") -> None:
    """Write what the data of a graph are, in Turtle.

    Parameters
    ----------
    licence : str
        The IRI of the licence under which the data, texts included, may be used.

    Raises
    ------
    ExportError
        If `licence` is no IRI, or the file can't be written.
    """
    if licence and not _IRI.fullmatch(licence):
        raise ExportError(f"licence {licence!r} is no IRI, such as 'https://creativecommons.org/licenses/by/4.0/'")
    nodes = iter_description(kg, base=base, licence=licence)
    write_nodes(nodes, path, "turtle", base=base, names=("dcat", "dqv", "void"))


def iter_description(kg: KnowledgeGraph, *, base: str, licence: str = "") -> Iterator[Node]:
    """Yield the data set, its layers, files, classes, properties and measures, each with its triples."""
    root = base + "dataset"
    counts = {layer: _Counts(iter_nodes(kg, base=base, layer=layer)) for layer in _PARTS}
    whole = _Counts(())
    for layer in (Layer.CONCEPTS, Layer.STATEMENTS):
        whole.add(counts[layer])
    facts = [*_iter_head(kg, licence, base=base), *whole.iter_facts()]
    facts += [("void:subset", ref(f"{root}/{layer}")) for layer in _PARTS]
    facts += [("dcat:distribution", ref(f"{root}/{file}")) for file in _FILES]
    used = {one[: max(one.rfind("#"), one.rfind("/")) + 1] for one in (*whole.classes, *whole.properties)}
    facts += [("void:vocabulary", ref(one)) for one in sorted(used)]
    for kind, one, _ in whole.iter_partitions():
        facts.append((f"void:{kind}Partition", _partition_node(root, kind, one)))
    yield describe(ref(root), facts)
    for layer, title in _PARTS.items():
        layer_facts: list[Fact] = [("rdf:type", term("void:Dataset")), ("dcterms:title", to_text(title))]
        yield describe(ref(f"{root}/{layer}"), [*layer_facts, *counts[layer].iter_facts()])
    yield from _iter_files(root)
    yield from _iter_partitions(root, whole)
    yield from iter_measures(kg, root)


class _Counts:
    """How many triples, nodes, instances of classes and uses of properties there are."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.triples = self.nodes = 0
        self.classes: Counter[str] = Counter()
        self.properties: Counter[str] = Counter()
        for node in nodes:
            self.nodes += 1
            self.triples += len(node.facts)
            self.properties.update(to_term(name) for name, _ in node.facts)
            self.classes.update(value[1:-1] for name, value in node.facts if name == "rdf:type")

    def add(self, other: _Counts) -> None:
        """Add the counts of nodes that are not counted yet."""
        self.triples += other.triples
        self.nodes += other.nodes
        self.classes.update(other.classes)
        self.properties.update(other.properties)

    def iter_partitions(self) -> Iterator[tuple[str, str, int]]:
        """Yield "class" or "property", its IRI, and how often it is used."""
        yield from (("class", one, number) for one, number in sorted(self.classes.items()))
        yield from (("property", one, number) for one, number in sorted(self.properties.items()))

    def iter_facts(self) -> Iterator[Fact]:
        """Yield the counts in the terms of VoID."""
        yield "void:triples", to_count(self.triples)
        yield "void:entities", to_count(self.nodes)
        yield "void:distinctSubjects", to_count(self.nodes)
        yield "void:classes", to_count(len(self.classes))
        yield "void:properties", to_count(len(self.properties))


def _iter_head(kg: KnowledgeGraph, licence: str, *, base: str) -> Iterator[Fact]:
    """Yield what is said about the data set as a whole."""
    yield "rdf:type", term("dcat:Dataset")
    yield "rdf:type", term("void:Dataset")
    yield "dcterms:title", to_text("Methods, datasets, tasks and metrics of papers")
    counts = f"{len(kg.papers)} papers, {len(kg.concepts)} concepts, {len(kg.relations)} relations"
    yield "dcterms:description", to_text(f"A knowledge graph of what papers are about, from their abstracts: {counts}.")
    yield "dcterms:creator", ref(base + "program")
    yield "dcterms:conformsTo", ref(PREFIXES["kg"].rstrip("#"))
    if licence:
        yield "dcterms:license", ref(licence)
    else:
        yield "dcterms:rights", to_text(_UNKNOWN)
    yield "void:uriSpace", to_text(base)
    yield "void:rootResource", ref(base + "scheme")
    for nodes in (kg.papers, kg.concepts):
        for node in sorted(nodes)[:1]:
            yield "void:exampleResource", to_node(node, base)


def _iter_files(root: str) -> Iterator[Node]:
    """Yield the files that a build writes."""
    for file, (media, packing) in _FILES.items():
        facts: list[Fact] = [("rdf:type", term("dcat:Distribution")), ("dcterms:title", to_text(file))]
        facts.append(("dcat:mediaType", ref(_MEDIA_TYPES + media)))
        if packing:
            facts.append(("dcat:compressFormat", ref(_MEDIA_TYPES + packing)))
        yield describe(ref(f"{root}/{file}"), facts)


def _iter_partitions(root: str, counts: _Counts) -> Iterator[Node]:
    """Yield how often each class and each property is used."""
    for kind, one, number in counts.iter_partitions():
        facts: list[Fact] = [(f"void:{kind}", ref(one))]
        facts.append(("void:entities" if kind == "class" else "void:triples", to_count(number)))
        yield describe(_partition_node(root, kind, one), facts)


def _partition_node(root: str, kind: str, one: str) -> Value:
    """Return the node of what is said with a class or property."""
    return ref(f"{root}/{kind}/{quote(one, safe='')}")
