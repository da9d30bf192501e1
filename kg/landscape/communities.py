"""Communities: papers that are about the same things, with the concepts that are theirs.

Papers are joined to those nearest to them, as `kg.landscape.neighbours` says, and the Leiden
algorithm [1]_ divides this network by modularity: finely, at resolution 1.5, where that leaves a
modularity of 0.3, from which on a network is said to have communities [2]_; else, in a pile about
one thing, coarsely, at 1. Its steps are drawn by a generator with a fixed seed from papers sorted
by id, so the same graph has the same communities. A paper that is left by itself goes to its
nearest neighbours.

A concept goes to the community whose papers mention it most, by their weights. A paper that
shares nothing with any other is in none.

References
----------
.. [1] V. A. Traag, L. Waltman, N. J. van Eck. From Louvain to Leiden: guaranteeing
   well-connected communities. Scientific Reports 9, 2019.
.. [2] M. E. J. Newman, M. Girvan. Finding and evaluating community structure in networks.
   Physical Review E 69, 2004.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from kg.landscape.centrality import find_ties, rank
from kg.landscape.names import Namer
from kg.landscape.neighbours import find_neighbours, weigh
from kg.landscape.occurrence import count_occurrences, widen
from kg.model import Community

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kg.landscape.links import Links
    from kg.landscape.neighbours import Vectors
    from kg.landscape.occurrence import Occurrence
    from kg.model import KnowledgeGraph

__all__ = ["find_communities", "gather"]

_SEED = 1
_RESOLUTIONS = (1.5, 1.0)
_STRUCTURED = 0.3  # modularity
_ROUNDS = 10  # of the algorithm; it rests after five or so
_CENTRAL = 5  # concepts that are named as central


def find_communities(kg: KnowledgeGraph) -> tuple[Community, ...]:
    """Return the communities of a graph by number: the largest first, then by name.

    Returns
    -------
    tuple of Community
        A node is in one of them or, if nothing joins it to two papers, in none.
    """
    occurrence = count_occurrences(kg)
    return gather(kg, occurrence, find_ties(occurrence))


def gather(kg: KnowledgeGraph, occurrence: Occurrence, ties: Links) -> tuple[Community, ...]:
    """Return the communities of a graph, given what its papers mention and which concepts that joins."""
    wide = widen(occurrence, kg)
    vectors = weigh(wide)
    neighbours = find_neighbours(vectors)
    home = _settle(_divide(neighbours), neighbours)
    home |= _house(occurrence, home, vectors)
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
        central = namer.choose(rank(split[place]) if place in split else {}, most=_CENTRAL)
        found.append(Community(1, namer.name(telling), telling, central, papers, concepts))
    found.sort(key=lambda one: (-len(one.papers), one.name, one.papers))
    return tuple(replace(one, number=number) for number, one in enumerate(found, 1))


def _divide(neighbours: Links) -> dict[str, int]:
    """Return a place for each paper that has neighbours."""
    import igraph

    papers, network = neighbours.to_network()
    places: list[int] = []
    for resolution in _RESOLUTIONS:
        igraph.set_random_number_generator(random.Random(_SEED))  # noqa: S311
        places = network.community_leiden(
            objective_function="modularity", weights="weight", resolution=resolution, n_iterations=_ROUNDS
        ).membership
        igraph.set_random_number_generator(random)  # igraph's own default
        if network.modularity(places, weights="weight") >= _STRUCTURED:
            break
    size = Counter(places)
    for component in network.connected_components():
        if all(size[places[at]] == 1 for at in component):  # all are as near to each other
            for at in component:
                places[at] = -1 - component[0]
    return dict(zip(papers, places, strict=True))


def _settle(places: Mapping[str, int], neighbours: Links) -> dict[str, int]:
    """Return the places with those that one paper has for itself given up: it goes where its nearest neighbours are."""
    import numpy as np

    size = Counter(places.values())
    home = {paper: place for paper, place in places.items() if size[place] > 1}
    astray = np.array([paper in places and paper not in home for paper in neighbours.nodes], bool)
    one, other = neighbours.pairs.T
    near = list(neighbours.keep(astray[one] | astray[other]).iter_named())
    while len(home) < len(places):
        pull: dict[str, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for pair, weight in near:
            for paper, other in (pair, pair[::-1]):
                if paper not in home and other in home:
                    pull[paper][home[other]] += weight
        if not pull:
            break
        home |= {paper: _find_strongest(pulls) for paper, pulls in pull.items()}
    return home


def _house(occurrence: Occurrence, home: Mapping[str, int], vectors: Vectors) -> dict[str, int]:
    """Return the place of each concept that papers with a place mention."""
    pulls: dict[str, dict[int, float]] = {}
    for paper, weights in vectors.find_rows():
        if paper in home:
            for concept in occurrence.concepts[paper]:
                pull = pulls.setdefault(concept, {})
                pull[home[paper]] = pull.get(home[paper], 0.0) + weights.get(concept, 1.0)
    return {concept: _find_strongest(pulls[concept]) for concept in occurrence.papers if concept in pulls}


def _find_strongest(pulls: Mapping[int, float]) -> int:
    """Return the place that pulls most, of equal ones the first."""
    return max(sorted(pulls), key=pulls.__getitem__)


def _split(ties: Links, home: Mapping[str, int]) -> dict[int, Links]:
    """Return the ties between concepts of one place, by place."""
    import numpy as np

    places = sorted(set(home.values()))
    number = {place: at for at, place in enumerate(places)}
    at = np.array([number[home[node]] if node in home else -1 for node in ties.nodes], np.int64)
    one, other = at[ties.pairs[:, 0]], at[ties.pairs[:, 1]]
    ties, inside = ties.keep((one == other) & (one >= 0)), one[(one == other) & (one >= 0)]
    order = np.argsort(inside, kind="stable")
    starts = np.searchsorted(inside[order], np.arange(len(places) + 1)).tolist()
    some = (ties.keep(order[first:last]) for first, last in pairwise(starts))
    return {place: found for place, found in zip(places, some, strict=True) if len(found.pairs)}
