"""Relations and their evidence as the page has them: rows of numbers."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from kg.model import Predicate, Section
from kg.model.columns import PREDICATES, QUOTE, SECTIONS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from kg.model import Evidence, KnowledgeGraph
    from kg.model.columns import Rows

__all__ = ["Edges", "to_edges"]

_SECTION_AT = [list(Section).index(one) for one in SECTIONS]
_PREDICATE_AT = [list(Predicate).index(one) for one in PREDICATES]


class Edges(NamedTuple):
    """The relations of some nodes, the sentences that speak for them, and what made these."""

    relations: list[list[object]]
    evidence: list[list[object]]
    methods: list[str]
    places: list[int]  # in `evidence`, of the sentences that were given
    pairs: list[tuple[int, int]]  # subject and object of each relation


def to_edges(kg: KnowledgeGraph, number: Mapping[str, int], told: Sequence[Evidence]) -> Edges:
    """Return the relations between numbered nodes, by subject, predicate and object.

    A row of `relations` has subject, predicate, object, score, evidence and, if there are any,
    the concepts that join two papers; one of `evidence` has paper, section, offset and length
    of the sentence, start and end of the name in it, method and score.

    Parameters
    ----------
    number : mapping by node id
        Papers in the order of their ids.
    told : sequence of Evidence
        More sentences of numbered papers that the page needs.
    """
    import numpy as np

    whole = kg.columns
    columns = whole.columns
    at = np.array([number.get(node, -1) for node in columns.nodes], np.int64)
    subjects, objects = at[columns.rows["subject"]], at[columns.rows["object"]]
    kept = np.flatnonzero((subjects >= 0) & (objects >= 0))
    kept = kept[np.lexsort((objects[kept], columns.rows["predicate"][kept], subjects[kept]))]
    rows, table, via = whole.take(kept)
    methods = sorted({*columns.methods, *(one.method for one in told)})
    rank = {method: place for place, method in enumerate(methods)}
    table["paper"] = at[table["paper"]]  # a copy, as what is taken by places is
    table["method"] = np.array([rank[name] for name in columns.methods], np.int32)[table["method"]]
    places, found = _sort(np.concatenate([table, _to_rows(told, number, rank)]))
    pairs = list(zip(subjects[kept].tolist(), objects[kept].tolist(), strict=True))
    shown = iter(places)
    relations = list(_iter_relations(rows, pairs, shown, iter(at[via].tolist())))
    used, found["method"] = np.unique(found["method"], return_inverse=True)
    return Edges(relations, _to_evidence(found), [methods[one] for one in used], list(shown), pairs)


def _to_rows(told: Sequence[Evidence], number: Mapping[str, int], rank: Mapping[str, int]) -> Rows:
    """Return evidence as rows of quotes, with papers and methods as the page counts them."""
    import numpy as np

    rows = [
        (
            number[one.paper],
            SECTIONS.index(one.section),
            one.offset,
            one.start,
            one.end,
            len(one.sentence),
            0,
            rank[one.method],
            one.score,
        )
        for one in told
    ]
    return np.array(rows, QUOTE)


def _sort(quotes: Rows) -> tuple[list[int], Rows]:
    """Return the place of each quote among those that differ, which are sorted, or -1 if its paper is not shown."""
    import numpy as np

    names = ("length", "score", "method", "end", "start", "offset", "section", "paper")
    order = np.lexsort([quotes[name] for name in names])
    quotes = quotes[order]
    is_new = quotes["paper"] >= 0
    is_new[1:] &= np.any([quotes[name][1:] != quotes[name][:-1] for name in names], axis=0)
    places = np.empty(len(order), np.int64)
    places[order] = np.where(quotes["paper"] >= 0, np.cumsum(is_new) - 1, -1)
    return places.tolist(), quotes[is_new]


def _iter_relations(
    rows: Rows, pairs: Iterable[tuple[int, int]], places: Iterator[int], via: Iterator[int]
) -> Iterator[list[object]]:
    """Yield the rows of relations; what joins two papers stands there only if anything does."""
    names = ("predicate", "score", "quotes", "shared")
    columns = zip(*(rows[name].tolist() for name in names), strict=True)
    for (subject, target), (predicate, score, quotes, shared) in zip(pairs, columns, strict=True):
        evidence = sorted({place for place in islice(places, quotes) if place >= 0})
        row = [subject, _PREDICATE_AT[predicate], target, round(score, 3), evidence]
        joined = [node for node in islice(via, shared) if node >= 0]
        yield [*row, joined] if joined else row


def _to_evidence(quotes: Rows) -> list[list[object]]:
    """Return the rows of evidence."""
    names = ("paper", "section", "offset", "length", "start", "end", "method", "score")
    return [
        [paper, _SECTION_AT[section], *places, round(score, 3)]
        for paper, section, *places, score in zip(*(quotes[name].tolist() for name in names), strict=True)
    ]
