"""The columns of a graph's tables, and nouns as columns."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from kg.model import Community, Concept, Evidence, Paper, Predicate, Relation, Result, Section, Term, VocabularyMatch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "centrality_schema",
    "community_schema",
    "concept_schema",
    "match_schema",
    "paper_schema",
    "relation_schema",
    "result_schema",
    "term_schema",
    "to_column",
    "to_relations",
]


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


def to_relations(batches: Iterable[pa.RecordBatch]) -> Iterator[Relation]:
    """Yield the relations of batches; strings that are alike are one in memory, and so are sentences."""
    known: dict[str, str] = {}
    for batch in batches:
        evidence = batch["evidence"]
        columns = [_to_values(one, known) for one in evidence.flatten().flatten()]
        place = [field.name for field in evidence.type.value_type].index("section")
        columns[place] = list(map(Section, columns[place]))
        quotes = iter([Evidence(*values) for values in zip(*columns, strict=True)])
        counts = evidence.value_lengths().to_pylist()
        plain = {name: _to_values(batch[name], known) for name in batch.schema.names if name not in {"evidence", "via"}}
        via = ([known.setdefault(one, one) for one in some] for some in batch["via"].to_pylist())
        for values, count, shown in zip(zip(*plain.values(), strict=True), counts, via, strict=True):
            row = dict(zip(plain, values, strict=True))
            row["predicate"] = Predicate(row["predicate"])
            yield Relation(**row, evidence=tuple(islice(quotes, count)), via=tuple(shown))


def _to_values(column: pa.Array, known: dict[str, str]) -> list[Any]:
    """Return the values of a column; strings are those that are known, which the new ones then are, too."""
    if not pa.types.is_string(column.type):
        return column.to_pylist()  # type: ignore[no-any-return]
    coded = column.dictionary_encode()
    words = [known.setdefault(word, word) for word in coded.dictionary.to_pylist()]
    return [words[code] for code in coded.indices.to_pylist()]


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
