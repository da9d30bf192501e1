"""What the landscape says: communities, and what is central and since when.

A community is a collection of its concepts, and its papers lead to it; its name is its label
and its number its identifier. Centrality and first year are said of concepts that several
papers mention: those of the others follow from their only paper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kg.landscape import find_first_years
from kg.rdf.terms import describe, term, to_count, to_node, to_score, to_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from kg.model import Community, Concept, KnowledgeGraph
    from kg.rdf.terms import Fact, Node, Value

__all__ = ["Places", "iter_communities", "iter_standing", "locate"]

Places = dict[str, str]  # communities by paper


def locate(kg: KnowledgeGraph, *, base: str) -> tuple[Places, Mapping[str, int]]:
    """Return the community of each paper, and the first year of each concept of several papers."""
    places = {paper: _community_node(one, base) for one in kg.communities for paper in one.papers}
    years = {node: year for node, year in find_first_years(kg).items() if kg.concepts[node].papers > 1}
    return places, years


def iter_communities(kg: KnowledgeGraph, *, base: str) -> Iterator[Node]:
    """Yield the communities by number, each with its concepts."""
    for one in kg.communities:
        facts: list[Fact] = [("rdf:type", term("kg:Community")), ("rdf:type", term("skos:Collection"))]
        facts += [("skos:prefLabel", to_text(one.name)), ("dcterms:identifier", to_count(one.number))]
        facts += (("skos:member", to_node(concept, base)) for concept in one.concepts)
        yield describe(_community_node(one, base), facts)


def iter_standing(kg: KnowledgeGraph, concept: Concept, years: Mapping[str, int]) -> Iterator[Fact]:
    """Yield how central a concept is and since when papers are about it."""
    if concept.id in kg.centrality:
        yield "kg:centrality", to_score(kg.centrality[concept.id])
    if concept.id in years:
        yield "kg:firstYear", to_count(years[concept.id])


def _community_node(community: Community, base: str) -> Value:
    """Return the node of a community."""
    return to_node(f"community:{community.number}", base)
