"""Terms in RDF: SKOS, SKOS-XL, ontologies, and what is like them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeAlias

from pyoxigraph import BlankNode, Literal, NamedNode, Triple

from kg.errors import InputError
from kg.model import Skip, Term
from kg.vocab import to_term
from kg.vocabularies.classes import find_types
from kg.vocabularies.iris import check_iri
from kg.vocabularies.syntax import read_triples

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable

    from pyoxigraph import Quad

__all__ = ["read_rdf"]

Node: TypeAlias = "NamedNode | BlankNode"
Labels: TypeAlias = "dict[Node, list[Literal]]"
Facts: TypeAlias = "dict[str, list[tuple[Node, Node | Literal]]]"  # subjects and objects by what the predicate means

_XL = "http://www.w3.org/2008/05/skos-xl#"
_CSO = "http://cso.kmi.open.ac.uk/schema/cso#"
_OBO = "http://purl.obolibrary.org/obo/"
_OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
_MEANINGS = {
    to_term("skos:prefLabel"): "preferred",
    _XL + "prefLabel": "preferred",
    to_term("skos:altLabel"): "other",
    to_term("skos:hiddenLabel"): "other",
    _XL + "altLabel": "other",
    _XL + "hiddenLabel": "other",
    _OBO_IN_OWL + "hasExactSynonym": "other",
    _OBO + "IAO_0000118": "other",  # alternative term
    to_term("rdfs:label"): "label",
    _XL + "literalForm": "form",
    to_term("rdf:type"): "type",
    to_term("rdfs:subClassOf"): "above",
    to_term("skos:broader"): "above",
    to_term("skos:broaderTransitive"): "above",
    to_term("skos:narrower"): "below",
    to_term("skos:narrowerTransitive"): "below",
    to_term("owl:deprecated"): "deprecated",
    _CSO + "preferentialEquivalent": "prefers",
}
_NO_TERMS = {_XL + "Label"} | {
    to_term(name)
    for name in (
        "owl:AnnotationProperty", "owl:DatatypeProperty", "owl:DeprecatedClass", "owl:ObjectProperty", "owl:Ontology",
        "rdf:Property", "rdfs:Datatype", "skos:Collection", "skos:ConceptScheme", "skos:OrderedCollection",
    )
}  # fmt: skip


def read_rdf(content: bytes, name: str, warn: Callable[[Skip], None]) -> list[Term]:
    """Return the terms of an RDF file, in no order that means something.

    Raises
    ------
    InputError
        If it is in no syntax that is known.
    """
    facts = read_triples(content, name, _collect)
    preferred, other = _find_labels(facts)
    _join_preferred(facts, preferred, other)
    links = [(lower, upper) for meaning in ("type", "above") for lower, upper in facts[meaning]]
    links += [(lower, upper) for upper, lower in facts["below"] if not isinstance(lower, Literal)]
    types = find_types((lower.value, upper.value) for lower, upper in links)
    terms = []
    for node, literals in preferred.items():
        labels, other_labels = _choose(literals, other.get(node, []))
        try:
            terms.append(Term(_to_iri(node, labels), labels, other_labels, types.get(node.value)))
        except InputError as error:
            warn(Skip(name, 0, f"no term: {error}"))
    return terms


def _collect(quads: Iterable[Quad]) -> Facts:
    """Return what triples say that counts here."""
    facts: Facts = defaultdict(list)
    for quad in quads:
        meaning = _MEANINGS.get(quad.predicate.value)
        if meaning and isinstance(quad.subject, NamedNode | BlankNode) and not isinstance(quad.object, Triple):
            facts[meaning].append((quad.subject, quad.object))
    return facts


def _find_labels(facts: Facts) -> tuple[Labels, Labels]:
    """Return the preferred and the other labels of what is a term."""
    wrong = {node for node, kind in facts["type"] if kind.value in _NO_TERMS}
    wrong |= {node for node, value in facts["deprecated"] if value.value in {"true", "1"}}
    forms = {node: form for node, form in facts["form"] if isinstance(form, Literal)}
    preferred, other, named = (
        _group(facts[meaning], forms, wrong | forms.keys()) for meaning in ("preferred", "other", "label")
    )
    unnamed = {node: labels for node, labels in named.items() if node not in preferred}
    if len(unnamed) <= len(preferred):  # SKOS, in which what else has a label is no concept
        concepts = {node for node, kind in facts["type"] if kind.value == to_term("skos:Concept")}
        unnamed = {node: labels for node, labels in unnamed.items() if node in concepts}
    preferred |= unnamed
    return preferred, other


def _group(pairs: Iterable[tuple[Node, Node | Literal]], forms: dict[Node, Literal], wrong: Container[Node]) -> Labels:
    """Return the labels of each node but the wrong ones; of a label that is a node, its form."""
    labels: Labels = {}
    for node, value in pairs:
        label = value if isinstance(value, Literal) else forms.get(value)
        if label is not None and label.value.strip() and node not in wrong:
            labels.setdefault(node, []).append(label)
    return labels


def _join_preferred(facts: Facts, preferred: Labels, other: Labels) -> None:
    """Give the labels of topics to those that the vocabulary prefers to them."""
    better = {node: best for node, best in facts["prefers"] if node != best and isinstance(best, NamedNode)}
    for node in sorted(better.keys() & preferred.keys(), key=str):
        best, passed = better[node], {node}
        while best in better and best not in passed:
            passed.add(best)
            best = better[best]
        if best in preferred and best not in passed:
            other.setdefault(best, []).extend([*preferred.pop(node), *other.pop(node, [])])


def _choose(preferred: list[Literal], other: list[Literal]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the labels in English or in no language; all, where no preferred one is."""
    labels = _to_texts(filter(_is_english, preferred))
    if labels:
        others = _to_texts(filter(_is_english, other))
    else:
        labels, others = _to_texts(preferred), _to_texts(filter(_is_english, other)) or _to_texts(other)
    return labels, tuple(text for text in others if text not in labels)


def _is_english(label: Literal) -> bool:
    """Return whether a label is in English or says no language."""
    return (label.language or "en").lower().split("-")[0] == "en"


def _to_texts(labels: Iterable[Literal]) -> tuple[str, ...]:
    """Return the texts of labels with single spaces, each once, those of a language's plain form first."""
    ordered = sorted(labels, key=lambda one: (len(one.language or ""), one.value))
    return tuple(dict.fromkeys(" ".join(one.value.split()) for one in ordered))


def _to_iri(node: Node, labels: tuple[str, ...]) -> str:
    """Return the IRI of a node.

    Raises
    ------
    InputError
        If it has none, or one that is not valid.
    """
    if isinstance(node, BlankNode):
        raise InputError(f"{labels[0]!r} has no IRI")
    return check_iri(node.value)
