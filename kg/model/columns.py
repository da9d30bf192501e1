"""The columns that relations are kept in: rows of numbers, and what they count in.

Nodes are places in a list of ids, and a sentence is a stretch of its paper's text, so a relation
takes about a hundred bytes.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from kg.model.terms import Predicate, Section

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from kg.model.concepts import Relation
    from kg.model.papers import Paper

    Rows = NDArray[np.void]
    Numbers = NDArray[np.signedinteger[Any]]

__all__ = [
    "PREDICATES",
    "QUOTE",
    "ROW",
    "SECTIONS",
    "Index",
    "Places",
    "RelationColumns",
    "iter_rows",
    "join_columns",
    "join_parts",
    "sort_columns",
    "spread",
    "to_columns",
    "to_index",
    "to_starts",
]

PREDICATES = sorted(Predicate)  # as rows count them
SECTIONS = sorted(Section)
ROW = [
    ("subject", "i4"), ("predicate", "u1"), ("object", "i4"), ("score", "f8"), ("support", "i4"),
    ("quotes", "i4"), ("shared", "i4"),
]  # fmt: skip
QUOTE = [
    ("paper", "i4"), ("section", "u1"), ("offset", "i4"), ("start", "i4"), ("end", "i4"), ("length", "i4"),
    ("odd", "i4"), ("method", "i4"), ("score", "f8"),
]  # fmt: skip
_AT_ONCE = 4_096  # relations that are nouns in memory
_PREDICATE_AT = {one: at for at, one in enumerate(PREDICATES)}
_SECTION_AT = {one: at for at, one in enumerate(SECTIONS)}


class RelationColumns(NamedTuple):
    """Relations as numbers."""

    rows: Rows  # of ROW: places of nodes and in PREDICATES, score and support, how much evidence and how many in `via`
    quotes: Rows  # of QUOTE: the evidence of each row in turn
    via: Numbers  # places of nodes, those of each row in turn
    nodes: Sequence[str]  # the ids of papers and concepts, sorted; then those of papers that the graph has not
    methods: Sequence[str]
    odd: Sequence[str]  # sentences that are not what their paper reads, which rows count from 1


class Places:
    """The places of nodes, methods and odd sentences, which get theirs as they come.

    Parameters
    ----------
    papers, concepts : mapping and iterable of node ids
        Of the graph.
    """

    def __init__(self, papers: Mapping[str, Paper], concepts: Iterable[str]) -> None:
        self.papers = papers
        self._nodes = {node: at for at, node in enumerate(sorted([*papers, *concepts]))}
        self._methods: dict[str, int] = {}
        self._odd: dict[str, int] = {}

    def find_node(self, node: str) -> int:
        """Return the place of a node."""
        return self._nodes.setdefault(node, len(self._nodes))

    def find_method(self, method: str) -> int:
        """Return the place of a method."""
        return self._methods.setdefault(method, len(self._methods))

    def find_odd(self, paper: str, section: Section, offset: int, sentence: str) -> int:
        """Return 0 if a paper reads so there, or else the place of a sentence, counted from 1."""
        known = self.papers.get(paper)
        if known and known.text(section)[offset : offset + len(sentence)] == sentence:
            return 0
        return self._odd.setdefault(sentence, len(self._odd) + 1)

    def close(self, rows: Rows, quotes: Rows, via: Numbers) -> RelationColumns:
        """Return columns that count in these places."""
        return RelationColumns(rows, quotes, via, list(self._nodes), list(self._methods), list(self._odd))


class Index(NamedTuple):
    """Where in a column each node stands."""

    order: Numbers  # places in the column, by node
    starts: Numbers  # where in `order` those of each node start, and where those of the last end

    def find(self, node: int | None) -> Numbers:
        """Return the places of a node."""
        return self.order[:0] if node is None else self.order[self.starts[node] : self.starts[node + 1]]


def to_columns(relations: Iterable[Relation], places: Places) -> RelationColumns:
    """Return relations as columns, in their order."""
    relations = iter(relations)
    parts = []
    while some := list(islice(relations, _AT_ONCE)):
        parts.append(_to_parts(some, places))
    return places.close(*join_parts(parts))


def join_columns(columns: Sequence[RelationColumns]) -> RelationColumns:
    """Return some columns that were made in the same places, one after the other, as one."""
    rows, quotes, via = join_parts(one[:3] for one in columns)
    return columns[-1]._replace(rows=rows, quotes=quotes, via=via)  # the last knows all places


def join_parts(parts: Iterable[tuple[Rows, Rows, Numbers]]) -> tuple[Rows, Rows, Numbers]:
    """Return rows, quotes and what is shared of some parts together, or of none."""
    import numpy as np

    empty = (np.empty(0, ROW), np.empty(0, QUOTE), np.empty(0, np.int32))
    rows, quotes, via = (np.concatenate(some) for some in zip(empty, *parts, strict=True))
    return rows, quotes, via


def _to_parts(relations: Sequence[Relation], places: Places) -> tuple[Rows, Rows, Numbers]:
    """Return rows, quotes and what is shared of some relations."""
    import numpy as np

    find = places.find_node
    rows = [
        (
            find(one.subject),
            _PREDICATE_AT[one.predicate],
            find(one.object),
            one.score,
            one.support,
            len(one.evidence),
            len(one.via),
        )
        for one in relations
    ]
    quotes = [
        (
            find(one.paper),
            _SECTION_AT[one.section],
            one.offset,
            one.start,
            one.end,
            len(one.sentence),
            places.find_odd(one.paper, one.section, one.offset, one.sentence),
            places.find_method(one.method),
            one.score,
        )
        for relation in relations
        for one in relation.evidence
    ]
    via = [find(node) for one in relations for node in one.via]
    return np.array(rows, ROW), np.array(quotes, QUOTE), np.array(via, np.int32)


def iter_rows(rows: Rows) -> Iterator[tuple[Any, ...]]:
    """Yield rows as tuples, column by column since that is faster."""
    return zip(*(rows[name].tolist() for name in rows.dtype.names or ()), strict=True)


def sort_columns(columns: RelationColumns) -> RelationColumns:
    """Return columns with their rows by subject, predicate and object."""
    import numpy as np

    rows, quotes, via = columns[:3]
    order = np.lexsort((rows["object"], rows["predicate"], rows["subject"]))
    if (order == np.arange(len(order))).all():
        return columns
    quotes = quotes[spread(to_starts(rows["quotes"])[order], rows["quotes"][order])]
    via = via[spread(to_starts(rows["shared"])[order], rows["shared"][order])]
    return columns._replace(rows=rows[order], quotes=quotes, via=via)


def to_index(column: Numbers, nodes: int) -> Index:
    """Return where in a column each of so many nodes stands."""
    import numpy as np

    order = np.argsort(column, kind="stable").astype(np.int32)
    return Index(order, np.searchsorted(column[order], np.arange(nodes + 1)))


def to_starts(counts: Numbers) -> Numbers:
    """Return where each of several stretches of so many starts, and where the last ends."""
    import numpy as np

    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])


def spread(starts: Numbers, counts: Numbers) -> Numbers:
    """Return all places of stretches, given where each starts and how long it is."""
    import numpy as np

    before = to_starts(counts)
    return np.repeat(starts - before[:-1], counts) + np.arange(before[-1])
