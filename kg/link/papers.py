"""Relations between papers and concepts, and between papers that share telling concepts.

Mentions are counted in DuckDB, which reads the Parquet file in batches and spills to disk;
what comes back is a row for each relation, not for each mention.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from kg.model import ConceptType, Evidence, Predicate, Relation, Section

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import duckdb

    from kg.model import Concept, Paper

__all__ = ["link_concepts", "link_papers"]

_MOST_EVIDENCE = 5  # sentences kept for one relation
_MOST_RELATED = 10  # papers that one paper is joined to for its own sake
_MOST_VIA = 5  # concepts that explain why two papers are joined
_HUB_SHARE = 0.2  # a concept in more of the papers says little about two of them ...
_HUB_LEAST = 25  # ... but in a small pile a few papers are a large share

_BY_TYPE = {
    ConceptType.METHOD: Predicate.USES_METHOD,
    ConceptType.DATASET: Predicate.USES_DATASET,
    ConceptType.TASK: Predicate.ADDRESSES_TASK,
    ConceptType.METRIC: Predicate.REPORTS_METRIC,
}
_ROLES = """
    SELECT paper, concept, role, section, "offset", "length", "start", "end", cue, score
    FROM (
        SELECT *, row_number() OVER (
            PARTITION BY paper, concept, role ORDER BY score DESC, section, "offset", "start"
        ) AS place
        FROM mentions
    )
    WHERE place <= $most
    ORDER BY paper, concept, role, section, "offset", "start"
"""
# Cosine of the papers' concepts, each weighted by its rarity ln((papers + 1) / with it).
_PAIRS = """
    WITH has AS (SELECT DISTINCT paper, concept FROM mentions),
    weighed AS (
        SELECT concept, count(*) AS papers, ln(($papers + 1) / count(*)) AS weight
        FROM has GROUP BY concept
    ),
    norms AS (
        SELECT paper, sqrt(sum(weight * weight ORDER BY concept)) AS norm
        FROM has JOIN weighed USING (concept) GROUP BY paper
    ),
    shared AS (
        SELECT paper, concept, weight FROM has JOIN weighed USING (concept)
        WHERE papers BETWEEN 2 AND $hub
    ),
    pairs AS (
        SELECT one.paper AS paper, other.paper AS "other",
            sum(one.weight * one.weight ORDER BY one.concept) AS dot,
            list(one.concept ORDER BY one.weight DESC, one.concept)[:$via] AS via
        FROM shared AS one JOIN shared AS other ON one.concept = other.concept AND one.paper < other.paper
        GROUP BY one.paper, other.paper
    ),
    scored AS (
        SELECT pairs.paper AS paper, "other", via, least(1.0, round(dot / (a.norm * b.norm), 6)) AS score
        FROM pairs JOIN norms AS a ON a.paper = pairs.paper JOIN norms AS b ON b.paper = "other"
    ),
    sides AS (SELECT paper AS me, "other", score FROM scored UNION ALL SELECT "other", paper, score FROM scored),
    ranked AS (SELECT *, row_number() OVER (PARTITION BY me ORDER BY score DESC, "other") AS place FROM sides),
    kept AS (
        SELECT DISTINCT least(me, "other") AS paper, greatest(me, "other") AS "other" FROM ranked WHERE place <= $most
    )
    SELECT paper, "other", via, score FROM scored SEMI JOIN kept USING (paper, "other") ORDER BY paper, "other"
"""


def link_concepts(
    mentions: duckdb.DuckDBPyConnection, papers: Mapping[str, Paper], concepts: Mapping[str, Concept]
) -> Iterator[Relation]:
    """Yield how each paper stands to its concepts, by paper, concept and predicate.

    Parameters
    ----------
    mentions : DuckDBPyConnection
        With a table or view ``mentions`` that has the columns of `kg.mentions.mention_schema`.
    papers, concepts : mappings by node id
        What the ids in the mentions mean.
    """
    rows = mentions.execute(_ROLES, {"most": _MOST_EVIDENCE}).fetchall()
    for (paper, concept), group in groupby(rows, key=lambda row: row[:2]):
        found: dict[Predicate, list[Evidence]] = {}
        for row in group:
            predicate = _to_predicate(Predicate(row[2]), concepts[concept].type)
            found.setdefault(predicate, []).append(_to_evidence(row, papers[paper]))
        for predicate, evidence in sorted(_keep_roles(found).items()):
            best = sorted(evidence, key=lambda one: (-one.score, one))[:_MOST_EVIDENCE]
            yield Relation(paper, predicate, concept, max(one.score for one in best), tuple(sorted(best)))


def link_papers(mentions: duckdb.DuckDBPyConnection, papers: int, relations: Iterable[Relation]) -> Iterator[Relation]:
    """Yield which papers share telling concepts, the first by id to the second.

    The score is the cosine of the papers' concepts weighted by rarity. Concepts of very many
    papers join none, and a paper keeps the ten papers nearest to it, so that the number of
    relations grows with the papers and not with their square.

    Parameters
    ----------
    mentions : DuckDBPyConnection
        As for `link_concepts`.
    papers : int
        How many papers there are.
    relations : iterable of Relation
        From `link_concepts`; their evidence explains what is shared.
    """
    evidence: dict[tuple[str, str], Evidence] = {}
    for relation in relations:
        evidence.setdefault((relation.subject, relation.object), relation.evidence[0])
    hub = max(_HUB_LEAST, int(papers * _HUB_SHARE))
    options = {"papers": papers, "hub": hub, "via": _MOST_VIA, "most": _MOST_RELATED}
    for paper, other, via, score in mentions.execute(_PAIRS, options).fetchall():
        shared = [evidence[end, concept] for concept in via for end in (paper, other)]
        yield Relation(paper, Predicate.RELATED_TO, other, score, tuple(sorted(shared)), tuple(via))


def _to_predicate(role: Predicate, kind: ConceptType) -> Predicate:
    """Return the role by the concept's type where the role only says that it is used."""
    return _BY_TYPE[kind] if role in _BY_TYPE.values() else role


def _keep_roles(found: dict[Predicate, list[Evidence]]) -> dict[Predicate, list[Evidence]]:
    """Leave out roles that others imply: what is introduced is also used, what has a role is mentioned."""
    if Predicate.INTRODUCES in found:
        return {one: found[one] for one in (Predicate.INTRODUCES,)}
    if len(found) > 1:
        return {one: evidence for one, evidence in found.items() if one is not Predicate.MENTIONS}
    return found


def _to_evidence(row: tuple[Any, ...], paper: Paper) -> Evidence:
    """Return the sentence that a row of mentions stands in."""
    section, offset, length, start, end, cue, score = row[3:]
    section = Section(section)
    sentence = paper.text(section)[offset : offset + length]
    return Evidence(paper.id, section, offset, start, end, sentence, f"cue: {cue}" if cue else "type", score)
