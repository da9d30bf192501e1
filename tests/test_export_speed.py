"""Tests at size: what two libraries read from an export, and how long writing takes beside RDFLib."""

from __future__ import annotations

import time
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
import rdflib

from kg.export import export
from kg.model import (
    Concept,
    ConceptType,
    Evidence,
    KnowledgeGraph,
    MentionFile,
    Paper,
    Predicate,
    Relation,
    Report,
    Section,
)
from kg.rdf import Layer, iter_triples, to_rdflib
from kg.rdf.shape import iter_nodes
from kg.rdf.terms import to_triples
from kg.rdf.write import write_nodes
from kg.vocab import BASE

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMATS = {
    "turtle": (ox.RdfFormat.TURTLE, "turtle"),
    "ntriples": (ox.RdfFormat.N_TRIPLES, "nt"),
    "jsonld": (ox.RdfFormat.JSON_LD, "json-ld"),
    "rdfxml": (ox.RdfFormat.RDF_XML, "xml"),
    "trig": (ox.RdfFormat.TRIG, "turtle"),
}
ROOT = Path(__file__).parents[1]


def make_graph(count: int) -> KnowledgeGraph:
    """Return a graph of so many papers, with about eighty triples for each."""
    names = {f"concept:method-{n}": f"method {n}" for n in range(3 * count)}
    concepts = [Concept(node, name, ConceptType.METHOD, (name.upper(),), 2) for node, name in names.items()]
    papers = [
        Paper(id=f"p{n}", title=f"Paper {n}", abstract=f"We use method {n} and “others” in {n} ways.", year=2020)
        for n in range(count)
    ]
    relations = tuple(_iter_relations(papers, concepts))
    named = ({one.id: one for one in papers}, {one.id: one for one in concepts})
    return KnowledgeGraph(*named, relations, MentionFile(Path("none")), Report())


def _iter_relations(papers: list[Paper], concepts: list[Concept]) -> Iterator[Relation]:
    """Yield some relations for each paper."""
    for number, paper in enumerate(papers):
        evidence = Evidence(paper.id, Section.ABSTRACT, 0, 7, 13, paper.abstract, "cue: we use", 0.8)
        for step in range(6):
            concept = concepts[(number * 7 + step * 13) % len(concepts)]
            yield Relation(paper.id, Predicate.USES_METHOD, concept.id, 0.8, (evidence,))


@pytest.mark.slow
def test_turtle_is_written_more_than_twenty_times_as_fast_as_by_rdflib(tmp_path: Path) -> None:
    nodes = [*iter_nodes(make_graph(4_000), base=BASE, layer=Layer.GRAPH)]
    graph = to_rdflib(chain.from_iterable(to_triples(nodes)))
    assert len(graph) >= 300_000

    started = time.process_time()
    write_nodes(nodes, tmp_path / "ours.ttl", "turtle", base=BASE)
    ours = time.process_time() - started
    started = time.process_time()
    graph.serialize(tmp_path / "theirs.ttl", format="turtle")
    theirs = time.process_time() - started

    assert theirs / ours >= 20, (theirs, ours)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib.*")  # its own parsers use what it deprecates
@pytest.mark.parametrize("form", FORMATS)
def test_both_libraries_read_a_large_export_alike(form: str, tmp_path: Path) -> None:
    ours, theirs = FORMATS[form]
    graph = make_graph(400)
    export(graph, form, tmp_path / "graph")
    expected = to_rdflib(iter_triples(graph))

    read = to_rdflib(one.triple for one in ox.parse(path=tmp_path / "graph", format=ours))
    parsed = rdflib.Graph().parse(tmp_path / "graph", format=theirs)

    assert set(read) == set(expected)
    assert len(parsed) == len(expected) > 25_000
    assert {tuple(map(str, one)) for one in parsed} == {tuple(map(str, one)) for one in expected}
