"""The columns of a graph's tables, and nouns as columns."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from itertools import accumulate
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from kg.model import (
    Community,
    Concept,
    Evidence,
    Paper,
    Relation,
    Relations,
    Result,
    Term,
    VocabularyMatch,
)
from kg.model.columns import PREDICATES, QUOTE, ROW, SECTIONS, Places, join_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from kg.model.columns import Numbers, Rows

__all__ = [
    "centrality_schema",
    "community_schema",
    "concept_schema",
    "match_schema",
    "paper_schema",
    "relation_schema",
    "result_schema",
    "term_schema",
    "to_batches",
    "to_column",
    "to_relations",
]

_BATCH = 32_768  # relations
_PREDICATES, _SECTIONS = (pa.array([one.value for one in some]) for some in (PREDICATES, SECTIONS))


def to_column(nouns: Sequence[object], field: pa.Field) -> pa.Array:
    """Return a field of nouns as a column; a noun in it, or each of several, becomes a struct."""
    values = [getattr(noun, field.name) for noun in nouns]
    if pa.types.is_struct(field.type):
        return _to_structs(values, field.type)
    if pa.types.is_list(field.type) and pa.types.is_struct(field.type.value_type):
        ends = list(accumulate(map(len, values), initial=0))
        flat = _to_structs([one for some in values for one in some], field.type.value_type)
        return pa.ListArray.from_arrays(pa.array(ends, pa.int32()), flat, type=field.type)
    return pa.array(values, field.type)


def to_batches(relations: Relations) -> Iterator[pa.RecordBatch]:
    """Yield relations as columns, some at a time; each sentence is written out."""
    nodes, methods = (pa.array(words, pa.string()) for words in (relations.columns.nodes, relations.columns.methods))
    for first in range(0, len(relations), _BATCH):
        rows, quotes, via = relations.take(slice(first, first + _BATCH))
        told = {name: pa.array(quotes[name]) for name in ("offset", "start", "end", "score")}
        told["paper"], told["method"] = nodes.take(pa.array(quotes["paper"])), methods.take(pa.array(quotes["method"]))
        told["section"] = _SECTIONS.take(pa.array(quotes["section"]))
        told["sentence"] = pa.array(relations.read_sentences(quotes), pa.string())
        evidence = pa.StructArray.from_arrays(
            [told[field.name] for field in _evidence_type()], fields=list(_evidence_type())
        )
        columns = {name: nodes.take(pa.array(rows[name])) for name in ("subject", "object")}
        columns |= {name: pa.array(rows[name]) for name in ("score", "support")}
        columns["predicate"] = _PREDICATES.take(pa.array(rows["predicate"]))
        columns["evidence"] = _to_lists(rows["quotes"], evidence)
        columns["via"] = _to_lists(rows["shared"], nodes.take(pa.array(via)))
        yield pa.RecordBatch.from_arrays([columns[name] for name in relation_schema().names], schema=relation_schema())


def _to_lists(lengths: NDArray[np.int32], values: pa.Array) -> pa.ListArray:
    """Return values as lists of so many each."""
    ends = pa.array([0, *lengths.cumsum().tolist()], pa.int32())
    return pa.ListArray.from_arrays(ends, values)


def to_relations(batches: Iterable[pa.RecordBatch], papers: Mapping[str, Paper], concepts: Iterable[str]) -> Relations:
    """Return the relations of batches; `to_batches` undone."""
    places = Places(papers, concepts)
    return Relations(places.close(*join_parts(_to_parts(batch, places) for batch in batches)), papers)


def _to_parts(batch: pa.RecordBatch, places: Places) -> tuple[Rows, Rows, Numbers]:
    """Return rows, quotes and what is shared of a batch of relations."""
    import numpy as np

    evidence, via = batch["evidence"], batch["via"]
    rows, told = np.empty(len(batch), ROW), evidence.flatten()
    quotes = np.empty(len(told), QUOTE)
    for name in ("subject", "object"):
        rows[name] = _code(batch[name], places.find_node)
    rows["predicate"] = _code(batch["predicate"], list(map(str, PREDICATES)).index)
    rows["score"], rows["support"] = batch["score"], batch["support"]
    rows["quotes"], rows["shared"] = evidence.value_lengths(), via.value_lengths()
    fields = dict(zip((field.name for field in told.type), told.flatten(), strict=True))
    for name in ("offset", "start", "end", "score"):
        quotes[name] = fields[name]
    quotes["length"] = pc.utf8_length(fields["sentence"])
    quotes["paper"] = _code(fields["paper"], places.find_node)
    quotes["section"] = _code(fields["section"], list(map(str, SECTIONS)).index)
    quotes["method"] = _code(fields["method"], places.find_method)
    sections = map(SECTIONS.__getitem__, quotes["section"].tolist())
    said = (fields["paper"].to_pylist(), sections, quotes["offset"].tolist(), fields["sentence"].to_pylist())
    quotes["odd"] = list(map(places.find_odd, *said))
    return rows, quotes, _code(via.flatten(), places.find_node)


def _code(column: pa.Array, place: Callable[[str], int]) -> NDArray[np.int32]:
    """Return the place of each word of a column."""
    import numpy as np

    coded = column.dictionary_encode()
    places = np.array([place(word) for word in coded.dictionary.to_pylist()], np.int32)
    codes: NDArray[np.int32] = places[coded.indices.to_numpy(zero_copy_only=False)]
    return codes


def _to_structs(nouns: Sequence[object], kind: pa.StructType) -> pa.StructArray:
    """Return nouns as structs."""
    return pa.StructArray.from_arrays([to_column(nouns, field) for field in kind], fields=list(kind))


@cache
def paper_schema() -> pa.Schema:
    """Return the columns of ``papers.parquet``: the fields of `Paper`."""
    kinds = {"year": pa.int32(), "authors": pa.list_(pa.string()), "keywords": pa.list_(pa.string())}
    return pa.schema([(one.name, kinds.get(one.name, pa.string())) for one in fields(Paper) if one.compare])


@cache
def concept_schema() -> pa.Schema:
    """Return the columns of ``concepts.parquet``: the fields of `Concept`."""
    kinds = {"papers": pa.int32(), "alt_labels": pa.list_(pa.string()), "replaces": pa.list_(pa.string())}
    return pa.schema([(one.name, kinds.get(one.name, pa.string())) for one in fields(Concept)])


@cache
def relation_schema() -> pa.Schema:
    """Return the columns of ``relations.parquet``: the fields of `Relation`."""
    kinds = {
        "score": pa.float64(),
        "evidence": pa.list_(_evidence_type()),
        "via": pa.list_(pa.string()),
        "support": pa.int32(),
    }
    return pa.schema([(one.name, kinds.get(one.name, pa.string())) for one in fields(Relation)])


@cache
def result_schema() -> pa.Schema:
    """Return the columns of ``results.parquet``: the fields of `Result`."""
    kinds: dict[str, pa.DataType] = dict.fromkeys(("value", "baseline_value", "confidence"), pa.float64())
    kinds["evidence"] = _evidence_type()
    return pa.schema([(one.name, kinds.get(one.name, pa.string())) for one in fields(Result)])


@cache
def _evidence_type() -> pa.DataType:
    """Return the type of a column of evidence: the fields of `Evidence`."""
    kinds = {"offset": pa.int32(), "start": pa.int32(), "end": pa.int32(), "score": pa.float64()}
    return pa.struct([(one.name, kinds.get(one.name, pa.string())) for one in fields(Evidence)])


@cache
def term_schema() -> pa.Schema:
    """Return the columns of ``terms.parquet``: the fields of `Term`, and name and digest of its vocabulary."""
    kinds = {"labels": pa.list_(pa.string()), "other_labels": pa.list_(pa.string())}
    names = ["name", "digest", *(one.name for one in fields(Term))]
    return pa.schema([(name, kinds.get(name, pa.string())) for name in names])


@cache
def match_schema() -> pa.Schema:
    """Return the columns of ``matches.parquet``: the fields of `VocabularyMatch`."""
    return pa.schema(
        [(one.name, pa.float64() if one.name == "confidence" else pa.string()) for one in fields(VocabularyMatch)]
    )


@cache
def community_schema() -> pa.Schema:
    """Return the columns of ``communities.parquet``: the fields of `Community`."""
    kinds = {"number": pa.int32(), "name": pa.string()}
    return pa.schema([(one.name, kinds.get(one.name, pa.list_(pa.string()))) for one in fields(Community)])


@cache
def centrality_schema() -> pa.Schema:
    """Return the columns of ``centrality.parquet``."""
    return pa.schema([("concept", pa.string()), ("centrality", pa.float64())])
