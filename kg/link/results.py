"""Results of the graph, from what sentences report: their names become concepts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kg.link.sentences import quote_sentence
from kg.model import ConceptType, Direction, Evidence, Predicate, Result, ResultKind, Section, iter_ends

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import duckdb

    from kg.model import Concept, Paper, Relation

__all__ = ["link_results"]

_TYPES = {
    "metric": ConceptType.METRIC,
    "dataset": ConceptType.DATASET,
    "method": ConceptType.METHOD,
    "baseline": ConceptType.METHOD,
}
_NAMED = """
    SELECT reported.*, {columns} FROM measurements AS reported {joins}
    ORDER BY reported.paper, reported.section, reported."offset", reported.start
"""
_JOIN = """
    LEFT JOIN mentions AS {0} ON {0}.paper = reported.paper AND {0}.section = reported.section
        AND {0}."offset" = reported."offset" AND {0}.start = {0}_start AND {0}."end" = {0}_end
"""


def link_results(
    mentions: duckdb.DuckDBPyConnection,
    papers: Mapping[str, Paper],
    concepts: Mapping[str, Concept],
    relations: Sequence[Relation],
) -> tuple[Result, ...]:
    """Return the results that papers report, by paper and place in it.

    "We", "it" and "our method" mean what the paper introduces if that is one method.

    Parameters
    ----------
    mentions : DuckDBPyConnection
        With tables or views ``mentions`` and ``measurements`` that have the columns of
        `kg.mentions.mention_schema` and `kg.mentions.measurement_schema`.
    papers, concepts : mappings by node id
        What the ids in the mentions mean.
    relations : iterable of Relation
        Those of papers to concepts among them say what a paper introduces.
    """
    own: dict[str, list[str]] = {}
    for paper, predicate, concept in iter_ends(relations):
        if predicate is Predicate.INTRODUCES and concepts[concept].type is ConceptType.METHOD:
            own.setdefault(paper, []).append(concept)
    columns = ", ".join(f"coalesce({name}.concept, '') AS \"{name} concept\"" for name in _TYPES)
    cursor = mentions.execute(_NAMED.format(columns=columns, joins="".join(map(_JOIN.format, _TYPES))))
    names = [column[0] for column in cursor.description or ()]
    rows = (dict(zip(names, row, strict=True)) for row in iter(cursor.fetchone, None))
    return tuple(_to_result(row, papers[row["paper"]], concepts, own) for row in rows)


def _to_result(
    row: Mapping[str, Any], paper: Paper, concepts: Mapping[str, Concept], own: Mapping[str, list[str]]
) -> Result:
    """Return the result that a row of measurements is."""
    ends = {name: row[f"{name} concept"] for name in _TYPES}
    ends = {name: node if node and concepts[node].type is _TYPES[name] else "" for name, node in ends.items()}
    presented = own.get(paper.id, [])
    if row["own"] and len(presented) == 1:
        ends["method"] = presented[0]
    if ends["baseline"] == ends["method"]:
        ends["baseline"] = ""
    section, offset = Section(row["section"]), row["offset"]
    sentence = quote_sentence(paper.text(section), offset, row["length"])
    score = round(row["score"], 4)
    return Result(
        paper=paper.id,
        metric_text=row["metric"],
        value=row["value"],
        unit=row["unit"],
        kind=ResultKind(row["kind"]),
        direction=Direction(row["direction"]) if row["direction"] else None,
        better=Direction(row["better"]) if row["better"] else None,
        baseline_value=row["baseline_value"],
        confidence=score,
        evidence=Evidence(paper.id, section, offset, row["start"], row["end"], sentence, row["cue"], score),
        **ends,
    )
