"""The concepts as a thesaurus: SKOS and nothing else, for programs that know thesauri.

There is one concept scheme with its top concepts, concepts with labels, hierarchy in both
directions and matches, and a collection for each type of concept, since thesauri know no classes
of ours. Programs that sort labels by language want a tag: `language` gives one to all.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from kg.errors import ExportError
from kg.model import ConceptType, Predicate
from kg.rdf.terms import check_base, describe, ref, term, to_node, to_text
from kg.rdf.write import write_nodes
from kg.vocab import BASE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from kg.model import Concept, KnowledgeGraph
    from kg.rdf.terms import Fact, Node, Value

    ToText = Callable[[str], Value]

__all__ = ["iter_thesaurus", "write_thesaurus"]

_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_COLLECTIONS = {
    ConceptType.METHOD: "Methods", ConceptType.DATASET: "Datasets", ConceptType.TASK: "Tasks",
    ConceptType.METRIC: "Metrics",
}  # fmt: skip


def write_thesaurus(kg: KnowledgeGraph, path: Path, *, base: str = BASE, language: str = "") -> None:
    """Write the concepts of a graph as SKOS in Turtle.

    Parameters
    ----------
    language : str
        The language of the labels as a tag of BCP 47, such as "en"; by default they have none.

    Raises
    ------
    ExportError
        If `language` is no tag, or the file can't be written.
    """
    if language and not _LANGUAGE.fullmatch(language):
        raise ExportError(f"language {language!r} is no tag of BCP 47, such as 'en' or 'pt-BR'")
    write_nodes(iter_thesaurus(kg, base=base, language=language), path, "turtle", base=base)


def iter_thesaurus(kg: KnowledgeGraph, *, base: str, language: str = "") -> Iterator[Node]:
    """Yield scheme, collections and concepts, each as the triples about it."""
    check_base(base)
    to_label = _make_labels(language)
    pairs = sorted({(one.subject, one.object) for one in kg.relations if one.predicate is Predicate.BROADER})
    up: dict[str, list[Fact]] = {}
    down: dict[str, list[Fact]] = {}
    for narrow, broad in pairs:
        up.setdefault(narrow, []).append(("skos:broader", to_node(broad, base)))
        down.setdefault(broad, []).append(("skos:narrower", to_node(narrow, base)))
    scheme = ref(base + "scheme")
    facts: list[Fact] = [
        ("rdf:type", term("skos:ConceptScheme")),
        ("dcterms:title", to_label("Concepts of the papers")),
    ]
    facts += [("skos:hasTopConcept", to_node(one, base)) for one in kg.concepts if one not in up]
    yield describe(scheme, facts)
    yield from _iter_collections(kg, to_label, base=base)
    matches: dict[str, list[Fact]] = {}
    for match in kg.matches:
        matches.setdefault(match.concept, []).append((f"skos:{match.predicate}", ref(match.iri)))
    for _, concept in sorted(kg.concepts.items()):
        own = [*_iter_concept_facts(concept, to_label), ("skos:inScheme", scheme)]
        own += up.get(concept.id, [("skos:topConceptOf", scheme)])
        own += [*down.get(concept.id, ()), *matches.get(concept.id, ())]
        yield describe(to_node(concept.id, base), own)


def _make_labels(language: str) -> ToText:
    """Return what makes a literal of a label."""
    if not language:
        return to_text
    return lambda text: to_text(text, language)


def _iter_collections(kg: KnowledgeGraph, to_label: ToText, *, base: str) -> Iterator[Node]:
    """Yield a collection for each type that concepts have."""
    for kind, name in _COLLECTIONS.items():
        members = [to_node(one.id, base) for one in kg.concepts.values() if one.type is kind]
        if members:
            facts: list[Fact] = [("rdf:type", term("skos:Collection")), ("skos:prefLabel", to_label(name))]
            facts += [("skos:member", member) for member in members]
            yield describe(ref(f"{base}collection/{kind}"), facts)


def _iter_concept_facts(concept: Concept, to_label: ToText) -> Iterator[Fact]:
    """Yield type and labels of a concept."""
    yield "rdf:type", term("skos:Concept")
    yield "skos:prefLabel", to_label(concept.label)
    for label in concept.alt_labels:
        if label != concept.label:  # SKOS S13
            yield "skos:altLabel", to_label(label)
