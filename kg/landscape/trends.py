"""Trends: concepts that papers take up more, or less, from year to year.

The test is Mantel's for a trend in proportions [1]_: whether the papers about a concept are
later, or earlier, than so many papers taken at random would be. It compares like with like:
a venue of some size is tested by itself, and so are papers without an abstract, since a venue
that joins the pile late, or titles alone, would change the shares of all concepts at once. The
growth that is told is the one-step estimate of the odds ratio from one year to the next [2]_.

Of all concepts in at least five papers those are kept whose p-values pass the procedure of
Benjamini and Hochberg [3]_ at a false discovery rate of 5 %, so a concept that goes from one
paper to two shows no trend.

References
----------
.. [1] N. Mantel. Chi-square tests with one degree of freedom; extensions of the
   Mantel-Haenszel procedure. Journal of the American Statistical Association 58, 1963.
.. [2] S. Yusuf, R. Peto et al. Beta blockade during and after myocardial infarction. Progress
   in Cardiovascular Diseases 27, 1985.
.. [3] Y. Benjamini, Y. Hochberg. Controlling the false discovery rate. Journal of the Royal
   Statistical Society B 57, 1995.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kg.landscape.occurrence import count_occurrences
from kg.model import Trend

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from kg.model import KnowledgeGraph

__all__ = ["find_trends"]

_LEAST = 5  # papers of a concept that is tested
_DISCOVERY_RATE = 0.05
_LARGE_VENUE = 50  # papers; smaller ones are taken together
_DIGITS = 4
_NUMBERS = re.compile(r"\W*\b(?:\d+(?:st|nd|rd|th)?|'\d\d)\b\W*")

Stratum = tuple[str, bool]  # venue, and whether there is an abstract


@dataclass(frozen=True, slots=True)
class _Years:
    """Number, mean and variance of the years of some papers."""

    count: int
    mean: float
    variance: float


def find_trends(kg: KnowledgeGraph) -> tuple[Trend, ...]:
    """Return the concepts that rise or fall, those first of which that is surest.

    Returns
    -------
    tuple of Trend
        Empty if no paper has a year, or all have the same.
    """
    years = {node: paper.year for node, paper in sorted(kg.papers.items()) if paper.year is not None}
    strata = _stratify(kg, years)
    grouped: dict[Stratum, list[int]] = defaultdict(list)
    for node, year in years.items():
        grouped[strata[node]].append(year)
    whole = {stratum: _summarise(some) for stratum, some in grouped.items()}
    trends: list[tuple[float, Trend]] = []
    for concept, papers in count_occurrences(kg).papers.items():
        dated = [one for one in papers if one in years]
        if len(dated) >= _LEAST and (found := _test(dated, years, strata, whole)):
            z, growth = found
            counts = tuple(sorted(Counter(years[one] for one in dated).items()))
            trends.append((math.erfc(abs(z) / math.sqrt(2)), Trend(concept, growth, z, counts)))
    return tuple(sorted(_keep_sure(trends), key=lambda one: (-abs(one.z), one.concept)))


def _stratify(kg: KnowledgeGraph, nodes: Iterable[str]) -> dict[str, Stratum]:
    """Return which papers are compared with which."""
    venues = {node: _NUMBERS.sub(" ", kg.papers[node].venue.casefold()).strip() for node in nodes}
    sizes = Counter(venues.values())
    return {
        node: (venue if sizes[venue] >= _LARGE_VENUE else "", bool(kg.papers[node].abstract))
        for node, venue in venues.items()
    }


def _summarise(years: list[int]) -> _Years:
    """Return number, mean and variance of years."""
    mean = math.fsum(years) / len(years)
    return _Years(len(years), mean, math.fsum((year - mean) ** 2 for year in years) / len(years))


def _test(
    papers: Iterable[str], years: Mapping[str, int], strata: Mapping[str, Stratum], whole: Mapping[Stratum, _Years]
) -> tuple[float, float] | None:
    """Return the standard score of the test for some papers and the growth, if the years differ."""
    grouped: dict[Stratum, list[int]] = defaultdict(list)
    for one in papers:
        grouped[strata[one]].append(years[one])
    surplus, variances = [], []
    for stratum, some in grouped.items():
        every = whole[stratum]
        if every.variance > 0:
            surplus.append(math.fsum(some) - len(some) * every.mean)
            variances.append(len(some) * (every.count - len(some)) / (every.count - 1) * every.variance)
    variance = math.fsum(variances)
    if variance <= 0:
        return None
    total = math.fsum(surplus)
    return round(total / math.sqrt(variance), _DIGITS), round(math.exp(total / variance), _DIGITS)


def _keep_sure(trends: list[tuple[float, Trend]]) -> list[Trend]:
    """Return those whose p-values pass the procedure of Benjamini and Hochberg."""
    ranked = sorted(trends, key=lambda pair: (pair[0], pair[1].concept))
    passed = [at for at, (p, _) in enumerate(ranked, 1) if p <= _DISCOVERY_RATE * at / len(ranked)]
    return [trend for _, trend in ranked[: max(passed, default=0)]]
