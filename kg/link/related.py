"""Relations between papers that share more than chance would have them share.

Score
    A concept of few papers says more about two that share it, and more where both are about it.
    So it weighs its information, ln of one over the share of papers that have it [1]_, times how
    central it is to the paper: 1 where the paper introduces it or has it in its title and comes
    back to it in another sentence, 1/2 for one of these, 1/4 where it is named in passing. The
    score is twice the weight of what two papers share (geometric mean of both sides) over the
    weight of all that they name: Lin's similarity of two descriptions [2]_. Being a share it means
    the same in every graph: 0.2 is a fifth of what the two are about, and 1 is two papers that name
    the same things as centrally.

Significance
    If concepts fell on papers independently, a paper would share as much with another by a chance
    that is the product, over what they share, of the share of papers that have the concept at
    least as centrally (geometric mean of both sides). Two papers are related where that is at most
    one in ten and where few papers of the pile are expected to share as much: less than one, two, or
    the ten places that a paper has, the more central what they share is; a small pile bears more.
    The expected number is the E value of sequence search [3]_; it keeps weak likeness in a large
    pile from passing for strong.
    Shares are of the pile and 20 papers that name nothing, as two of five papers are no sign that
    two of five everywhere name it. Hubs, the concepts of more than one in fifty papers (and of more
    than 25), come so often with one another that they count for the score only.

Size
    No papers are compared for one common name. Those are that share a concept that at most 25
    papers have (or have so centrally), or two concepts that at most 25 have together. Work and
    relations so grow with the papers, and not with the square of how many share a name.

References
----------
.. [1] K. Spärck Jones. A statistical interpretation of term specificity and its application in
   retrieval. Journal of Documentation, 1972.
.. [2] D. Lin. An information-theoretic definition of similarity. ICML, 1998.
.. [3] S. Karlin and S. F. Altschul. Methods for assessing the statistical significance of
   molecular sequence features by using general scoring schemes. PNAS, 1990.
"""

from __future__ import annotations

import math
import re
from itertools import islice
from typing import TYPE_CHECKING

from kg.model import Predicate, Relation

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

    from kg.model import Relations

__all__ = ["link_papers"]

_MOST_RELATED = 10  # papers that one paper is joined to for its own sake
_MOST_VIA = 5  # concepts that explain why two papers are joined
_CHANCE = 0.1  # of sharing as much, above which it is no sign
# Papers that may be expected to share as much, by how central the most central of what is
# shared is to both papers together, which is 0 to 4.
_EXPECTED = (0.5, 2, 2, 10, 10)
_FREE = 600  # relations of a whole pile that chance may make: a small pile bears more for each paper
_UNSEEN = 20  # papers that name nothing, so that shares in a small pile are not taken at their word
_AT_ONCE = 2_048  # pairs in memory
_FEW = 25  # papers that are compared with each other for what they share
_HUB_SHARE = 0.02  # of the papers; a concept of more is a hub
_MOST_COMMON = 32  # concepts of one paper that are looked at by twos, the rarest of those that more than a few have

