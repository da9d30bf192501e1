"""Centrality: which concepts others stand around.

Two concepts are joined if papers mention both more often than chance would have it, and the
more firmly the surer that is: the weight is Dunning's log-likelihood ratio [1]_, of at least
10.83, which chance reaches once in a thousand pairs. In a pile so small that no pair gets there,
every pair that is together more often than by chance is joined. On this network a concept's
centrality is its PageRank [2]_ with damping 0.85: it is central to be together with central
concepts. The number of papers alone would put first what goes with anything ("accuracy"):
chance explains most of such a word's company, so little is joined to it.

References
----------
.. [1] T. Dunning. Accurate methods for the statistics of surprise and coincidence.
   Computational Linguistics 19, 1993.
.. [2] S. Brin, L. Page. The anatomy of a large-scale hypertextual web search engine. Computer
   Networks 30, 1998.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from kg.landscape.occurrence import count_occurrences

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kg.landscape.occurrence import Occurrence
    from kg.model import KnowledgeGraph

__all__ = ["find_centrality", "find_ties", "rank", "score_tie"]

_DAMPING = 0.85
_DIGITS = 6
_SURE = 10.83  # of chi-square with one degree of freedom, p = 0.001

Ties = dict[tuple[str, str], float]  # weight by two concepts, the first by id first


def find_centrality(kg: KnowledgeGraph) -> dict[str, float]:
    """Return the centrality of each concept that others are joined to, from 0 to 1, which the most central has.

    Returns
    -------
    dict
        By falling centrality, then by id. Concepts that only one paper mentions have none.
    """
    return rank(find_ties(count_occurrences(kg)))


def find_ties(occurrence: Occurrence) -> Ties:
    """Return which concepts of several papers are together more often than by chance, sorted, and how surely."""
    size = {concept: len(papers) for concept, papers in occurrence.papers.items() if len(papers) > 1}
    pairs = Counter(
        pair
        for concepts in occurrence.concepts.values()
        for pair in combinations([one for one in concepts if one in size], 2)
    )
    count = len(occurrence.concepts)
    found = {
        pair: score
        for pair, both in sorted(pairs.items())
        if (score := score_tie(both, size[pair[0]], size[pair[1]], count)) > 0
    }
    return {pair: score for pair, score in found.items() if score >= _SURE} or found


def score_tie(both: int, one: int, other: int, count: int) -> float:
    """Return Dunning's log-likelihood ratio of two concepts, or 0 if they are together no more than by chance.

    Parameters
    ----------
    both, one, other, count : int
        How many papers have both, the one, the other; and how many there are.

    Examples
    --------
    >>> round(score_tie(5, 10, 8, 1000), 1), score_tie(1, 100, 100, 1000)
    (38.5, 0.0)
    """
    if both * count <= one * other:
        return 0.0
    cells = ((both, one * other), (one - both, one * (count - other)), (other - both, (count - one) * other))
    rest = (count - one - other + both, (count - one) * (count - other))
    return 2 * math.fsum(seen * math.log(seen * count / expected) for seen, expected in (*cells, rest) if seen)


def rank(ties: Mapping[tuple[str, str], float]) -> dict[str, float]:
    """Return the PageRank of concepts over the highest one, in falling order, then by id."""
    import igraph

    nodes = sorted({node for pair in ties for node in pair})
    if not nodes:
        return {}
    number = {node: at for at, node in enumerate(nodes)}
    network = igraph.Graph(n=len(nodes), edges=[(number[one], number[other]) for one, other in ties])
    ranks = network.pagerank(damping=_DAMPING, weights=list(ties.values()), directed=False)
    most = max(ranks)
    found = {node: round(value / most, _DIGITS) for node, value in zip(nodes, ranks, strict=True)}
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))
