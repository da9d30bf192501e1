"""Relations of concepts to wider ones, with the sentences that show or say it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from kg.link.sentences import quote_sentence
from kg.model import Evidence, Predicate, Relation, Section

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import duckdb

    from kg.model import Paper

__all__ = ["link_kinds"]

_SURE = 0.9  # of what a name shows
_BEST = """
    SELECT concept, paper, section, "offset", "length", "start", "end", score
    FROM (
        SELECT mentions.*, row_number() OVER (
            PARTITION BY concept ORDER BY score DESC, paper, section, "offset", "start"
        ) AS place
        FROM mentions SEMI JOIN narrow USING (concept)
    )
    WHERE place = 1
"""


def link_kinds(
    mentions: duckdb.DuckDBPyConnection,
    papers: Mapping[str, Paper],
    kinds: Sequence[tuple[str, str, str]],
    told: Iterable[Relation],
) -> Iterator[Relation]:
    """Yield which concepts are kinds of others, by concept.

    Parameters
    ----------
    mentions : DuckDBPyConnection
        With a table or view ``mentions`` that has the columns of `kg.mentions.mention_schema`.
    papers : mapping by node id
        What the ids in the mentions mean.
    kinds : sequence of (str, str, str)
        A concept, a wider one, and why; each once and without cycles.
    told : iterable of Relation
        From `kg.link.find_told`, for some of them; the others show a sentence with the
        concept's name.
    """
    said = {(one.subject, one.object): one for one in told if one.predicate is Predicate.BROADER}
    silent = sorted({concept for concept, broader, _ in kinds if (concept, broader) not in said})
    mentions.register("narrow", pa.table({"concept": pa.array(silent, pa.string())}))
    best = {row[0]: row for row in mentions.execute(_BEST).fetchall()}
    mentions.unregister("narrow")
    for concept, broader, reason in sorted(kinds):
        if one := said.get((concept, broader)):
            yield one
        else:
            evidence = _to_evidence(best[concept], papers, reason)
            yield Relation(concept, Predicate.BROADER, broader, _SURE, (evidence,))


def _to_evidence(row: tuple[Any, ...], papers: Mapping[str, Paper], method: str) -> Evidence:
    """Return the sentence that a row of mentions stands in."""
    _, paper, section, offset, length, start, end, _ = row
    section = Section(section)
    sentence = quote_sentence(papers[paper].text(section), offset, length)
    return Evidence(papers[paper].id, section, offset, start, end, sentence, method, _SURE)
