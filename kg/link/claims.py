"""Relations between concepts, from what sentences say of their mentions."""

from __future__ import annotations

from itertools import groupby
from math import prod
from typing import TYPE_CHECKING, Any

from kg.link.sentences import quote_sentence
from kg.model import ConceptType, Evidence, Predicate, Relation, Relations, Section
from kg.model.columns import Places

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    import duckdb

    from kg.model import Concept, Paper

__all__ = ["LEAST", "find_told", "link_claims"]

LEAST = 0.65  # how sure a relation between concepts must be

_MOST_EVIDENCE = 5  # sentences kept for one relation
_SUREST = 0.99

_METHOD, _DATASET, _TASK = ConceptType.METHOD, ConceptType.DATASET, ConceptType.TASK
# Which types of concepts a relation goes from and to.
_ENDS = {
    Predicate.USED_FOR: {(_METHOD, _TASK)},
    Predicate.PART_OF: {(_METHOD, _METHOD)},
    Predicate.COMPARED_WITH: {(_METHOD, _METHOD), (_DATASET, _DATASET)},
    Predicate.EVALUATED_ON: {(_METHOD, _DATASET)},
    Predicate.TRAINED_ON: {(_METHOD, _DATASET)},
    Predicate.BENCHMARK_FOR: {(_DATASET, _TASK)},
    Predicate.BROADER: {(one, one) for one in ConceptType},
}
# Best sentence of each paper first; what has no direction goes from the lower id to the higher.
_TOLD = """
    WITH said AS (
        SELECT claims.*, one.concept AS "from", other.concept AS "to",
            predicate = 'comparedWith' AND one.concept > other.concept AS turned
        FROM claims
        JOIN mentions AS one ON one.paper = claims.paper AND one.section = claims.section
            AND one."offset" = claims."offset" AND one.start = subject_start AND one."end" = subject_end
        JOIN mentions AS other ON other.paper = claims.paper AND other.section = claims.section
            AND other."offset" = claims."offset" AND other.start = object_start AND other."end" = object_end
        WHERE one.concept <> other.concept
    ),
    directed AS (
        SELECT if(turned, "to", "from") AS subject, predicate, if(turned, "from", "to") AS object,
            paper, section, "offset", "length", if(turned, object_start, subject_start) AS start,
            if(turned, object_end, subject_end) AS "end", claims.score, cue
        FROM said AS claims
    )
    SELECT * FROM directed
    QUALIFY row_number() OVER (
        PARTITION BY subject, predicate, object, paper ORDER BY score DESC, section, "offset", start
    ) = 1
    ORDER BY subject, predicate, object, score DESC, paper
"""


def find_told(
    mentions: duckdb.DuckDBPyConnection, papers: Mapping[str, Paper], concepts: Mapping[str, Concept]
) -> Relations:
    """Return what sentences say of concepts.

    A relation is as sure as the surest sentence of each paper makes it, papers taken for
    independent of each other; one that others say the other way round is the less sure for it.

    Parameters
    ----------
    mentions : DuckDBPyConnection
        With tables or views ``mentions`` and ``claims`` that have the columns of
        `kg.mentions.mention_schema` and `kg.mentions.claim_schema`.
    papers, concepts : mappings by node id
        What the ids in the mentions mean.
    """
    told = Relations.collect(_iter_told(mentions, papers, concepts), Places(papers, concepts))
    scores = dict(zip(told.iter_ends(), told.scores, strict=True))
    weakened = []
    for (subject, predicate, target), score in scores.items():
        other = scores.get((target, predicate, subject), 0.0)
        weakened.append(round(score * (1 - other) / (1 - score * other) if other else score, 4))
    return told.with_scores(weakened)


def _iter_told(
    mentions: duckdb.DuckDBPyConnection, papers: Mapping[str, Paper], concepts: Mapping[str, Concept]
) -> Iterator[Relation]:
    """Yield what sentences say of concepts, whatever others say."""
    cursor = mentions.execute(_TOLD)
    for (subject, name, target), group in groupby(iter(cursor.fetchone, None), key=lambda row: row[:3]):
        predicate = Predicate(name)
        if (concepts[subject].type, concepts[target].type) in _ENDS[predicate]:
            rows = list(group)
            score = min(_SUREST, 1 - prod(1 - row[9] for row in rows))
            evidence = sorted(_to_evidence(row, papers[row[3]]) for row in rows[:_MOST_EVIDENCE])
            yield Relation(subject, predicate, target, score, tuple(evidence), support=len(rows))


def link_claims(told: Iterable[Relation], implied: Iterable[Relation]) -> Iterator[Relation]:
    """Yield relations between concepts but kinds, which `kg.link.link_kinds` makes, and none that a kind says.

    Parameters
    ----------
    told : iterable of Relation
        From `find_told`.
    implied : iterable of Relation
        The kinds.
    """
    kinds = {(one.subject, one.object) for one in implied}
    for one in told:
        pair = (one.subject, one.object)
        if one.predicate is not Predicate.BROADER and one.score >= LEAST and not {pair, pair[::-1]} & kinds:
            yield one


def _to_evidence(row: tuple[Any, ...], paper: Paper) -> Evidence:
    """Return the sentence that a row of claims stands in."""
    _, _, _, _, section, offset, length, start, end, score, cue = row
    section = Section(section)
    sentence = quote_sentence(paper.text(section), offset, length)
    return Evidence(paper.id, section, offset, start, end, sentence, cue, score)
