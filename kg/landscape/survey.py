"""What a graph keeps of its landscape, and the whole of it in one value."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from kg.landscape.centrality import find_centrality, find_ties, rank
from kg.landscape.communities import find_communities, gather
from kg.landscape.news import find_new, find_uptakes
from kg.landscape.occurrence import count_occurrences
from kg.landscape.trends import find_trends
from kg.model import Landscape

if TYPE_CHECKING:
    from kg.model import KnowledgeGraph

__all__ = ["add_landscape", "survey"]


def add_landscape(kg: KnowledgeGraph) -> KnowledgeGraph:
    """Return a graph with its communities and the centrality of its concepts."""
    occurrence = count_occurrences(kg)
    ties = find_ties(occurrence)
    return replace(kg, communities=gather(kg, occurrence, ties), centrality=rank(ties))


def survey(kg: KnowledgeGraph) -> Landscape:
    """Return what the papers of a graph look like as a whole.

    Communities and centrality are those that the graph keeps, or found now if it keeps none.

    Examples
    --------
    >>> from pathlib import Path
    >>> from kg.model import KnowledgeGraph, MentionFile, Paper, Report
    >>> paper = Paper(id="7", title="Topic models")
    >>> survey(KnowledgeGraph({paper.id: paper}, {}, (), MentionFile(Path("none")), Report())).alone
    ('paper:7',)
    """
    communities = kg.communities or find_communities(kg)
    centrality = kg.centrality or find_centrality(kg)
    joined = {paper for one in communities for paper in one.papers}
    trends = find_trends(kg)
    return Landscape(
        communities=communities,
        alone=tuple(paper for paper in sorted(kg.papers) if paper not in joined),
        central=tuple(centrality),
        new=find_new(kg),
        uptakes=find_uptakes(kg),
        rising=tuple(one for one in trends if one.z > 0),
        falling=tuple(one for one in trends if one.z < 0),
    )
