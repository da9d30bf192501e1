"""Which triples a graph has, node by node."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING

from kg.model import ConceptType, Predicate
from kg.rdf.landscape import iter_communities, iter_standing, locate
from kg.rdf.papers import iter_authors, iter_paper_facts
from kg.rdf.results import iter_paper_results, iter_result_nodes
from kg.rdf.terms import Node, check_base, describe, is_any, ref, term, to_count, to_node, to_score, to_text, to_triples
from kg.rdf.texts import Stretch, describe_context, describe_sentence, iter_mention_nodes, sentence_node
from kg.vocab import BASE, to_iri

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyoxigraph import Triple

    from kg.model import Concept, KnowledgeGraph, Paper, Relation, Relations, Report, Result, VocabularyMatch
    from kg.rdf.terms import Fact, Value

__all__ = ["Layer", "iter_nodes", "iter_triples"]


class Layer(StrEnum):
    """Which triples of a graph are meant; the graph is its concepts and its statements."""

    GRAPH = "graph"
    CONCEPTS = "concepts"
    STATEMENTS = "statements"
    MENTIONS = "mentions"


# What statements are made of: they and results, their evidence and their run.
_STATEMENT_KINDS = (
    "cskg-ont:Statement",
    "kg:Result",
    "prov:Activity",
    "prov:SoftwareAgent",
    "nif:Context",
    "nif:Sentence",
)

# Linked Papers With Code's predicate and class that are written out beside ours: no common
# engine infers them from the ontology.
_LPWC_PREDICATES = {
    Predicate.USES_METHOD: "lpwcp:hasMethod",
    Predicate.USES_DATASET: "lpwcp:usesDataset",
    Predicate.ADDRESSES_TASK: "lpwcp:hasTask",
}
_LPWC_CLASSES = {
    ConceptType.METHOD: "lpwcc:method",
    ConceptType.DATASET: "lpwcc:dataset",
    ConceptType.TASK: "lpwcc:task",
}


def iter_triples(kg: KnowledgeGraph, *, base: str = BASE, layer: Layer = Layer.GRAPH) -> Iterator[Triple]:
    """Yield the triples of a graph, subject by subject, always in the same order.

    Parameters
    ----------
    base : str
        What the IRIs of nodes start with; the ontology's own do not change.
    layer : Layer
        The graph, a half of it, or its mentions. Texts of papers are in statements and mentions.

    Raises
    ------
    VocabularyError
        If `base` makes no IRIs.
    GraphError
        If a mention ends outside of the graph.
    """
    return chain.from_iterable(to_triples(iter_nodes(kg, base=base, layer=layer)))


def iter_nodes(kg: KnowledgeGraph, *, base: str, layer: Layer) -> Iterator[Node]:
    """Yield the nodes of a graph, each as the triples about it."""
    check_base(base)
    if layer is Layer.MENTIONS:
        return iter_mention_nodes(kg, base=base)
    nodes = _iter_graph_nodes(kg, base=base)
    if layer is Layer.GRAPH:
        return nodes
    return (node for node in nodes if is_any(node, *_STATEMENT_KINDS) == (layer is Layer.STATEMENTS))


def _iter_graph_nodes(kg: KnowledgeGraph, *, base: str) -> Iterator[Node]:
    """Yield scheme, run, concepts, communities, venues, papers with their texts, then statements and results."""
    relations = kg.columns
    yield describe(
        ref(base + "scheme"),
        [("rdf:type", term("skos:ConceptScheme")), ("dcterms:title", to_text("Concepts of the papers"))],
    )
    run = to_node(_run_id(kg.report), base)
    yield from _iter_run_nodes(kg.report, run, base=base)
    places, years = locate(kg, base=base)
    yield from _iter_concept_nodes(kg, relations, years, base=base)
    yield from _iter_replaced_nodes(kg.concepts.values(), base=base)
    yield from iter_communities(kg, base=base)
    yield from _iter_venue_nodes(kg, base=base)
    yield from _iter_paper_nodes(kg, relations, places, base=base)
    for relation in relations:
        yield _describe_statement(relation, run, base=base)
    yield from iter_result_nodes(kg.results, run, base=base)


def _iter_concept_nodes(
    kg: KnowledgeGraph, relations: Relations, years: Mapping[str, int], *, base: str
) -> Iterator[Node]:
    """Yield the concepts."""
    matches: dict[str, list[VocabularyMatch]] = {}
    for match in kg.matches:
        matches.setdefault(match.concept, []).append(match)
    for node, concept in sorted(kg.concepts.items()):
        is_top = all(predicate is not Predicate.BROADER for predicate, _ in relations.find_objects(node))
        own = _iter_concept_facts(concept, is_top=is_top, base=base)
        linked = ((f"skos:{one.predicate}", ref(one.iri)) for one in matches.get(node, ()))
        direct = _iter_direct_facts(kg, relations, node, base=base)
        yield describe(to_node(node, base), chain(own, iter_standing(kg, concept, years), linked, direct))


def _iter_paper_nodes(
    kg: KnowledgeGraph, relations: Relations, places: Mapping[str, Value], *, base: str
) -> Iterator[Node]:
    """Yield the papers, each with its authors, texts and the sentences that are evidence."""
    results: dict[str, list[Result]] = {}
    for result in kg.results:
        results.setdefault(result.paper, []).append(result)
    for node, paper in sorted(kg.papers.items()):
        place = [("kg:inCommunity", places[node])] if node in places else []
        own = results.get(node, ())
        reported = iter_paper_results(own, base=base)
        direct = _iter_direct_facts(kg, relations, node, base=base)
        yield describe(to_node(node, base), chain(iter_paper_facts(paper, base=base), place, direct, reported))
        yield from iter_authors(paper, base=base)
        told = relations.find_sentences(node)
        told |= {(one.evidence.section, one.evidence.offset, len(one.evidence.sentence)) for one in own}
        sentences = {Stretch(section, offset, offset + length) for section, offset, length in told}
        yield from _iter_text_nodes(paper, sentences, base=base)


def _iter_concept_facts(concept: Concept, *, is_top: bool, base: str) -> Iterator[Fact]:
    """Yield what is said about a concept itself."""
    yield "rdf:type", term(f"kg:{concept.type}")
    yield "rdf:type", term("skos:Concept")
    if concept.type in _LPWC_CLASSES:
        yield "rdf:type", term(_LPWC_CLASSES[concept.type])
    yield "skos:prefLabel", to_text(concept.label)
    if concept.type is ConceptType.DATASET:
        yield "dcterms:title", to_text(concept.label)  # what those who query LPWC ask for
    for label in concept.alt_labels:
        if label != concept.label:  # SKOS S13
            yield "skos:altLabel", to_text(label)
    yield "skos:inScheme", ref(base + "scheme")
    if is_top:
        yield "skos:topConceptOf", ref(base + "scheme")


def _iter_replaced_nodes(concepts: Iterable[Concept], *, base: str) -> Iterator[Node]:
    """Yield the ids that other names of concepts would have, so that they still lead somewhere."""
    replaced = sorted((old, concept.id) for concept in concepts for old in concept.replaces)
    for old, new in replaced:
        fact = ("dcterms:isReplacedBy", to_node(new, base))
        yield describe(to_node(old, base), [fact])


def _iter_direct_facts(kg: KnowledgeGraph, relations: Relations, node: str, *, base: str) -> Iterator[Fact]:
    """Yield the relations of a node as direct triples, with what they imply.

    Inverses are written where a user of another graph asks for them, and both ways where a
    relation has no direction.
    """
    for predicate, target in relations.find_objects(node):
        other = to_node(target, base)
        yield _predicate_name(predicate), other
        if predicate in _LPWC_PREDICATES:
            yield _LPWC_PREDICATES[predicate], other
        if node in kg.papers and target in kg.concepts:
            yield "schema:mentions", other
    for predicate, subject in relations.find_subjects(node):
        other = to_node(subject, base)
        if predicate is Predicate.RELATED_TO:
            yield "kg:relatedTo", other
        elif predicate is Predicate.INTRODUCES:
            yield "lpwcp:introducedBy", other
        elif predicate is Predicate.BROADER and kg.concepts[node].type is ConceptType.TASK:
            yield "lpwcp:hasSubtask", other


def _predicate_name(predicate: Predicate) -> str:
    """Return the CURIE of a predicate's term."""
    return "skos:broader" if predicate is Predicate.BROADER else f"kg:{predicate}"


