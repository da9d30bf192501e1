"""Tests that no fault of the triples is passed over: graphs are broken in many ways."""

from __future__ import annotations

import time
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, cast

import pyoxigraph
import pyshacl
import pytest
from pyoxigraph import BlankNode, NamedNode
from rdflib import SH, Graph, URIRef

from kg.check import check
from kg.check.screen import make_screen
from kg.model import Predicate, Relation
from kg.rdf import Layer, iter_triples, to_rdflib, write_turtle
from kg.vocab import PREFIXES, find_ontology
from tests.test_check import sign, write_folder

if TYPE_CHECKING:
    from pathlib import Path

    from kg.check.screen import Screen
    from kg.model import KnowledgeGraph

PARTS = {
    "broader": "INSERT { ?y skos:related ?x } WHERE { ?x skos:broader ?y }",
    "circle": "INSERT { ?y skos:broader ?x } WHERE { ?x skos:broader ?y }",
    "end gone": "DELETE { ?c ?p ?o } WHERE { ?c skos:prefLabel 'ImageNet' ; ?p ?o }",
    "paper gone": "DELETE { ?x ?p ?o } WHERE { ?x dcterms:identifier '7' ; ?p ?o }",
    "type gone": "DELETE { ?x a kg:Metric } WHERE { ?x a kg:Metric }",
    "two types": "INSERT { ?x a kg:Task } WHERE { ?x a kg:Metric }",
    "two labels": "INSERT { ?x skos:prefLabel 'another' } WHERE { ?x skos:prefLabel 'LoDA' }",
    "no label": "DELETE { ?x skos:prefLabel ?o } WHERE { ?x skos:prefLabel ?o FILTER (?o = 'LoDA') }",
    "blank label": "DELETE { ?x skos:prefLabel ?o } INSERT { ?x skos:prefLabel ' ' } WHERE { ?x skos:prefLabel ?o }",
    "label as other label": "INSERT { ?x skos:altLabel ?o } WHERE { ?x skos:prefLabel ?o }",
    "label of another": "DELETE { ?x skos:prefLabel 'C++' } INSERT { ?x skos:prefLabel 'LoDA' }"
    " WHERE { ?x skos:prefLabel 'C++' }",
    "label with language": "DELETE { ?x skos:prefLabel ?o } INSERT { ?x skos:prefLabel 'LoDA'@en }"
    " WHERE { ?x skos:prefLabel ?o FILTER (?o = 'LoDA') }",
    "no scheme": "DELETE { ?x skos:inScheme ?o } WHERE { ?x skos:inScheme ?o }",
    "confidence above 1": "DELETE { ?x kg:confidence ?o } INSERT { ?x kg:confidence 1.5 }"
    " WHERE { ?x kg:confidence ?o }",
    "confidence in words": "DELETE { ?x kg:confidence ?o } INSERT { ?x kg:confidence 'high'^^xsd:decimal }"
    " WHERE { ?x kg:confidence ?o }",
    "no evidence": "DELETE { ?x kg:evidence ?o } WHERE { ?x kg:evidence ?o }",
    "support 0": "DELETE { ?x cskg-ont:hasSupport ?o } INSERT { ?x cskg-ont:hasSupport 0 }"
    " WHERE { ?x cskg-ont:hasSupport ?o }",
    "unknown predicate": "DELETE { ?x rdf:predicate ?o } INSERT { ?x rdf:predicate kg:via }"
    " WHERE { ?x rdf:predicate ?o }",
    "no statement": "DELETE { ?x kg:introduces ?o } WHERE { ?x kg:introduces ?o }",
    "dataset as method": "INSERT { ?p kg:usesMethod ?d } WHERE { ?p kg:usesDataset ?d }",
    "paper as concept": "INSERT { ?p kg:mentions ?p } WHERE { ?p a fabio:ConferencePaper }",
    "year in words": "DELETE { ?p dcterms:issued ?o } INSERT { ?p dcterms:issued 'soon' }"
    " WHERE { ?p dcterms:issued ?o }",
    "year of another kind": "DELETE { ?p dcterms:issued ?o } INSERT { ?p dcterms:issued '2026'^^xsd:gYear }"
    " WHERE { ?p dcterms:issued ?o }",
    "two years": "DELETE { ?p dcterms:date ?o } INSERT { ?p dcterms:date 1999 } WHERE { ?p dcterms:date ?o }",
    "no title": "DELETE { ?p dcterms:title ?o } WHERE { ?p a lpwcc:paper ; dcterms:title ?o }",
    "author in words": "INSERT { ?p dcterms:creator 'Lee' } WHERE { ?p a lpwcc:paper }",
    "sentence without text": "DELETE { ?x nif:anchorOf ?o } WHERE { ?x nif:anchorOf ?o }",
    "text gone": "DELETE { ?x nif:isString ?o } WHERE { ?x nif:isString ?o }",
    "end before start": "DELETE { ?x nif:endIndex ?o } INSERT { ?x nif:endIndex '0'^^xsd:nonNegativeInteger }"
    " WHERE { ?x a nif:Sentence ; nif:endIndex ?o }",
    "a community without name": "DELETE { ?x skos:prefLabel ?o } WHERE { ?x a kg:Community ; skos:prefLabel ?o }",
    "a member that is gone": "INSERT { ?x skos:member <https://example.org/gone> } WHERE { ?x a kg:Community }",
    "replaced by nothing": "INSERT { <https://example.org/old> dcterms:isReplacedBy <https://example.org/gone> }"
    " WHERE { ?x a skos:ConceptScheme }",
    "centrality of 2": "INSERT { ?x kg:centrality 2.0 } WHERE { ?x skos:prefLabel 'LoDA' }",
    "a run of no program": "DELETE { ?x prov:wasAssociatedWith ?o } WHERE { ?x prov:wasAssociatedWith ?o }",
    "blank node": "INSERT { ?x skos:note [] } WHERE { ?x a kg:Metric }",
}