# Weights are whole millionths, so that no order of rows can change a sum. A place is a paper and a
# concept in one number: papers that are compared are looked up by it, so that no plan can start by
# joining all papers of a concept with each other.
_TABLES = {
    "has": """
        SELECT paper, concept, max((section = 'title' OR role = 'introduces')::INT)
            + (count(DISTINCT section || "offset") > 1)::INT AS central
        FROM mentions GROUP BY paper, concept
    """,
    "numbers": "SELECT paper AS id, row_number() OVER (ORDER BY paper) AS paper FROM (SELECT DISTINCT paper FROM has)",
    "counts": """
        SELECT concept AS id, row_number() OVER (ORDER BY has.concept) AS concept, count(*) AS papers,
            [count(*), count(*) FILTER (central > 0), count(*) FILTER (central > 1)] AS so_central
        FROM has GROUP BY has.concept
    """,
    "weighed": """
        SELECT numbers.paper AS paper, counts.concept AS concept, papers, central, so_central[central + 1] AS rivals,
            (numbers.paper << 32) + counts.concept AS place,
            round(1e6 * ln($pile / papers) * [0.25, 0.5, 1.0][central + 1])::BIGINT AS weight,
            CASE WHEN papers > $hub THEN 0 ELSE round(5e5 * ln($pile / rivals))::BIGINT END AS surprise
        FROM has JOIN numbers ON numbers.id = has.paper JOIN counts ON counts.id = has.concept
    """,
    "totals": "SELECT paper, sum(weight) AS total FROM weighed GROUP BY paper",
    "shared": "FROM weighed WHERE papers > 1",
    "common": """
        FROM shared WHERE papers > $few AND papers <= $hub
        QUALIFY row_number() OVER (PARTITION BY paper ORDER BY papers, concept) <= $most_common
    """,
    "couples": """
        SELECT list(paper) AS papers FROM common AS one JOIN common AS other USING (paper)
        WHERE one.concept < other.concept
        GROUP BY one.concept, other.concept HAVING count(*) BETWEEN 2 AND $few
    """,
    "compared": """
        SELECT least(one.paper, other.paper) AS paper, greatest(one.paper, other.paper) AS other
        FROM (FROM shared WHERE rivals <= $few AND papers <= $hub) AS one JOIN shared AS other USING (concept)
        WHERE one.paper <> other.paper AND one.rivals * other.rivals <= $few * $few
        UNION
        SELECT paper, other
        FROM (SELECT paper, unnest(papers) AS other FROM (SELECT unnest(papers) AS paper, papers FROM couples))
        WHERE paper < other
    """,
    "common_ground": """
        SELECT compared.paper AS paper, compared.other AS other, one.concept AS concept,
            round(sqrt(one.weight * two.weight))::BIGINT AS weight, one.surprise + two.surprise AS surprise,
            one.central + two.central AS central
        FROM compared JOIN shared AS one ON one.paper = compared.paper
        JOIN shared AS two ON two.place = (compared.other << 32) + one.concept
    """,
    "scored": """
        SELECT sums.paper AS paper, sums.other AS other, least(1.0, round(2 * weight / (a.total + b.total), 6)) AS score
        FROM (
            SELECT paper, other, sum(weight) AS weight FROM common_ground
            GROUP BY paper, other HAVING sum(surprise) >= $least[max(central) + 1]
        ) AS sums JOIN totals AS a ON a.paper = sums.paper JOIN totals AS b ON b.paper = sums.other
    """,
    "kept": """
        SELECT DISTINCT least(me, other) AS paper, greatest(me, other) AS other, score
        FROM (SELECT paper AS me, other, score FROM scored UNION ALL SELECT other, paper, score FROM scored)
        QUALIFY row_number() OVER (PARTITION BY me ORDER BY score DESC, other) <= $most
    """,
}
_EXPLAINED = """
    SELECT a.id, b.id, score, via FROM (
        SELECT paper, other, any_value(score) AS score, list(counts.id ORDER BY weight DESC, concept)[:$via] AS via
        FROM kept JOIN common_ground USING (paper, other) JOIN counts USING (concept) GROUP BY paper, other
    ) AS pairs JOIN numbers AS a ON a.paper = pairs.paper JOIN numbers AS b ON b.paper = pairs.other
    ORDER BY pairs.paper, pairs.other
"""


def link_papers(mentions: duckdb.DuckDBPyConnection, papers: int, relations: Relations) -> Iterator[Relation]:
    """Yield which papers share telling concepts, the first by id to the second, sorted.

    A paper keeps the ten nearest to it of those that it is related to, and is joined to those
    that keep it.

    Parameters
    ----------
    mentions : DuckDBPyConnection
        As for `link_concepts`.
    papers : int
        How many papers there are.
    relations : Relations
        From `link_concepts`; their evidence explains what is shared.

    Yields
    ------
    Relation
        With the score in (0, 1] that this module describes, up to five of the shared concepts,
        those that weigh most first, and a sentence of both papers for each.
    """
    for rows in _find_pairs(mentions, papers):
        shared = [(end, concept) for paper, other, _, via in rows for concept in via for end in (paper, other)]
        quotes = iter(relations.find_quotes(shared))
        for paper, other, score, via in rows:
            evidence = tuple(sorted(islice(quotes, 2 * len(via))))
            yield Relation(paper, Predicate.RELATED_TO, other, score, evidence, tuple(via))


def _find_pairs(mentions: duckdb.DuckDBPyConnection, papers: int) -> Iterator[list[tuple[str, str, float, list[str]]]]:
    """Yield pairs of papers with their score and concepts, sorted, some at a time; then drop the tables in between."""
    options = {
        "pile": float(papers + _UNSEEN),
        "few": _FEW,
        "hub": max(_FEW, int(papers * _HUB_SHARE)),
        "most": _MOST_RELATED,
        "most_common": _MOST_COMMON,
        "least": [round(1e6 * _find_least(max(papers, 1), some)) for some in _EXPECTED],
    }
    try:
        for name, query in _TABLES.items():
            named = {one: value for one, value in options.items() if re.search(rf"\${one}\b", query)}
            mentions.execute(f"CREATE TEMP TABLE {name} AS {query}", named)
        mentions.execute(_EXPLAINED, {"via": _MOST_VIA})
        while rows := mentions.fetchmany(_AT_ONCE):
            yield rows
    finally:
        for name in _TABLES:
            mentions.execute(f"DROP TABLE IF EXISTS {name}")


def _find_least(papers: int, expected: float) -> float:
    """Return the surprise, in nats, from which on papers are related."""
    return max(-math.log(_CHANCE), math.log(papers / max(expected, _FREE / papers)))
