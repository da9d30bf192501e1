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

from collections import defaultdict
from typing import TYPE_CHECKING

from kg.landscape.links import to_links
from kg.landscape.occurrence import count_occurrences

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kg.landscape.links import Floats, Links, Numbers
    from kg.landscape.occurrence import Occurrence
    from kg.model import KnowledgeGraph

__all__ = ["find_centrality", "find_ties", "rank", "score_ties"]

_DAMPING = 0.85
_DIGITS = 6
_AT_ONCE = 1_000_000  # pairs that are scored
_SURE = 10.83  # of chi-square with one degree of freedom, p = 0.001


def find_centrality(kg: KnowledgeGraph) -> dict[str, float]:
    """Return the centrality of each concept that others are joined to, from 0 to 1, which the most central has.

    Returns
    -------
    dict
        By falling centrality, then by id. Concepts that only one paper mentions have none.
    """
    return rank(find_ties(count_occurrences(kg)))


def find_ties(occurrence: Occurrence) -> Links:
    """Return which concepts of several papers are together more often than by chance, and how surely."""
    import numpy as np

    size = {concept: len(papers) for concept, papers in occurrence.papers.items() if len(papers) > 1}
    nodes, sizes = list(size), np.array(list(size.values()), np.int64)
    pairs = _find_pairs(occurrence, {node: at for at, node in enumerate(nodes)})
    starts = np.append(np.flatnonzero(np.diff(pairs, prepend=-1)), len(pairs))
    keys, both = pairs[starts[:-1]], np.diff(starts)
    del pairs, starts  # of a large pile each takes much
    scores = np.empty(len(keys))
    for first in range(0, len(keys), _AT_ONCE):
        some = slice(first, first + _AT_ONCE)
        one, other = np.divmod(keys[some], len(nodes))
        scores[some] = score_ties(both[some], sizes[one], sizes[other], len(occurrence.concepts))
    is_tie = scores >= _SURE if (scores >= _SURE).any() else scores > 0
    return to_links(nodes, keys[is_tie], scores[is_tie])


def _find_pairs(occurrence: Occurrence, number: Mapping[str, int]) -> Numbers:
    """Return the pairs of numbered concepts that papers mention, as keys of `to_links`, sorted, each as often."""
    import numpy as np

    by_count: dict[int, list[list[int]]] = defaultdict(list)
    for concepts in occurrence.concepts.values():
        places = [number[one] for one in concepts if one in number]
        by_count[len(places)].append(places)
    keys = [np.empty(0, np.int64)]
    for count, rows in by_count.items():
        table = np.array(rows, np.int64).reshape(len(rows), count)
        one, other = np.triu_indices(count, 1)
        keys.append((table[:, one] * len(number) + table[:, other]).ravel())
    pairs = np.concatenate(keys)
    pairs.sort()
    return pairs


def score_ties(both: Numbers, one: Numbers, other: Numbers, count: int) -> Floats:
    """Return Dunning's log-likelihood ratio of pairs of concepts, 0 for those together no more than by chance.

    Parameters
    ----------
    both, one, other : arrays of int
        How many papers have both, the one, the other.
    count : int
        How many papers there are.

    Examples
    --------
    >>> import numpy as np
    >>> score_ties(np.array([5, 1]), np.array([10, 100]), np.array([8, 100]), 1000).round(1).tolist()
    [38.5, 0.0]
    """
    import numpy as np

    cells = ((both, one * other), (one - both, one * (count - other)), (other - both, (count - one) * other))
    rest = (count - one - other + both, (count - one) * (count - other))
    total = np.zeros(len(both))
    for seen, expected in (*cells, rest):
        total += seen * np.log(np.where(seen > 0, seen * count / np.maximum(expected, 1), 1.0))
    return np.where(both * count > one * other, 2 * total, 0.0)


def rank(ties: Links) -> dict[str, float]:
    """Return the PageRank of concepts over the highest one, in falling order, then by id."""
    if not len(ties.pairs):
        return {}
    nodes, network = ties.to_network()
    ranks = network.pagerank(damping=_DAMPING, weights="weight", directed=False)
    most = max(ranks)
    found = {node: round(value / most, _DIGITS) for node, value in zip(nodes, ranks, strict=True)}
    return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))