@pytest.fixture
def whole_graph(placed_graph: KnowledgeGraph) -> KnowledgeGraph:
    """Return a graph with communities and a concept above another."""
    from dataclasses import replace

    first = placed_graph.relations[0]
    above = Relation("concept:loda", Predicate.BROADER, "concept:low rank adaptation", 0.9, first.evidence)
    return replace(placed_graph, relations=(above, *placed_graph.relations))


def break_graph(kg: KnowledgeGraph, layer: Layer, fault: str) -> Graph:
    """Return the triples of a graph after an update that breaks them."""
    graph = to_rdflib(iter_triples(kg, layer=layer))
    before = set(graph)
    graph.update(fault, initNs={name: URIRef(iri) for name, iri in PREFIXES.items()})
    assert set(graph) != before
    return graph


def find_suspects(graph: Graph, shapes: Graph) -> set[str]:
    """Return the nodes that the screen leaves to the engine."""
    text = graph.serialize(format="nt").encode()
    triples = sorted((one.triple for one in pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.N_TRIPLES)), key=str)
    kind = NamedNode(PREFIXES["rdf"] + "type")
    types: dict[object, set[object]] = {}
    for one in triples:
        if one.predicate == kind:
            types.setdefault(one.subject, set()).add(one.object)
    is_suspect: Screen = make_screen(shapes, lambda node: frozenset(types.get(node, ())))
    nodes = [(subject, [*one]) for subject, one in groupby(triples, key=attrgetter("subject"))]
    return {cast("NamedNode | BlankNode", subject).value for subject, one in nodes if is_suspect(one)}


@pytest.fixture(scope="module")
def shapes() -> Graph:
    """Return the shapes."""
    return Graph().parse(find_ontology() / "shapes.ttl", format="turtle")


@pytest.mark.parametrize("layer", [Layer.GRAPH, Layer.MENTIONS])
def test_nothing_is_suspect_in_a_graph_that_conforms(whole_graph: KnowledgeGraph, shapes: Graph, layer: Layer) -> None:
    assert find_suspects(to_rdflib(iter_triples(whole_graph, layer=layer)), shapes) == set()


