"""Relations between papers and concepts.

Mentions are counted in DuckDB, which reads the Parquet file in batches and spills to disk;
what comes back is a row for each relation, not for each mention.
"""

from __future__ import annotations

from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any

from kg.link.sentences import quote_sentence
from kg.model import ConceptType, Evidence, Predicate, Relation, Section

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import duckdb

    from kg.model import Concept, Paper

__all__ = ["link_concepts"]

_MOST_EVIDENCE = 5  # sentences kept for one relation

_BY_TYPE = {
    ConceptType.METHOD: Predicate.USES_METHOD,
    ConceptType.DATASET: Predicate.USES_DATASET,
    ConceptType.TASK: Predicate.ADDRESSES_TASK,
    ConceptType.METRIC: Predicate.REPORTS_METRIC,
}
_ROLES = """
    SELECT paper, concept, role, section, "offset", "length", "start", "end", cue, round(score * role_score, 4)
    FROM (
        SELECT *, row_number() OVER (
            PARTITION BY paper, concept, role ORDER BY score * role_score DESC, section, "offset", "start"
        ) AS place
        FROM mentions
    )
    WHERE place <= $most
    ORDER BY paper, concept, role, section, "offset", "start"
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
    rows = mentions.execute(_ROLES, {"most": _MOST_EVIDENCE})
    for (paper, concept), group in groupby(iter(rows.fetchone, None), key=lambda row: row[:2]):
        found: dict[Predicate, list[Evidence]] = {}
        for row in group:
            predicate = _to_predicate(Predicate(row[2]), concepts[concept].type)
            found.setdefault(predicate, []).append(_to_evidence(row, papers[paper]))
        for predicate, evidence in sorted(_keep_roles(found).items()):
            best = sorted(evidence, key=lambda one: (-one.score, one))[:_MOST_EVIDENCE]
            ends = papers[paper].id, concepts[concept].id  # one string each, however many relations there are
            yield Relation(ends[0], predicate, ends[1], max(one.score for one in best), tuple(sorted(best)))


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


@cache
def _to_method(cue: str) -> str:
    """Return how a role was found."""
    return f"cue: {cue}" if cue else "type"


def _to_evidence(row: tuple[Any, ...], paper: Paper) -> Evidence:
    """Return the sentence that a row of mentions stands in."""
    section, offset, length, start, end, cue, score = row[3:]
    section = Section(section)
    sentence = quote_sentence(paper.text(section), offset, length)
    return Evidence(paper.id, section, offset, start, end, sentence, _to_method(cue), score)
