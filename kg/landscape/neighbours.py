"""Neighbours: which papers are about nearly the same.

A paper is a vector of the concepts that it mentions and the broader ones of these, each weighted
by its rarity ln((papers + 1) / with it), as in tf-idf, and scaled to length 1, so that a long
abstract counts as much as a title and hubs say little. Two papers are as near as the cosine of
their vectors. Each keeps the 20 nearest, so that a large field is no denser than a small one.
"""

from __future__ import annotations

import math
from array import array
from typing import TYPE_CHECKING, NamedTuple

from kg.landscape.links import to_links

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from kg.landscape.links import Floats, Links, Numbers
    from kg.landscape.occurrence import Occurrence

__all__ = ["Vectors", "find_neighbours", "weigh"]

_NEAREST = 20  # papers
_NEAR = 0.2  # cosine


class Vectors(NamedTuple):
    """How firmly papers are joined to the concepts that they share with others, a row a paper."""

    papers: Sequence[str]  # sorted, as far as they share a concept
    concepts: Sequence[str]  # sorted
    starts: Numbers  # where each row starts, and where the last ends
    places: Numbers  # of concepts
    weights: Floats

    def find_rows(self) -> Iterator[tuple[str, dict[str, float]]]:
        """Yield each paper with its weights by concept."""
        for at, paper in enumerate(self.papers):
            row = slice(self.starts[at], self.starts[at + 1])
            names = (self.concepts[place] for place in self.places[row].tolist())
            yield paper, dict(zip(names, self.weights[row].tolist(), strict=True))


def weigh(occurrence: Occurrence) -> Vectors:
    """Return how firmly papers are joined to the concepts that they share with others."""
    import numpy as np

    count = len(occurrence.concepts)
    rarity = {
        concept: math.log((count + 1) / len(papers)) for concept, papers in occurrence.papers.items() if len(papers) > 1
    }
    number = {concept: at for at, concept in enumerate(rarity)}
    papers, starts, places, weights = list[str](), array("q", [0]), array("i"), array("d")
    for paper, concepts in occurrence.concepts.items():
        if shared := [one for one in concepts if one in rarity]:
            length = math.sqrt(math.fsum(rarity[one] ** 2 for one in shared))
            papers.append(paper)
            places.extend(number[one] for one in shared)
            weights.extend(rarity[one] / length for one in shared)
            starts.append(len(places))
    columns = (
        np.frombuffer(one, one.typecode) if one else np.empty(0, one.typecode) for one in (starts, places, weights)
    )
    return Vectors(papers, list(rarity), *columns)


def find_neighbours(vectors: Vectors) -> Links:
    """Return the cosine of each paper and its nearest ones; of papers that are equally near those first by id."""
    import numpy as np

    count, starts = len(vectors.papers), vectors.starts
    owners = np.repeat(np.arange(count), np.diff(starts))
    order = np.argsort(vectors.places, kind="stable")
    posted = np.searchsorted(vectors.places[order], np.arange(len(vectors.concepts) + 1))
    papers, weights = owners[order], vectors.weights[order]
    keys, values = [np.empty(0, np.int64)], [np.empty(0)]
    cosines = np.empty(count)
    for at in range(count):
        cosines.fill(0)
        row = slice(starts[at], starts[at + 1])
        for concept, weight in zip(vectors.places[row].tolist(), vectors.weights[row].tolist(), strict=True):
            some = slice(posted[concept], posted[concept + 1])
            cosines[papers[some]] += weight * weights[some]
        cosines[at] = 0
        others = _find_nearest(cosines)
        keys.append(np.minimum(at, others) * count + np.maximum(at, others))
        values.append(cosines[others])
    found, last = np.unique(np.concatenate(keys)[::-1], return_index=True)  # of a pair found twice the later
    return to_links(vectors.papers, found, np.concatenate(values)[::-1][last])


def _find_nearest(cosines: Floats) -> Numbers:
    """Return the places of the highest cosines above 0; which of equal ones does not depend on the machine."""
    import numpy as np

    places = np.flatnonzero(cosines > _NEAR)  # few, most often enough, and quickly partitioned
    if len(places) < _NEAREST:
        places = np.flatnonzero(cosines > 0)
    if len(places) <= _NEAREST:
        return places
    values = cosines[places]
    least = np.partition(values, -_NEAREST)[-_NEAREST]
    nearer, as_near = places[values > least], places[values == least]
    return np.concatenate([nearer, as_near[: _NEAREST - len(nearer)]])