def _iter_venue_nodes(kg: KnowledgeGraph, *, base: str) -> Iterator[Node]:
    """Yield where papers appeared, one node a spelling."""
    for venue in sorted({paper.venue for paper in kg.papers.values() if paper.venue}):
        node = to_node(f"venue:{venue}", base)
        yield describe(node, [("rdf:type", term("bibo:Collection")), ("dcterms:title", to_text(venue))])


def _iter_text_nodes(paper: Paper, sentences: set[Stretch], *, base: str) -> Iterator[Node]:
    """Yield the texts of a paper that have evidence, and the sentences in them."""
    for section in sorted({one.section for one in sentences}):
        yield describe_context(paper, section, base=base)
    for sentence in sorted(sentences):
        yield describe_sentence(paper, sentence, base=base)


def _describe_statement(relation: Relation, run: Value, *, base: str) -> Node:
    """Return a relation as a statement with its evidence."""
    told = relation.evidence
    stretches = ((one.paper, Stretch(one.section, one.offset, one.offset + len(one.sentence))) for one in told)
    facts = [
        ("rdf:type", term("prov:Entity")),
        ("rdf:type", term("cskg-ont:Statement")),
        ("rdf:subject", to_node(relation.subject, base)),
        ("rdf:predicate", term(_predicate_name(relation.predicate))),
        ("rdf:object", to_node(relation.object, base)),
        ("cskg-ont:hasSupport", to_count(relation.support)),
        ("kg:confidence", to_score(relation.score)),
        *(("kg:via", one) for one in sorted(to_node(concept, base) for concept in relation.via)),
        *(("kg:evidence", one) for one in sorted({sentence_node(*one, base=base) for one in stretches})),
        *(("kg:evidenceMethod", one) for one in sorted({to_text(one.method) for one in told})),
        *(("prov:wasDerivedFrom", one) for one in sorted({to_node(one.paper, base) for one in told})),
        ("prov:wasGeneratedBy", run),
    ]
    return Node(ref(to_iri(_statement_id(relation), base=base)), facts)


def _iter_run_nodes(report: Report, run: Value, *, base: str) -> Iterator[Node]:
    """Yield the run that made the statements, without times, and the program."""
    program = ref(base + "program")
    facts: list[Fact] = [("rdf:type", term("prov:Activity")), ("prov:wasAssociatedWith", program)]
    facts.extend(("kg:setting", to_text(f"{name}: {value}")) for name, value in sorted(report.settings.items()))
    yield describe(run, facts)
    name = report.settings.get("program", "paperkg")
    yield describe(program, [("rdf:type", term("prov:SoftwareAgent")), ("foaf:name", to_text(name))])


def _run_id(report: Report) -> str:
    """Return a node id that is the same for the same settings."""
    return "run:" + _hash("\x1e".join(f"{name}\x1f{value}" for name, value in sorted(report.settings.items())))


def _statement_id(relation: Relation) -> str:
    """Return a node id that is the same for the same subject, predicate and object."""
    return "statement:" + _hash("\x1f".join((relation.subject, relation.predicate, relation.object)))


def _hash(text: str) -> str:
    """Return 16 hex digits of the SHA-256 of a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
