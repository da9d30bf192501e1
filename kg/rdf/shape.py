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
from kg.rdf.terms import check_base, describe, is_any, ref, term, to_count, to_node, to_score, to_text, to_triples
from kg.rdf.texts import Stretch, describe_context, describe_sentence, iter_mention_nodes, sentence_node
from kg.vocab import BASE, to_iri

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pyoxigraph import Triple

    from kg.model import Concept, Evidence, KnowledgeGraph, Paper, Relation, Report, Result, VocabularyMatch
    from kg.rdf.terms import Fact, Node, Value

__all__ = ["Layer", "iter_nodes", "iter_triples"]


class Layer(StrEnum):
    """Which triples of a graph are meant; the graph is its concepts and its statements."""

    GRAPH = "graph"
    CONCEPTS = "concepts"
    STATEMENTS = "statements"
    MENTIONS = "mentions"


Relations = dict[str, list["Relation"]]

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
    relations = sorted(kg.relations, key=lambda one: (one.subject, one.predicate, one.object))
    direct = _Direct(kg, relations, base)
    yield describe(
        ref(base + "scheme"),
        [("rdf:type", term("skos:ConceptScheme")), ("dcterms:title", to_text("Concepts of the papers"))],
    )
    run = to_node(_run_id(kg.report), base)
    yield from _iter_run_nodes(kg.report, run, base=base)
    places, years = locate(kg, base=base)
    yield from _iter_concept_nodes(kg, direct, years)
    yield from _iter_replaced_nodes(kg.concepts.values(), base=base)
    yield from iter_communities(kg, base=base)
    yield from _iter_venue_nodes(kg, base=base)
    yield from _iter_paper_nodes(kg, direct, places)
    for relation in relations:
        statement = ref(to_iri(_statement_id(relation), base=base))
        yield describe(statement, _iter_statement_facts(relation, run, base=base))
    yield from iter_result_nodes(kg.results, run, base=base)


class _Direct:
    """The relations of each node, which become direct triples."""

    def __init__(self, kg: KnowledgeGraph, relations: Iterable[Relation], base: str) -> None:
        self.base = base
        self.outgoing: Relations = {}
        self._incoming: Relations = {}
        self._kg = kg
        for relation in relations:
            self.outgoing.setdefault(relation.subject, []).append(relation)
            self._incoming.setdefault(relation.object, []).append(relation)

    def iter_facts(self, node: str) -> Iterator[Fact]:
        """Yield what is said about a node by its relations."""
        outgoing, incoming = self.outgoing.get(node, ()), self._incoming.get(node, ())
        return _iter_direct_facts(self._kg, outgoing, incoming, base=self.base)


def _iter_concept_nodes(kg: KnowledgeGraph, direct: _Direct, years: Mapping[str, int]) -> Iterator[Node]:
    """Yield the concepts."""
    matches: dict[str, list[VocabularyMatch]] = {}
    for match in kg.matches:
        matches.setdefault(match.concept, []).append(match)
    for node, concept in sorted(kg.concepts.items()):
        own = _iter_concept_facts(concept, direct.outgoing.get(node, ()), base=direct.base)
        linked = ((f"skos:{one.predicate}", ref(one.iri)) for one in matches.get(node, ()))
        facts = chain(own, iter_standing(kg, concept, years), linked, direct.iter_facts(node))
        yield describe(to_node(node, direct.base), facts)


def _iter_paper_nodes(kg: KnowledgeGraph, direct: _Direct, places: Mapping[str, Value]) -> Iterator[Node]:
    """Yield the papers, each with its authors, texts and the sentences that are evidence."""
    base = direct.base
    told = chain.from_iterable(relation.evidence for relation in kg.relations)
    sentences = _group_sentences(chain(told, (one.evidence for one in kg.results)))
    results: dict[str, list[Result]] = {}
    for result in kg.results:
        results.setdefault(result.paper, []).append(result)
    for node, paper in sorted(kg.papers.items()):
        place = [("kg:inCommunity", places[node])] if node in places else []
        reported = iter_paper_results(results.get(node, ()), base=base)
        facts = chain(iter_paper_facts(paper, base=base), place, direct.iter_facts(node), reported)
        yield describe(to_node(node, base), facts)
        yield from iter_authors(paper, base=base)
        yield from _iter_text_nodes(paper, sentences.get(node, set()), base=base)


