"""What is new: concepts that a paper of the pile introduces, and those that others take up.

"We propose a neural method" describes, "we propose SimCLR" names. Only what is named can be
taken up: where the name follows at once on the word that introduces it, or begins the paper's
title. A task is hardly ever new, and what is said to be is an old one in a new setting.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING

from kg.landscape.occurrence import count_occurrences
from kg.model import ConceptType, Predicate, Uptake

if TYPE_CHECKING:
    from collections.abc import Sequence

    from kg.model import KnowledgeGraph, Relation

__all__ = ["find_first_years", "find_new", "find_uptakes"]

_TAKERS = 2  # papers that must take a concept up
_BESIDE = 0.25  # papers of the same year, as a share of the later ones, that show that it was there before
_NAMING = re.compile(
    r"\b(?:introduc(?:e|es|ing)|propos(?:e|es|ing)|present|presents|presenting|call|calls|called|term|terms|termed"
    r"|nam(?:e|es|ed|ely)|dub|dubs|dubbed|coin|coins|coined|releases?|denoted|abbreviated)(?: as)?[\s:,'\"“‘(]*$",
    re.IGNORECASE,
)


def find_first_years(kg: KnowledgeGraph) -> dict[str, int]:
    """Return the year of the first paper about each concept, of those that are in a paper with a year."""
    return {
        concept: min(years)
        for concept, papers in count_occurrences(kg).papers.items()
        if (years := [year for one in papers if (year := kg.papers[one].year) is not None])
    }


def find_new(kg: KnowledgeGraph) -> tuple[str, ...]:
    """Return the concepts that one paper introduces and no other mentions, sorted."""
    papers = count_occurrences(kg).papers
    return tuple(sorted(concept for concept in _find_introductions(kg) if len(papers[concept]) == 1))


def find_uptakes(kg: KnowledgeGraph) -> tuple[Uptake, ...]:
    """Return the concepts that a paper introduces and at least two others take up, those of most takers first.

    The paper must be the only one that introduces the concept. Where its year is known, takers
    are papers of later years; what an earlier one mentions, or many of the same year, was there
    before.
    """
    occurrence = count_occurrences(kg)
    found = []
    for concept, introductions in _find_introductions(kg).items():
        paper = introductions[0].subject
        others = [one for one in occurrence.papers[concept] if one != paper]
        takers = _find_takers(kg, paper, others)
        if len(introductions) == 1 and len(takers) >= _TAKERS and _is_named(kg, introductions[0]):
            found.append(Uptake(concept, paper, takers))
    return tuple(sorted(found, key=lambda one: (-len(one.takers), one.concept)))


def _find_takers(kg: KnowledgeGraph, paper: str, others: Sequence[str]) -> tuple[str, ...]:
    """Return the papers that take up what a paper introduces, by year and id; none if it was there before."""
    own = kg.papers[paper].year
    years = {one: year for one in others if (year := kg.papers[one].year) is not None}
    if own is None or not years:
        return tuple(sorted(others))
    later = [one for one, year in years.items() if year > own]
    before = sum(year < own for year in years.values())
    beside = sum(year == own for year in years.values())
    known = before or beside > max(1, len(later) * _BESIDE)
    return () if known else tuple(sorted(later, key=lambda one: (years[one], one)))


def _is_named(kg: KnowledgeGraph, introduction: Relation) -> bool:
    """Return whether a paper gives a concept its name, rather than describing something by it."""
    concept = kg.concepts[introduction.object]
    if concept.type is ConceptType.TASK:
        return False
    title = kg.papers[introduction.subject].title.casefold()
    return any(
        re.match(rf"{re.escape(name.casefold())}\b", title) for name in (concept.label, *concept.alt_labels)
    ) or any(_NAMING.search(one.sentence[: one.start]) for one in introduction.evidence)


def _find_introductions(kg: KnowledgeGraph) -> dict[str, list[Relation]]:
    """Return by concept, sorted, the relations that say that a paper introduces it."""
    found: dict[str, list[Relation]] = defaultdict(list)
    for relation in kg.relations:
        if relation.predicate is Predicate.INTRODUCES:
            found[relation.object].append(relation)
    return {concept: sorted(some, key=lambda one: one.subject) for concept, some in sorted(found.items())}
