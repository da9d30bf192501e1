"""Tests of the ontology and the shapes, against each other, the code and a graph."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

import pyshacl
import pytest
from rdflib import OWL, RDF, RDFS, SDO, SH, SKOS, XSD, Graph, URIRef

from kg.model import ConceptType, Predicate
from kg.rdf import Layer, iter_layers, iter_triples, to_rdf, to_rdflib
from kg.rdf.terms import to_triples
from kg.vocab import BASE, PREFIXES, TERMS, find_ontology, to_term

if TYPE_CHECKING:
    from kg.model import KnowledgeGraph

FILES = ("kg.ttl", "shapes.ttl")


@pytest.fixture(scope="module")
def ontology() -> Graph:
    """Return the ontology."""
    return Graph().parse(find_ontology() / "kg.ttl", format="turtle")


@pytest.fixture(scope="module")
def shapes() -> Graph:
    """Return the shapes."""
    return Graph().parse(find_ontology() / "shapes.ttl", format="turtle")


def is_valid(graph: Graph, shapes: Graph) -> bool:
    """Return whether a graph conforms to the shapes."""
    conforms, _, _ = pyshacl.validate(graph, shacl_graph=shapes)
    return bool(conforms)


def test_the_ontology_defines_the_terms_and_no_others(ontology: Graph) -> None:
    kinds = (OWL.Class, OWL.ObjectProperty, OWL.DatatypeProperty)
    defined = {str(term) for kind in kinds for term in ontology.subjects(RDF.type, kind)}

    assert {term.removeprefix(PREFIXES["kg"]) for term in defined if term.startswith(PREFIXES["kg"])} == TERMS


def test_every_term_that_is_used_is_defined(ontology: Graph, shapes: Graph) -> None:
    used = {str(node) for graph in (ontology, shapes) for triple in graph for node in triple}

    assert {node.removeprefix(PREFIXES["kg"]) for node in used if node.startswith(PREFIXES["kg"])} <= TERMS


@pytest.mark.parametrize("term", sorted(TERMS))
def test_a_term_is_explained_and_placed(ontology: Graph, term: str) -> None:
    node = URIRef(to_term(term))

    assert len([*ontology.objects(node, RDFS.label)]) == 1
    assert len([*ontology.objects(node, RDFS.comment)]) == 1
    if (node, RDFS.subClassOf, SKOS.Collection) in ontology:
        assert term == "Community"
    elif (node, RDF.type, OWL.Class) in ontology:
        parent = URIRef(to_term("prov:Entity")) if term == "Result" else SKOS.Concept
        assert (node, RDFS.subClassOf, parent) in ontology
        assert (node, SKOS.closeMatch, None) in ontology
    else:
        assert len([*ontology.objects(node, RDFS.domain)]) == 1
        assert len([*ontology.objects(node, RDFS.range)]) == 1


def test_types_and_predicates_of_the_model_are_terms() -> None:
    assert {*ConceptType, *Predicate} - {Predicate.BROADER} <= TERMS


def test_what_papers_do_with_concepts_is_mentioning(ontology: Graph) -> None:
    mentions = URIRef(to_term("mentions"))
    roles = {
        Predicate.INTRODUCES: None,
        Predicate.USES_METHOD: "lpwcp:hasMethod",
        Predicate.USES_DATASET: "lpwcp:usesDataset",
        Predicate.ADDRESSES_TASK: "lpwcp:hasTask",
        Predicate.REPORTS_METRIC: None,
        Predicate.COMPARES_WITH: None,
    }

    assert (mentions, RDFS.subPropertyOf, SDO.mentions) in ontology
    for role, parent in roles.items():
        node = URIRef(to_term(role))
        assert (node, RDFS.subPropertyOf, mentions) in ontology
        assert parent is None or (node, RDFS.subPropertyOf, URIRef(to_term(parent))) in ontology


def test_nothing_is_said_to_be_the_same(ontology: Graph) -> None:
    for predicate in (OWL.sameAs, OWL.equivalentClass, OWL.equivalentProperty, SKOS.exactMatch):
        assert (None, predicate, None) not in ontology


def test_the_header_says_what_it_is(ontology: Graph) -> None:
    header = next(ontology.subjects(RDF.type, OWL.Ontology))

    assert str(header) + "#" == PREFIXES["kg"]
    for name in ("dcterms:title", "dcterms:description", "dcterms:license", "owl:versionIRI"):
        assert (header, URIRef(to_term(name)), None) in ontology
    assert [str(one) for one in ontology.objects(header, URIRef(to_term("dcterms:creator")))] == ["paperkg"]


@pytest.mark.parametrize("file", FILES)
def test_prefixes_are_those_of_the_code_and_all_are_used(file: str) -> None:
    text = (find_ontology() / file).read_text(encoding="utf-8")
    head = dict(re.findall(r"^@prefix (\S+): <(.+)> \.$", text, re.MULTILINE))
    body = text[text.rindex("@prefix") :].partition("\n")[2]

    known = PREFIXES | {"sh": str(SH), "shape": "https://w3id.org/paperkg/shapes#"}
    assert head == {name: known[name] for name in head}
    assert not [name for name in head if not re.search(rf"(?<![\w-]){re.escape(name)}:", body)]


def test_shapes_ask_for_the_domain_and_range_that_the_ontology_gives(ontology: Graph, shapes: Graph) -> None:
    for term in sorted(TERMS):
        node = URIRef(to_term(term))
        if (node, RDF.type, OWL.Class) in ontology:
            assert (None, SH.targetClass, node) in shapes
            continue
        shape = URIRef(f"https://w3id.org/paperkg/shapes#{term}")
        assert shapes.value(shape, SH.targetSubjectsOf) == node
        assert shapes.value(shape, SH["class"]) == ontology.value(node, RDFS.domain)
        part = shapes.value(shape, SH.property)
        assert part is not None
        assert shapes.value(part, SH.path) == node
        value_kind = SH.datatype if str(ontology.value(node, RDFS.range)).startswith(str(XSD)) else SH["class"]
        assert shapes.value(part, value_kind) == ontology.value(node, RDFS.range)


def test_shapes_are_well_formed(shapes: Graph) -> None:
    conforms, _, report = pyshacl.validate(Graph(), shacl_graph=shapes, meta_shacl=True)

    assert conforms, report


def test_a_graph_with_matches_conforms_to_the_shapes_and_one_that_is_exact_and_close_does_not(
    matched_graph: KnowledgeGraph, shapes: Graph
) -> None:
    graph = to_rdf(matched_graph)

    assert is_valid(graph, shapes)
    for concept, term in list(graph.subject_objects(SKOS.exactMatch)):
        graph.add((concept, SKOS.closeMatch, term))
    assert not is_valid(graph, shapes)


def test_a_graph_with_communities_conforms_to_the_shapes_and_one_without_their_names_does_not(
    placed_graph: KnowledgeGraph, shapes: Graph
) -> None:
    graph = to_rdf(placed_graph)
    community = next(graph.subjects(RDF.type, URIRef(to_term("Community"))))

    assert is_valid(graph, shapes)
    graph.remove((community, SKOS.prefLabel, None))
    assert not is_valid(graph, shapes)


@pytest.mark.parametrize("texts", [True, False])
@pytest.mark.parametrize(
    "layers", [(Layer.GRAPH,), (Layer.CONCEPTS,), (Layer.CONCEPTS, Layer.STATEMENTS), (Layer.MENTIONS,), tuple(Layer)]
)
def test_a_graph_conforms_to_the_shapes(
    placed_graph: KnowledgeGraph, shapes: Graph, layers: tuple[Layer, ...], texts: bool
) -> None:
    nodes = iter_layers(placed_graph, base=BASE, layers=layers, texts=texts)

    conforms, _, report = pyshacl.validate(to_rdflib(chain.from_iterable(to_triples(nodes))), shacl_graph=shapes)

    assert conforms, report


def test_every_property_of_a_graph_has_a_shape(
    placed_graph: KnowledgeGraph, matched_graph: KnowledgeGraph, shapes: Graph
) -> None:
    paths = {str(path) for path in shapes.objects(predicate=SH.path)}
    used = {
        one.predicate.value
        for graph, texts in ((placed_graph, True), (matched_graph, False))
        for node in to_triples(iter_layers(graph, base=BASE, layers=tuple(Layer), texts=texts))
        for one in node
    }

    assert used <= paths


@pytest.mark.parametrize(
    "fault",
    [
        "DELETE { ?x skos:prefLabel ?o } WHERE { ?x skos:prefLabel ?o }",
        "INSERT { ?x skos:prefLabel 'another' } WHERE { ?x a kg:Method }",
        "INSERT { ?x skos:altLabel ?o } WHERE { ?x skos:prefLabel ?o }",
        "INSERT { ?x a kg:Task } WHERE { ?x a kg:Method }",
        "DELETE { ?x a kg:Metric } WHERE { ?x a kg:Metric }",
        "DELETE { ?x skos:inScheme ?o } WHERE { ?x skos:inScheme ?o }",
        "INSERT { ?x skos:broader <https://example.org/nowhere> } WHERE { ?x a kg:Method }",
        "DELETE { ?x kg:confidence ?o } INSERT { ?x kg:confidence 1.5 } WHERE { ?x kg:confidence ?o }",
        "DELETE { ?x kg:confidence ?o } WHERE { ?x kg:confidence ?o }",
        "DELETE { ?x kg:evidence ?o } WHERE { ?x kg:evidence ?o }",
        "DELETE { ?x a nif:Sentence } WHERE { ?x a nif:Sentence }",
        "DELETE { ?x rdf:object ?o } INSERT { ?x rdf:object kg:nowhere } WHERE { ?x rdf:object ?o }",
        "DELETE { ?x rdf:predicate ?o } INSERT { ?x rdf:predicate kg:via } WHERE { ?x rdf:predicate ?o }",
        "DELETE { ?x cskg-ont:hasSupport ?o } INSERT { ?x cskg-ont:hasSupport 0 } WHERE { ?x cskg-ont:hasSupport ?o }",
        "DELETE { ?x prov:wasDerivedFrom ?o } WHERE { ?x prov:wasDerivedFrom ?o }",
        "INSERT { ?p kg:usesDataset ?m } WHERE { ?p a lpwcc:paper . ?m a kg:Method }",
        "INSERT { ?m kg:usesMethod ?m } WHERE { ?m a kg:Method }",
        "INSERT { ?m kg:evaluatedOn ?m } WHERE { ?m a kg:Method }",
        "INSERT { ?m kg:relatedTo ?m } WHERE { ?m a kg:Method }",
        "DELETE { ?p dcterms:title ?o } WHERE { ?p a lpwcc:paper ; dcterms:title ?o }",
        "DELETE { ?p a schema:ScholarlyArticle } WHERE { ?p a schema:ScholarlyArticle }",
        "INSERT { ?p dcterms:issued '2026'^^xsd:gYear } WHERE { ?p a lpwcc:paper }",
        "INSERT { ?p dcterms:creator 'Lee' } WHERE { ?p a lpwcc:paper }",
        "INSERT { ?p a kg:Method } WHERE { ?p a lpwcc:paper }",
        "DELETE { ?x nif:isString ?o } WHERE { ?x nif:isString ?o }",
        "DELETE { ?x nif:endIndex ?o } INSERT { ?x nif:endIndex '0'^^xsd:nonNegativeInteger }"
        " WHERE { ?x a nif:Sentence ; nif:endIndex ?o }",
    ],
)
def test_a_broken_graph_does_not_conform(small_graph: KnowledgeGraph, shapes: Graph, fault: str) -> None:
    graph = to_rdf(small_graph)
    before = len(graph)
    graph.update(fault, initNs={name: URIRef(iri) for name, iri in PREFIXES.items()})

    assert len(graph) != before or "DELETE" in fault
    assert not is_valid(graph, shapes)


@pytest.mark.parametrize(
    "fault",
    [
        "DELETE { ?x itsrdf:taIdentRef ?o } WHERE { ?x itsrdf:taIdentRef ?o }",
        "DELETE { ?x nif:superString ?o } WHERE { ?x nif:superString ?o }",
        "INSERT { ?x itsrdf:taConfidence 2.0 } WHERE { ?x a nif:Phrase }",
        "INSERT { ?x itsrdf:taClassRef skos:Concept } WHERE { ?x a nif:Phrase }",
    ],
)
def test_a_broken_mention_does_not_conform(small_graph: KnowledgeGraph, shapes: Graph, fault: str) -> None:
    graph = to_rdflib(iter_triples(small_graph, layer=Layer.MENTIONS))
    graph.update(fault, initNs={name: URIRef(iri) for name, iri in PREFIXES.items()})

    assert not is_valid(graph, shapes)
