"""Relations of concepts to wider ones, with the sentences that show or say it.

Sentences say it in the ways that Hearst collected [1]_: "datasets such as ImageNet and MNIST",
"MNIST and other datasets".

References
----------
.. [1] M. A. Hearst. Automatic acquisition of hyponyms from large text corpora. COLING, 1992.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from kg.model import Evidence, Predicate, Relation, Section

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import duckdb

    from kg.model import Concept, Paper

__all__ = ["Told", "find_told_kinds", "link_kinds"]

_SURE = 0.9  # of what a name or a sentence shows
_MOST_EVIDENCE = 5  # sentences kept for one relation
_BATCH = 10_000  # rows

_SUCH_AS = re.compile(r",? ?(?:such as|including|like|e\.g\.,?|especially|for example,?|for instance,?) (?:the )?")
_AND_OTHER = re.compile(r",? (?:and|or) (?:many |most |several |various )?other ")
_LIST = re.compile(r"(?: \([^()]*\))?(?:, (?:and |or )?| and | or )(?:the )?")

_ROWS = """
    SELECT paper, concept, section, "offset", "length", "start", "end", score FROM mentions
    ORDER BY paper, section, "offset", "start", "end"
"""
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


@dataclass(frozen=True, slots=True, order=True)
class Told:
    """That a sentence says of one concept that it is a kind of another."""

    concept: str  # node id
    broader: str  # node id
    evidence: Evidence


def find_told_kinds(
    mentions: duckdb.DuckDBPyConnection, papers: Mapping[str, Paper], concepts: Mapping[str, Concept]
) -> Iterator[Told]:
    """Yield what sentences say to be a kind of what; both have the same type.

    Parameters
    ----------
    mentions : DuckDBPyConnection
        With a table or view ``mentions`` that has the columns of `kg.mentions.mention_schema`.
    papers, concepts : mappings by node id
        What the ids in the mentions mean.
    """
    for (paper, section, offset), group in groupby(_fetch(mentions), key=lambda row: (row[0], row[2], row[3])):
        rows = list(group)
        if len(rows) > 1:
            text = papers[paper].text(Section(section))
            sentence = text[offset : offset + rows[0][4]]
            for narrow, broad, words in _read_sentence(sentence, rows):
                if narrow[1] != broad[1] and concepts[narrow[1]].type is concepts[broad[1]].type:
                    yield Told(narrow[1], broad[1], _to_evidence(narrow, sentence, f"the words {words!r}"))


def link_kinds(
    mentions: duckdb.DuckDBPyConnection,
    papers: Mapping[str, Paper],
    kinds: Sequence[tuple[str, str, str]],
    told: Iterable[Told],
) -> Iterator[Relation]:
    """Yield which concepts are kinds of others, by concept.

    Parameters
    ----------
    mentions, papers
        As for `find_told_kinds`.
    kinds : sequence of (str, str, str)
        A concept, a wider one, and why; each once and without cycles.
    told : iterable of Told
        Sentences for some of them; the others show a sentence with the concept's name.
    """
    said: dict[tuple[str, str], list[Evidence]] = {}
    for one in told:
        said.setdefault((one.concept, one.broader), []).append(one.evidence)
    silent = sorted({concept for concept, broader, _ in kinds if (concept, broader) not in said})
    mentions.register("narrow", pa.table({"concept": pa.array(silent, pa.string())}))
    best = {row[0]: row for row in mentions.execute(_BEST).fetchall()}
    mentions.unregister("narrow")
    for concept, broader, reason in sorted(kinds):
        evidence = sorted(said.get((concept, broader), ()), key=lambda one: (-one.score, one))[:_MOST_EVIDENCE]
        if not evidence:
            row = best[concept]
            sentence = papers[row[1]].text(Section(row[2]))[row[3] : row[3] + row[4]]
            evidence = [_to_evidence((row[1], row[0], *row[2:]), sentence, reason)]
        yield Relation(concept, Predicate.BROADER, broader, _SURE, tuple(sorted(evidence)))


def _fetch(mentions: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    """Yield the mentions, sentence by sentence."""
    cursor = mentions.execute(_ROWS)
    while rows := cursor.fetchmany(_BATCH):
        yield from rows


def _read_sentence(
    sentence: str, rows: Sequence[tuple[Any, ...]]
) -> Iterator[tuple[tuple[Any, ...], tuple[Any, ...], str]]:
    """Yield rows of mentions with that of the wider concept, and the words between them that say so."""
    between = [sentence[left[6] : right[5]] for left, right in pairwise(rows)]
    for at, words in enumerate(between):
        if _SUCH_AS.fullmatch(words):
            stop = at + 1
            while stop < len(between) and _LIST.fullmatch(between[stop]):
                stop += 1
            yield from ((rows[one], rows[at], words.strip(" ,")) for one in range(at + 1, stop + 1))
        elif _AND_OTHER.fullmatch(words):
            start = at
            while start and _LIST.fullmatch(between[start - 1]):
                start -= 1
            yield from ((rows[one], rows[at + 1], words.strip(" ,")) for one in range(start, at + 1))


def _to_evidence(row: tuple[Any, ...], sentence: str, method: str) -> Evidence:
    """Return the sentence that a row of mentions stands in."""
    return Evidence(row[0], Section(row[2]), row[3], row[5], row[6], sentence, method, _SURE)
