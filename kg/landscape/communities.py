"""Communities: papers that are about the same things, with the concepts that they share.

Papers and concepts are the two sides of one network. A paper is joined to each concept that it
mentions and to the broader ones of these, the more firmly the fewer papers are about it: the
weight is the concept's rarity ln((papers + 1) / with it), and the squares of a paper's weights
sum to 1, as in a vector of tf-idf, so that hubs glue little and a long abstract counts as a
title. The Leiden algorithm [1]_ divides this network by modularity [2]_ at resolution 1. Its
steps are drawn by a generator with a fixed seed from nodes sorted by id, so the same graph has
the same communities.

A concept of a single paper goes where its paper does. What the division leaves on its own,
a lone paper or a concept without papers, goes where it is joined to most firmly; a paper that
shares nothing with any other is in no community.

References
----------
.. [1] V. A. Traag, L. Waltman, N. J. van Eck. From Louvain to Leiden: guaranteeing
   well-connected communities. Scientific Reports 9, 2019.
.. [2] M. E. J. Newman. Analysis of weighted networks. Physical Review E 70, 2004.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from kg.landscape.centrality import find_ties, rank
from kg.landscape.names import Namer
from kg.landscape.occurrence import count_occurrences, widen
from kg.model import Community

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kg.landscape.occurrence import Occurrence
    from kg.model import KnowledgeGraph

__all__ = ["find_communities", "gather"]

_SEED = 1
_RESOLUTION = 1.0
_ROUNDS = 10  # of the algorithm; it rests after five or so
_CENTRAL = 5  # concepts that are named as central

Links = dict[tuple[str, str], float]  # weight by paper and concept
Ties = dict[tuple[str, str], float]  # weight by two concepts


def find_communities(kg: KnowledgeGraph) -> tuple[Community, ...]:
    """Return the communities of a graph by number: the largest first, then by name.

    Returns
    -------
    tuple of Community
        A node is in one of them or, if nothing joins it to two papers, in none.
    """
    occurrence = count_occurrences(kg)
    return gather(kg, occurrence, find_ties(occurrence))


def gather(kg: KnowledgeGraph, occurrence: Occurrence, ties: Ties) -> tuple[Community, ...]:
    """Return the communities of a graph, given what its papers mention and which concepts that joins."""
    wide = widen(occurrence, kg)
    links = _weigh(wide)
    home = _settle(_divide(links), links)
    for concept, papers in occurrence.papers.items():
        if concept not in home and len(papers) == 1 and papers[0] in home:
            home[concept] = home[papers[0]]
    members: dict[int, list[str]] = defaultdict(list)
    for node in sorted(home):
        members[home[node]].append(node)
    split = _split(ties, home)
    namer = Namer(kg, occurrence, wide)
    found = []
    for place, nodes in members.items():
        papers = tuple(node for node in nodes if node in kg.papers)
        concepts = tuple(node for node in nodes if node in kg.concepts)
        telling = namer.find_telling(papers)
        central = namer.choose(rank(split.get(place, {})), most=_CENTRAL)
        found.append(Community(1, namer.name(telling), telling, central, papers, concepts))
    found.sort(key=lambda one: (-len(one.papers), one.name, one.papers))
    return tuple(replace(one, number=number) for number, one in enumerate(found, 1))


def _weigh(occurrence: Occurrence) -> Links:
    """Return how firmly papers are joined to the concepts that they share with others."""
    count = len(occurrence.concepts)
    rarity = {
        concept: math.log((count + 1) / len(papers)) for concept, papers in occurrence.papers.items() if len(papers) > 1
    }
    links: Links = {}
    for paper, concepts in occurrence.concepts.items():
        shared = [one for one in concepts if one in rarity]
        length = math.sqrt(math.fsum(rarity[one] ** 2 for one in shared))
        links |= {(paper, one): rarity[one] / length for one in shared}
    return links


def _divide(links: Links) -> dict[str, int]:
    """Return a place for each node that is joined to another."""
    import igraph

    nodes = sorted({node for pair in links for node in pair})
    number = {node: at for at, node in enumerate(nodes)}
    network = igraph.Graph(n=len(nodes), edges=[(number[one], number[other]) for one, other in links])
    igraph.set_random_number_generator(random.Random(_SEED))  # noqa: S311
    division = network.community_leiden(
        objective_function="modularity", weights=list(links.values()), resolution=_RESOLUTION, n_iterations=_ROUNDS
    )
    igraph.set_random_number_generator(random)  # igraph's own default
    return dict(zip(nodes, division.membership, strict=True))


def _settle(places: Mapping[str, int], links: Links) -> dict[str, int]:
    """Return the places without those of fewer than two papers, whose nodes go to where they are joined most firmly."""
    papers: dict[int, set[str]] = defaultdict(set)
    for paper, _ in links:
        papers[places[paper]].add(paper)
    kept = {node: place for node, place in places.items() if len(papers[place]) > 1}
    pull: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for (paper, concept), weight in links.items():
        for node, other in ((paper, concept), (concept, paper)):
            if node not in kept and other in kept:
                pull[node][kept[other]] += weight
    moved = {node: max(sorted(pulls), key=pulls.__getitem__) for node, pulls in pull.items()}
    return kept | moved


def _split(ties: Ties, home: Mapping[str, int]) -> dict[int, Ties]:
    """Return the ties between concepts of one place, by place."""
    split: dict[int, Ties] = defaultdict(dict)
    for (one, other), weight in ties.items():
        if one in home and home[one] == home.get(other):
            split[home[one]][one, other] = weight
    return split
