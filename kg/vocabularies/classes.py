"""Which classes of others mean a type of ours: those that ``ontology/kg.ttl`` aligns to it."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from pyoxigraph import RdfFormat, parse

from kg.model import ConceptType
from kg.vocab import find_ontology, to_term

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["find_classes", "find_type", "find_types"]

_MOST_STEPS = 20  # from a term up to a class


@cache
def find_classes() -> Mapping[str, ConceptType]:
    """Return our classes and those aligned to them by IRI; schema.org's with http and https."""
    ours = {to_term(kind): kind for kind in ConceptType}
    aligning = {to_term("skos:closeMatch"), to_term("rdfs:seeAlso")}
    found = dict(ours)
    for quad in parse(path=find_ontology() / "kg.ttl", format=RdfFormat.TURTLE):
        if quad.predicate.value in aligning and (kind := ours.get(quad.subject.value)):
            found[quad.object.value] = kind
            found[quad.object.value.replace("https://schema.org/", "http://schema.org/")] = kind
    return found


@cache
def _find_names() -> Mapping[str, ConceptType]:
    """Return types by the local names of their classes, in lower case."""
    return {_to_name(iri): kind for iri, kind in find_classes().items()}


def _to_name(text: str) -> str:
    """Return the last word of an IRI or CURIE, or a word itself, in lower case and the singular."""
    return re.split(r"[/#:]", text.strip().casefold())[-1].replace(" ", "").removesuffix("s")


def find_type(text: str) -> ConceptType | None:
    """Return the type that a word, a CURIE or an IRI names.

    Examples
    --------
    >>> [find_type(text) for text in ("Methods", "mls:Algorithm", "https://schema.org/Dataset", "layer")]
    [<ConceptType.METHOD: 'Method'>, <ConceptType.METHOD: 'Method'>, <ConceptType.DATASET: 'Dataset'>, None]
    """
    return _find_names().get(_to_name(text))


def find_types(links: Iterable[tuple[str, str]]) -> dict[str, ConceptType]:
    """Return the type of each node that has one: that of the class that is the fewest steps up.

    Parameters
    ----------
    links : iterable of pairs
        Nodes with what is one step above them.

    Returns
    -------
    dict
        Without the nodes that are as near to classes of two types.
    """
    below: dict[str, list[str]] = {}
    for lower, upper in links:
        below.setdefault(upper, []).append(lower)
    types: dict[str, ConceptType] = {}
    mixed: set[str] = set()
    level = {iri: {kind} for iri, kind in find_classes().items() if iri in below}
    seen = set(level)
    for _ in range(_MOST_STEPS):
        reached: dict[str, set[ConceptType]] = {}
        for upper, kinds in level.items():
            for lower in below.get(upper, ()):
                if lower not in seen:
                    reached.setdefault(lower, set()).update(kinds)
        seen.update(reached)
        mixed.update(node for node, kinds in reached.items() if len(kinds) > 1)
        types |= {node: next(iter(kinds)) for node, kinds in reached.items() if len(kinds) == 1}
        level = reached
    return types