def _iter_concept_facts(concept: Concept, outgoing: Iterable[Relation], *, base: str) -> Iterator[Fact]:
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
    if not any(one.predicate is Predicate.BROADER for one in outgoing):
        yield "skos:topConceptOf", ref(base + "scheme")


def _iter_replaced_nodes(concepts: Iterable[Concept], *, base: str) -> Iterator[Node]:
    """Yield the ids that other names of concepts would have, so that they still lead somewhere."""
    replaced = sorted((old, concept.id) for concept in concepts for old in concept.replaces)
    for old, new in replaced:
        fact = ("dcterms:isReplacedBy", to_node(new, base))
        yield describe(to_node(old, base), [fact])


def _iter_direct_facts(
    kg: KnowledgeGraph, outgoing: Iterable[Relation], incoming: Iterable[Relation], *, base: str
) -> Iterator[Fact]:
    """Yield the relations of a node as direct triples, with what they imply.

    Inverses are written where a user of another graph asks for them, and both ways where a
    relation has no direction.
    """
    for relation in outgoing:
        other = to_node(relation.object, base)
        yield _predicate_name(relation.predicate), other
        if relation.predicate in _LPWC_PREDICATES:
            yield _LPWC_PREDICATES[relation.predicate], other
        if relation.subject in kg.papers and relation.object in kg.concepts:
            yield "schema:mentions", other
    for relation in incoming:
        other = to_node(relation.subject, base)
        if relation.predicate is Predicate.RELATED_TO:
            yield "kg:relatedTo", other
        elif relation.predicate is Predicate.INTRODUCES:
            yield "lpwcp:introducedBy", other
        elif relation.predicate is Predicate.BROADER and kg.concepts[relation.object].type is ConceptType.TASK:
            yield "lpwcp:hasSubtask", other


def _predicate_name(predicate: Predicate) -> str:
    """Return the CURIE of a predicate's term."""
    return "skos:broader" if predicate is Predicate.BROADER else f"kg:{predicate}"


def _iter_venue_nodes(kg: KnowledgeGraph, *, base: str) -> Iterator[Node]:
    """Yield where papers appeared, one node a spelling."""
    for venue in sorted({paper.venue for paper in kg.papers.values() if paper.venue}):
        node = to_node(f"venue:{venue}", base)
        yield describe(node, [("rdf:type", term("bibo:Collection")), ("dcterms:title", to_text(venue))])


def _group_sentences(evidence: Iterable[Evidence]) -> Mapping[str, set[Stretch]]:
    """Return the sentences that speak for relations and results, by paper."""
    sentences: dict[str, set[Stretch]] = {}
    for one in evidence:
        stretch = Stretch(one.section, one.offset, one.offset + len(one.sentence))
        sentences.setdefault(one.paper, set()).add(stretch)
    return sentences


def _iter_text_nodes(paper: Paper, sentences: set[Stretch], *, base: str) -> Iterator[Node]:
    """Yield the texts of a paper that have evidence, and the sentences in them."""
    for section in sorted({one.section for one in sentences}):
        yield describe_context(paper, section, base=base)
    for sentence in sorted(sentences):
        yield describe_sentence(paper, sentence, base=base)


def _iter_statement_facts(relation: Relation, run: Value, *, base: str) -> Iterator[Fact]:
    """Yield a relation as a statement with its evidence."""
    yield "rdf:type", term("cskg-ont:Statement")
    yield "rdf:type", term("prov:Entity")
    yield "rdf:subject", to_node(relation.subject, base)
    yield "rdf:predicate", term(_predicate_name(relation.predicate))
    yield "rdf:object", to_node(relation.object, base)
    yield "cskg-ont:hasSupport", to_count(relation.support)
    yield "kg:confidence", to_score(relation.score)
    for concept in relation.via:
        yield "kg:via", to_node(concept, base)
    for one in relation.evidence:
        stretch = Stretch(one.section, one.offset, one.offset + len(one.sentence))
        yield "kg:evidence", sentence_node(one.paper, stretch, base=base)
        yield "kg:evidenceMethod", to_text(one.method)
        yield "prov:wasDerivedFrom", to_node(one.paper, base)
    yield "prov:wasGeneratedBy", run


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
