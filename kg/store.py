"""The tables of a graph: Parquet files that the other verbs read.

``papers.parquet``, ``concepts.parquet`` and ``relations.parquet`` hold the nouns of
`kg.model` by field name (not where a paper was read), and ``mentions.parquet`` is described in
`kg.mentions`; ``dropped.parquet`` has the mentions that a decision leaves out.
"""

from __future__ import annotations

from dataclasses import asdict, fields
from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from kg.errors import GraphError
from kg.mentions import read_mentions, write_mentions
from kg.model import (
    Concept,
    ConceptType,
    Evidence,
    KnowledgeGraph,
    MentionFile,
    Paper,
    Predicate,
    Relation,
    Section,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from kg.model import Report

__all__ = ["read_store", "write_store"]

_BATCH = 65_536  # rows


def write_store(kg: KnowledgeGraph, folder: Path) -> None:
    """Write the four tables and the report of a graph into a folder that exists."""
    for name, schema, rows in (
        ("papers", _paper_schema(), (asdict(one) for one in kg.papers.values())),
        ("concepts", _concept_schema(), (asdict(one) for one in kg.concepts.values())),
        ("relations", _relation_schema(), (asdict(one) for one in kg.relations)),
    ):
        table = pa.Table.from_pylist(list(rows), schema=schema)
        pq.write_table(table, folder / f"{name}.parquet", compression="zstd")
    write_mentions(read_mentions(kg.mentions), folder / "mentions.parquet")
    if kg.mentions.dropped is not None:
        write_mentions(read_mentions(MentionFile(kg.mentions.dropped)), folder / "dropped.parquet")


def read_store(folder: Path, report: Report) -> KnowledgeGraph:
    """Return the graph whose tables are in a folder; `write_store` undone."""
    papers = [_to_paper(row) for row in _read_rows(folder / "papers.parquet")]
    concepts = [_to_concept(row) for row in _read_rows(folder / "concepts.parquet")]
    dropped = folder / "dropped.parquet"
    relations = tuple(_to_relation(row) for row in _read_rows(folder / "relations.parquet"))
    return KnowledgeGraph(
        papers={one.id: one for one in papers},
        concepts={one.id: one for one in concepts},
        relations=relations,
        mentions=MentionFile(folder / "mentions.parquet", dropped if dropped.is_file() else None),
        report=report,
    )


def _read_rows(path: Path) -> Iterator[dict[str, object]]:
    """Yield the rows of a Parquet file as dicts."""
    if not path.is_file():
        raise GraphError(f"{str(path)!r} is missing; build the graph again")
    for batch in pq.ParquetFile(path).iter_batches(_BATCH):
        yield from batch.to_pylist()


def _to_paper(row: dict[str, Any]) -> Paper:
    """Return a paper from its row."""
    return Paper(**row | {"authors": tuple(row["authors"]), "keywords": tuple(row["keywords"])})


def _to_concept(row: dict[str, Any]) -> Concept:
    """Return a concept from its row."""
    lists = {name: tuple(row[name]) for name in ("alt_labels", "replaces")}
    return Concept(**row | {"type": ConceptType(row["type"])} | lists)


def _to_relation(row: dict[str, Any]) -> Relation:
    """Return a relation from its row."""
    evidence = tuple(Evidence(**one | {"section": Section(one["section"])}) for one in row["evidence"])
    return Relation(
        **row | {"predicate": Predicate(row["predicate"]), "evidence": evidence, "via": tuple(row["via"])},
    )


@cache
def _paper_schema() -> pa.Schema:
    """Return the columns of ``papers.parquet``: the fields of `Paper`."""
    kinds = {"year": pa.int32(), "authors": pa.list_(pa.string()), "keywords": pa.list_(pa.string())}
    return pa.schema([(one.name, kinds.get(one.name, pa.string())) for one in fields(Paper) if one.compare])


@cache
def _concept_schema() -> pa.Schema:
    """Return the columns of ``concepts.parquet``: the fields of `Concept`."""
    kinds = {"papers": pa.int32(), "alt_labels": pa.list_(pa.string()), "replaces": pa.list_(pa.string())}
    return pa.schema([(one.name, kinds.get(one.name, pa.string())) for one in fields(Concept)])


@cache
def _relation_schema() -> pa.Schema:
    """Return the columns of ``relations.parquet``: the fields of `Relation`."""
    kinds = {"offset": pa.int32(), "start": pa.int32(), "end": pa.int32(), "score": pa.float64()}
    evidence = pa.struct([(one.name, kinds.get(one.name, pa.string())) for one in fields(Evidence)])
    kinds = {"score": pa.float64(), "evidence": pa.list_(evidence), "via": pa.list_(pa.string())}
    return pa.schema([(one.name, kinds.get(one.name, pa.string())) for one in fields(Relation)])
