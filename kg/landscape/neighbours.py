"""Neighbours: which papers are about nearly the same.

A paper is a vector of the concepts that it mentions and the broader ones of these, each weighted
by its rarity ln((papers + 1) / with it), as in tf-idf, and scaled to length 1, so that a long
abstract counts as much as a title and hubs say little. Two papers are as near as the cosine of
their vectors. Each keeps the 20 nearest, so that a large field is no denser than a small one.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from kg.landscape.occurrence import Occurrence

__all__ = ["Links", "find_neighbours", "weigh"]

_NEAREST = 20  # papers
_NEAR = 0.2  # cosine

Links = dict[tuple[str, str], float]  # weight by two nodes


def weigh(occurrence: Occurrence) -> Links:
    """Return how firmly papers are joined to the concepts that they share with others, by paper and concept."""
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


def find_neighbours(links: Links) -> Links:
    """Return the cosine of each paper and its nearest ones, by two papers in the order of ids.

    Parameters
    ----------
    links : dict
        As `weigh` returns it. Of papers that are equally near those first by id are kept.
    """
    import numpy as np

    papers = sorted({paper for paper, _ in links})
    number = {paper: at for at, paper in enumerate(papers)}
    vectors: list[list[tuple[str, float]]] = [[] for _ in papers]
    posted: dict[str, list[tuple[int, float]]] = {}
    for (paper, concept), weight in sorted(links.items()):
        vectors[number[paper]].append((concept, weight))
        posted.setdefault(concept, []).append((number[paper], weight))
    places = {concept: np.array([at for at, _ in some]) for concept, some in posted.items()}
    weights = {concept: np.array([weight for _, weight in some]) for concept, some in posted.items()}
    found: dict[tuple[int, int], float] = {}
    for at, vector in enumerate(vectors):
        cosines = np.zeros(len(papers))
        for concept, weight in vector:
            cosines[places[concept]] += weight * weights[concept]
        cosines[at] = 0
        for other in _find_nearest(cosines):
            found[min(at, other), max(at, other)] = float(cosines[other])
    return {(papers[one], papers[other]): found[one, other] for one, other in sorted(found)}


def _find_nearest(cosines: NDArray[np.float64]) -> list[int]:
    """Return the places of the highest cosines above 0; which of equal ones does not depend on the machine."""
    import numpy as np

    places = np.flatnonzero(cosines > _NEAR)  # few, most often enough, and quickly partitioned
    if len(places) < _NEAREST:
        places = np.flatnonzero(cosines > 0)
    if len(places) <= _NEAREST:
        return [int(at) for at in places]
    values = cosines[places]
    least = np.partition(values, -_NEAREST)[-_NEAREST]
    nearer, as_near = places[values > least].tolist(), places[values == least].tolist()
    return [*nearer, *as_near[: _NEAREST - len(nearer)]]
