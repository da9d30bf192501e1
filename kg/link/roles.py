"""Roles that follow: what a paper introduces is used for, compared with or tested on something, so the paper is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kg.link.claims import LEAST
from kg.model import ConceptType, Predicate

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping

    import duckdb

    from kg.model import Concept, Evidence, Relation

__all__ = ["find_introduced", "imply_roles"]

_INTRODUCED = "SELECT DISTINCT paper, concept FROM mentions WHERE role = 'introduces'"

# What the paper does with the other end of a relation of its own concept, by the direction.
_OF_OBJECT = {
    Predicate.USED_FOR: Predicate.ADDRESSES_TASK,
    Predicate.COMPARED_WITH: Predicate.COMPARES_WITH,
    Predicate.EVALUATED_ON: Predicate.USES_DATASET,
    Predicate.TRAINED_ON: Predicate.USES_DATASET,
    Predicate.BENCHMARK_FOR: Predicate.ADDRESSES_TASK,
}
_OF_SUBJECT = {
    Predicate.PART_OF: Predicate.USES_METHOD,
    Predicate.COMPARED_WITH: Predicate.COMPARES_WITH,
}
_TYPE_OF = {
    Predicate.ADDRESSES_TASK: ConceptType.TASK,
    Predicate.USES_DATASET: ConceptType.DATASET,
    Predicate.USES_METHOD: ConceptType.METHOD,
    Predicate.COMPARES_WITH: ConceptType.METHOD,
}


def find_introduced(mentions: duckdb.DuckDBPyConnection) -> set[tuple[str, str]]:
    """Return papers with the concepts that they introduce; `mentions` as for `kg.link.link_concepts`."""
    return set(mentions.execute(_INTRODUCED).fetchall())


def imply_roles(
    relations: Iterable[Relation],
    told: Iterable[Relation],
    introduced: Container[tuple[str, str]],
    concepts: Mapping[str, Concept],
) -> Iterator[Relation]:
    """Yield how papers stand to concepts, where a paper that only mentions one has a role by what it introduces.

    Parameters
    ----------
    relations : iterable of Relation
        From `kg.link.link_concepts`.
    told : iterable of Relation
        From `kg.link.find_told`.
    introduced : container of (str, str)
        From `find_introduced`.
    concepts : mapping by node id
    """
    implied: dict[tuple[str, str], tuple[float, Predicate, Evidence]] = {}
    for one in told:
        ends = ((one.subject, one.object, _OF_OBJECT), (one.object, one.subject, _OF_SUBJECT))
        for own, other, roles in ends:
            role = roles.get(one.predicate)
            if role and one.score >= LEAST and concepts[other].type is _TYPE_OF[role]:
                for evidence in one.evidence:
                    if (evidence.paper, own) in introduced:
                        sure = (evidence.score, role, evidence)
                        implied[evidence.paper, other] = max(sure, implied.get((evidence.paper, other), sure))
    for one in relations:
        found = implied.get((one.subject, one.object)) if one.predicate is Predicate.MENTIONS else None
        yield _promote(one, *found) if found else one


def _promote(mention: Relation, score: float, role: Predicate, told: Evidence) -> Relation:
    """Return a mention as the role that a sentence implies, if the sentence is among those of the mention."""
    sentences = (one for one in mention.evidence if (one.section, one.offset) == (told.section, told.offset))
    evidence = tuple(replace(one, method=f"implied: {told.method}", score=score) for one in sentences)
    return replace(mention, predicate=role, score=score, evidence=evidence) if evidence else mention
