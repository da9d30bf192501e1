"""Relations of a large graph: columns, of which nouns are made where they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, overload

from kg.model.columns import (
    PREDICATES,
    SECTIONS,
    iter_rows,
    join_columns,
    sort_columns,
    spread,
    to_columns,
    to_index,
    to_starts,
)
from kg.model.concepts import Evidence, Relation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from kg.model.columns import Index, Numbers, Places, RelationColumns, Rows
    from kg.model.papers import Paper
    from kg.model.terms import Predicate, Section

__all__ = ["Relations", "iter_ends"]

_BATCH = 4_096  # relations that are nouns at a time


class Relations(Sequence[Relation]):
    """Relations by subject, predicate and object.

    Parameters
    ----------
    columns : RelationColumns
        In any order.
    papers : mapping by node id
        What sentences are taken from.
    """

    def __init__(self, columns: RelationColumns, papers: Mapping[str, Paper]) -> None:
        self.columns = sort_columns(columns)
        self._papers = papers

    @classmethod
    def collect(cls, relations: Iterable[Relation], places: Places) -> Relations:
        """Return relations as columns, whatever their order."""
        return cls(to_columns(relations, places), places.papers)

    @classmethod
    def join(cls, some: Iterable[Relations], papers: Mapping[str, Paper]) -> Relations:
        """Return all relations of some that were collected in the same places, one after the other."""
        return cls(join_columns([one.columns for one in some]), papers)

    def __len__(self) -> int:
        return len(self.columns.rows)

    @overload
    def __getitem__(self, at: int) -> Relation: ...
    @overload
    def __getitem__(self, at: slice) -> list[Relation]: ...
    def __getitem__(self, at: int | slice) -> Relation | list[Relation]:
        if isinstance(at, slice):
            return self._to_nouns(at)
        return self._to_nouns([range(len(self))[at]])[0]

    def __iter__(self) -> Iterator[Relation]:
        for first in range(0, len(self), _BATCH):
            yield from self._to_nouns(slice(first, first + _BATCH))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(one == two for one, two in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]

    def iter_ends(self) -> Iterator[tuple[str, Predicate, str]]:
        """Yield subject, predicate and object of each."""
        nodes, rows = self.columns.nodes, self.columns.rows
        for first in range(0, len(rows), _BATCH):
            some = rows[first : first + _BATCH]
            ends = (some[name].tolist() for name in ("subject", "predicate", "object"))
            for subject, predicate, target in zip(*ends, strict=True):
                yield nodes[subject], PREDICATES[predicate], nodes[target]

    @property
    def scores(self) -> list[float]:
        """The score of each."""
        return self.columns.rows["score"].tolist()  # type: ignore[no-any-return]

    def with_scores(self, scores: Sequence[float]) -> Relations:
        """Return the same relations with other scores."""
        rows = self.columns.rows.copy()
        rows["score"] = scores
        return Relations(self.columns._replace(rows=rows), self._papers)

    def leaving(self, node: str) -> list[Relation]:
        """Return the relations whose subject a node is."""
        return self._to_nouns(self._subjects.find(self._place.get(node)).tolist())

    def reaching(self, node: str) -> list[Relation]:
        """Return the relations whose object a node is."""
        return self._to_nouns(self._objects.find(self._place.get(node)).tolist())

    def find_objects(self, node: str) -> list[tuple[Predicate, str]]:
        """Return predicate and object of the relations whose subject a node is."""
        return self._find_ends(self._subjects.find(self._place.get(node)), "object")

    def find_subjects(self, node: str) -> list[tuple[Predicate, str]]:
        """Return predicate and subject of the relations whose object a node is."""
        return self._find_ends(self._objects.find(self._place.get(node)), "subject")

    def find_sentences(self, paper: str) -> set[tuple[Section, int, int]]:
        """Return section, offset and length of the sentences of a paper that are evidence."""
        quotes = self.columns.quotes[self._quoting.find(self._place.get(paper))]
        places = zip(*(quotes[name].tolist() for name in ("section", "offset", "length")), strict=True)
        return {(SECTIONS[section], offset, length) for section, offset, length in places}

    def find_quotes(self, pairs: Sequence[tuple[str, str]]) -> list[Evidence]:
        """Return the first sentence of the first relation from one node to another, for pairs that have one."""
        import numpy as np

        order, keys = self._by_ends
        place, count = self._place, len(self.columns.nodes)
        wanted = np.array([place[subject] * count + place[target] for subject, target in pairs], np.int64)
        rows = order[np.searchsorted(keys, wanted)]
        return self._to_evidence(self.columns.quotes[self._quoted[rows]])

    def take(self, places: slice | Sequence[int] | Numbers) -> tuple[Rows, Rows, Numbers]:
        """Return the rows at some places, with their quotes and what is shared, in turn."""
        rows = self.columns.rows[places]
        quotes = self.columns.quotes[spread(self._quoted[:-1][places], rows["quotes"])]
        return rows, quotes, self.columns.via[spread(self._shared[:-1][places], rows["shared"])]

    def read_sentences(self, quotes: Rows) -> list[str]:
        """Return the sentences of quotes."""
        papers, nodes, odd = self._papers, self.columns.nodes, self.columns.odd
        names = ("paper", "section", "offset", "length", "odd")
        return [
            odd[other - 1] if other else papers[nodes[paper]].text(SECTIONS[section])[offset : offset + length]
            for paper, section, offset, length, other in zip(*(quotes[name].tolist() for name in names), strict=True)
        ]

    def _to_nouns(self, places: slice | list[int]) -> list[Relation]:
        """Return the relations at some places."""
        nodes = self.columns.nodes
        rows, told, shared_nodes = self.take(places)
        quotes, via = iter(self._to_evidence(told)), iter([nodes[one] for one in shared_nodes.tolist()])
        return [
            Relation(
                nodes[subject],
                PREDICATES[predicate],
                nodes[target],
                score,
                tuple(islice(quotes, quoted)),
                tuple(islice(via, shared)),
                support,
            )
            for subject, predicate, target, score, support, quoted, shared in iter_rows(rows)
        ]

    def _to_evidence(self, quotes: Rows) -> list[Evidence]:
        """Return rows of quotes as nouns."""
        nodes, methods = self.columns.nodes, self.columns.methods
        sentences = self.read_sentences(quotes)
        return [
            Evidence(nodes[paper], SECTIONS[section], offset, start, end, sentence, methods[method], score)
            for (paper, section, offset, start, end, _, _, method, score), sentence in zip(
                iter_rows(quotes), sentences, strict=True
            )
        ]

    def _find_ends(self, places: Numbers, end: str) -> list[tuple[Predicate, str]]:
        """Return predicates and one of the ends of the relations at some places."""
        nodes, rows = self.columns.nodes, self.columns.rows
        pairs = zip(rows["predicate"][places].tolist(), rows[end][places].tolist(), strict=True)
        return [(PREDICATES[predicate], nodes[node]) for predicate, node in pairs]

    @cached_property
    def _place(self) -> dict[str, int]:
        """The place of each node."""
        return {node: at for at, node in enumerate(self.columns.nodes)}

    @cached_property
    def _quoted(self) -> Numbers:
        """Where the evidence of each row starts, and where that of the last ends."""
        return to_starts(self.columns.rows["quotes"])

    @cached_property
    def _shared(self) -> Numbers:
        """Where the `via` of each row starts, and where that of the last ends."""
        return to_starts(self.columns.rows["shared"])

    @cached_property
    def _subjects(self) -> Index:
        """The rows of each subject."""
        return to_index(self.columns.rows["subject"], len(self.columns.nodes))

    @cached_property
    def _objects(self) -> Index:
        """The rows of each object."""
        return to_index(self.columns.rows["object"], len(self.columns.nodes))

    @cached_property
    def _quoting(self) -> Index:
        """The quotes from each paper."""
        return to_index(self.columns.quotes["paper"], len(self.columns.nodes))

    @cached_property
    def _by_ends(self) -> tuple[Numbers, Numbers]:
        """The rows by subject and object, and a number for both that is sorted as they are."""
        import numpy as np

        rows = self.columns.rows
        keys = rows["subject"].astype(np.int64) * len(self.columns.nodes) + rows["object"]
        order = np.argsort(keys, kind="stable")
        return order, keys[order]


def iter_ends(relations: Sequence[Relation]) -> Iterator[tuple[str, Predicate, str]]:
    """Yield subject, predicate and object of relations; of columns without making nouns of them."""
    if isinstance(relations, Relations):
        return relations.iter_ends()
    return ((one.subject, one.predicate, one.object) for one in relations)