@pytest.mark.parametrize("fault", PARTS)
def test_each_fault_of_the_triples_is_found(whole_graph: KnowledgeGraph, tmp_path: Path, fault: str) -> None:
    folder = write_folder(whole_graph, tmp_path / "graph")
    assert check(folder) == []
    graph = break_graph(whole_graph, Layer.GRAPH, PARTS[fault])
    (folder / "graph.ttl").write_text(graph.serialize(format="nt"), encoding="utf-8", newline="\n")
    sign(folder)

    assert {one.file for one in check(folder)} == {"graph.ttl"}


@pytest.mark.parametrize("fault", PARTS)
def test_what_the_engine_finds_was_suspect(whole_graph: KnowledgeGraph, shapes: Graph, fault: str) -> None:
    graph = break_graph(whole_graph, Layer.GRAPH, PARTS[fault])

    conforms, report, _ = pyshacl.validate(graph, shacl_graph=shapes)

    found = {str(node) for node in report.objects(predicate=SH.focusNode)}
    assert conforms == (not found)
    assert found <= find_suspects(graph, shapes)


@pytest.mark.parametrize(
    "fault",
    [
        "DELETE { ?x itsrdf:taIdentRef ?o } WHERE { ?x itsrdf:taIdentRef ?o }",
        "DELETE { ?x nif:anchorOf ?o } WHERE { ?x a nif:Phrase ; nif:anchorOf ?o }",
        "INSERT { ?x itsrdf:taConfidence 2.0 } WHERE { ?x a nif:Phrase }",
        "INSERT { ?x itsrdf:taClassRef skos:Concept } WHERE { ?x a nif:Phrase }",
        "DELETE { ?x nif:beginIndex ?o } INSERT { ?x nif:beginIndex -1 } WHERE { ?x nif:beginIndex ?o }",
    ],
)
def test_what_the_engine_finds_of_mentions_was_suspect(whole_graph: KnowledgeGraph, shapes: Graph, fault: str) -> None:
    graph = break_graph(whole_graph, Layer.MENTIONS, fault)

    _, report, _ = pyshacl.validate(graph, shacl_graph=shapes)

    found = {str(node) for node in report.objects(predicate=SH.focusNode)}
    assert found
    assert found <= find_suspects(graph, shapes)


@pytest.mark.parametrize(
    "constraint",
    [
        "sh:property [ sh:path skos:prefLabel ; sh:maxLength 2 ]",
        "sh:property [ sh:path ( skos:broader skos:broader ) ; sh:maxCount 0 ]",
        "sh:property [ sh:path skos:prefLabel ; sh:or ( [ sh:minLength 9 ] [ sh:maxLength 2 ] ) ]",
        "sh:closed true",
        "sh:not [ sh:class skos:Concept ]",
        "sh:or ( [ sh:closed true ] )",
        "sh:sparql [ sh:select 'SELECT $this { }' ]",
        "sh:property [ sh:path skos:prefLabel ; sh:qualifiedValueShape [ sh:minLength 9 ] ; sh:qualifiedMinCount 1 ]",
        "sh:property [ sh:path skos:prefLabel ; sh:datatype xsd:date ]",
        "sh:property [ sh:path skos:prefLabel ; sh:minInclusive 3 ]",
    ],
)
def test_a_constraint_that_the_screen_does_not_know_is_left_to_the_engine(
    small_graph: KnowledgeGraph, constraint: str
) -> None:
    head = "".join(f"@prefix {name}: <{iri}> .\n" for name, iri in {**PREFIXES, "sh": str(SH)}.items())
    shapes = Graph().parse(data=f"{head} kg:S a sh:NodeShape ; sh:targetClass skos:Concept ; {constraint} .")

    suspects = find_suspects(to_rdflib(iter_triples(small_graph)), shapes)

    assert len(suspects) == len(small_graph.concepts)


def test_checking_a_graph_that_conforms_does_not_start_the_engine(
    whole_graph: KnowledgeGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_folder(whole_graph, tmp_path / "graph")
    write_turtle(whole_graph, folder / "graph.ttl")
    sign(folder)
    monkeypatch.setattr(pyshacl, "validate", lambda *_, **__: pytest.fail("the engine was started"))

    started = time.perf_counter()

    assert check(folder) == []
    assert time.perf_counter() - started < 30
