"""Names of communities: the concepts that tell one from the rest of the pile.

A concept is telling if far more of the community's papers mention it than of the others. How
far is measured by the log-odds ratio with an informative prior, over its standard error [1]_:
the prior is the concept's share of the whole pile, worth ten papers, so that a name that two
papers happen to share does not go before one that a hundred of two hundred have. The error is
that of both halves, with and without the concept, since most papers may have it; a word of [1]_
is always rare.

References
----------
.. [1] B. L. Monroe, M. P. Colaresi, K. M. Quinn. Fightin' words: lexical feature selection
   and evaluation for identifying the content of political conflict. Political Analysis 16, 2008.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from kg.model import ConceptType, Predicate, iter_ends

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from kg.landscape.occurrence import Occurrence
    from kg.model import KnowledgeGraph

__all__ = ["Namer", "score_telling"]

_PRIOR = 10  # papers
_MOST = 3  # concepts in a name
_TELLING = 1.0  # standard score
_LEAST = 0.15  # each is in so many papers at least, as a share of those with the first


def score_telling(inside: int, size: int, outside: int, rest: int) -> float:
    """Return how telling a concept is, as a standard score.

    Parameters
    ----------
    inside, size : int
        How many of the community's papers have it, and how many papers the community has.
    outside, rest : int
        The same of all other papers.

    Examples
    --------
    >>> round(score_telling(20, 40, 5, 960), 1), round(score_telling(2, 40, 0, 960), 1)
    (9.2, 1.2)
    """
    prior = _PRIOR * (inside + outside + 1) / (size + rest + 2)
    here, there = inside + prior, outside + prior
    lacking, missing = size + _PRIOR - here, rest + _PRIOR - there
    odds = math.log(here / lacking) - math.log(there / missing)
    return odds / math.sqrt(1 / here + 1 / lacking + 1 / there + 1 / missing)


class Namer:
    """Finds the telling concepts of communities of one graph.

    Parameters
    ----------
    kg : KnowledgeGraph
    occurrence : Occurrence
        What its papers mention.
    wide : Occurrence
        The same with broader concepts, for papers that share nothing else.
    """

    def __init__(self, kg: KnowledgeGraph, occurrence: Occurrence, wide: Occurrence) -> None:
        self._concepts = kg.concepts
        self._said, self._wide = occurrence, wide
        self._kin = {
            pair
            for subject, predicate, target in iter_ends(kg.relations)
            if predicate is Predicate.BROADER
            for pair in ((subject, target), (target, subject))
        }

    def find_telling(self, papers: Sequence[str]) -> tuple[str, ...]:
        """Return up to three concepts that tell some papers from all others, most telling first.

        At least two of the papers have each, and not far fewer than have the first. None is a
        kind of another or says no more than it, and a metric is among them only where there is
        nothing else.
        """
        for occurrence in (self._said, self._wide):
            counts = Counter(one for paper in papers for one in occurrence.concepts[paper])
            ranked = self._rank(counts, len(papers), occurrence)
            for some in ([one for one in ranked if self._concepts[one].type is not ConceptType.METRIC], ranked):
                least = max(counts[some[0]] * _LEAST, 2) if some else 0
                if chosen := self.choose([one for one in some if counts[one] >= least], most=_MOST):
                    return chosen
        return ()

    def choose(self, ranked: Iterable[str], *, most: int) -> tuple[str, ...]:
        """Return the first concepts that each add something to those before."""
        chosen: list[str] = []
        for one in ranked:
            if len(chosen) == most:
                break
            if all(self._adds(one, other) for other in chosen):
                chosen.append(one)
        return tuple(chosen)

    def name(self, telling: Sequence[str]) -> str:
        """Return the name that telling concepts make."""
        return ", ".join(self._concepts[one].label for one in telling)

    def _rank(self, counts: Mapping[str, int], size: int, occurrence: Occurrence) -> list[str]:
        """Return the concepts that are commoner in some papers than elsewhere, most telling first."""
        rest = len(occurrence.concepts) - size
        scores = {
            one: round(score_telling(inside, size, len(occurrence.papers[one]) - inside, rest), 6) if rest else 0.0
            for one, inside in counts.items()
            if inside > 1
        }
        some = [one for one, score in scores.items() if score > _TELLING] or list(scores)
        return sorted(some, key=lambda one: (-scores[one], -counts[one], self._concepts[one].label.casefold(), one))

    def _adds(self, one: str, other: str) -> bool:
        """Return whether a concept says something that another does not."""
        words, known = (set(self._concepts[node].label.casefold().replace("-", " ").split()) for node in (one, other))
        return (one, other) not in self._kin and not words <= known and not known <= words
