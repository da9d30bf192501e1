"""The tables of a graph: Parquet files that the other verbs read.

``papers.parquet``, ``concepts.parquet``, ``relations.parquet`` and ``results.parquet`` hold the
nouns of `kg.model` by field name (not where a paper was read), and ``mentions.parquet`` is
described in `kg.mentions`, and so are ``claims.parquet``, what sentences say of pairs of them,
and ``measurements.parquet``, the results that sentences report;
``dropped.parquet`` has the mentions that a decision leaves out. ``texts.parquet`` says which texts
were read, and ``records.parquet`` what came in, so that the graph can grow and shrink.

A graph that was built with vocabularies of others has their terms in ``terms.parquet``, so that
they can be matched again, and in ``matches.parquet`` those that mean what concepts mean.

``communities.parquet`` has the communities by field name, and ``centrality.parquet`` the
centrality of concepts. A folder of an older version may lack both.
"""

from __future__ import annotations

import shutil
from dataclasses import asdict, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from kg.errors import GraphError
from kg.memory import give_back
from kg.mentions import (
    read_claims,
    read_measurements,
    read_mentions,
    write_claims,
    write_measurements,
    write_mentions,
)
from kg.model import (
    Community,
    Concept,
    ConceptType,
    Direction,
    Evidence,
    KnowledgeGraph,
    MatchKind,
    MentionFile,
    Paper,
    Result,
    ResultKind,
    Section,
    Term,
    Vocabulary,
    VocabularyMatch,
)
from kg.store.columns import (
    centrality_schema,
    community_schema,
    concept_schema,
    match_schema,
    paper_schema,
    relation_schema,
    result_schema,
    term_schema,
    to_batches,
    to_column,
    to_relations,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from kg.model import Report

__all__ = ["read_papers", "read_store", "write_store"]

_BATCH = 65_536  # rows


def write_store(kg: KnowledgeGraph, folder: Path) -> None:
    """Write the tables of a graph into a folder that exists."""
    _write_nouns(folder / "papers.parquet", paper_schema(), kg.papers.values())
    _write_nouns(folder / "concepts.parquet", concept_schema(), kg.concepts.values())
    with pq.ParquetWriter(folder / "relations.parquet", relation_schema(), compression="zstd") as writer:
        for batch in to_batches(kg.columns):
            writer.write_batch(batch)
    _write_nouns(folder / "results.parquet", result_schema(), kg.results)
    write_mentions(read_mentions(kg.mentions), folder / "mentions.parquet")
    if kg.mentions.claims is not None:
        write_claims(read_claims(kg.mentions), folder / "claims.parquet")
    if kg.mentions.measurements is not None:
        write_measurements(read_measurements(kg.mentions), folder / "measurements.parquet")
    if kg.mentions.dropped is not None:
        write_mentions(read_mentions(MentionFile(kg.mentions.dropped)), folder / "dropped.parquet")
    for path in (kg.mentions.texts, kg.mentions.records):
        if path is not None:
            _copy(path, folder / path.name)
    _write_nouns(folder / "communities.parquet", community_schema(), kg.communities)
    central = [list(kg.centrality.keys()), list(kg.centrality.values())]
    _write(folder / "centrality.parquet", pa.table(central, schema=centrality_schema()))
    if kg.vocabularies:
        rows = (
            {"name": one.name, "digest": one.digest} | asdict(term) for one in kg.vocabularies for term in one.terms
        )
        _write(folder / "terms.parquet", pa.Table.from_pylist(list(rows), schema=term_schema()))
        _write_nouns(folder / "matches.parquet", match_schema(), kg.matches)


def read_papers(folder: Path, report: Report) -> KnowledgeGraph:
    """Return the graph whose tables are in a folder, without concepts and relations.

    Raises
    ------
    GraphError
        If a table is missing or has other columns.
    """
    papers = [_to_paper(row) for row in _read_rows(folder / "papers.parquet", paper_schema())]
    terms = folder / "terms.parquet"
    return KnowledgeGraph(
        papers={one.id: one for one in papers},
        concepts={},
        relations=(),
        mentions=_find_files(folder),
        report=report,
        vocabularies=_to_vocabularies(_read_rows(terms, term_schema())) if terms.is_file() else (),
    )


def read_store(folder: Path, report: Report) -> KnowledgeGraph:
    """Return the graph whose tables are in a folder; `write_store` undone.

    Raises
    ------
    GraphError
        If a table is missing or has other columns.
    """
    base = read_papers(folder, report)
    concepts = [_to_concept(row) for row in _read_rows(folder / "concepts.parquet", concept_schema())]
    relations = _read_batches(folder / "relations.parquet", relation_schema())
    matches = _read_rows(folder / "matches.parquet", match_schema()) if base.vocabularies else ()
    reported = folder / "results.parquet"  # older graphs have none
    results = _read_rows(reported, result_schema()) if reported.is_file() else ()
    kg = replace(
        base,
        concepts={one.id: one for one in concepts},
        relations=to_relations(relations, base.papers, (one.id for one in concepts)),
        results=tuple(map(_to_result, results)),
        matches=tuple(VocabularyMatch(**row | {"predicate": MatchKind(row["predicate"])}) for row in matches),
        communities=tuple(
            _to_community(row) for row in _read_rows_if_there(folder / "communities.parquet", community_schema())
        ),
        centrality={
            row["concept"]: row["centrality"]
            for row in _read_rows_if_there(folder / "centrality.parquet", centrality_schema())
        },
    )
    give_back()
    return kg


def _find_files(folder: Path) -> MentionFile:
    """Return the tables of mentions, and of what they were read from, that are in a folder."""
    names = ("dropped", "claims", "measurements", "texts", "records")
    paths = [folder / f"{name}.parquet" for name in names]
    return MentionFile(folder / "mentions.parquet", *(path if path.is_file() else None for path in paths))


def _write_nouns(path: Path, schema: pa.Schema, nouns: Iterable[object]) -> None:
    """Write nouns to a Parquet file, a row each, some at a time."""
    rest = iter(nouns)
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        while some := list(islice(rest, _BATCH)):
            writer.write_table(pa.table([to_column(some, field) for field in schema], schema=schema))


def _write(path: Path, table: pa.Table) -> None:
    """Write a table to a Parquet file."""
    pq.write_table(table, path, compression="zstd")


def _copy(source: Path, to: Path) -> None:
    """Copy a file that may have gone with the graph that had it."""
    if not source.is_file():
        raise GraphError(f"what the graph was read from, {str(source)!r}, is gone; build the graph again")
    shutil.copyfile(source, to)


def _read_rows(path: Path, schema: pa.Schema) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file as dicts."""
    for batch in _read_batches(path, schema):
        yield from batch.to_pylist()


def _read_batches(path: Path, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield a Parquet file in batches."""
    if not path.is_file():
        raise GraphError(f"{str(path)!r} is missing; build the graph again")
    file = pq.ParquetFile(path)
    if file.schema_arrow.names != schema.names:
        raise GraphError(f"{str(path)!r} was written by another version of paperkg; build the graph again")
    yield from file.iter_batches(_BATCH)


def _read_rows_if_there(path: Path, schema: pa.Schema) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file that older versions did not write."""
    return _read_rows(path, schema) if path.is_file() else iter(())


def _to_paper(row: dict[str, Any]) -> Paper:
    """Return a paper from its row."""
    return Paper(**row | {"authors": tuple(row["authors"]), "keywords": tuple(row["keywords"])})


def _to_concept(row: dict[str, Any]) -> Concept:
    """Return a concept from its row."""
    lists = {name: tuple(row[name]) for name in ("alt_labels", "replaces")}
    return Concept(**row | {"type": ConceptType(row["type"])} | lists)


def _to_community(row: dict[str, Any]) -> Community:
    """Return a community from its row."""
    lists = {name: tuple(row[name]) for name in ("telling", "central", "papers", "concepts")}
    return Community(**row | lists)


def _to_result(row: dict[str, Any]) -> Result:
    """Return a result from its row."""
    ways = {name: Direction(row[name]) if row[name] else None for name in ("direction", "better")}
    evidence = Evidence(**row["evidence"] | {"section": Section(row["evidence"]["section"])})
    return Result(**row | {"kind": ResultKind(row["kind"]), "evidence": evidence} | ways)


def _to_vocabularies(rows: Iterable[dict[str, Any]]) -> tuple[Vocabulary, ...]:
    """Return vocabularies from the rows of their terms."""
    terms: dict[tuple[str, str], list[Term]] = {}
    for row in rows:
        kind = ConceptType(row["type"]) if row["type"] else None
        term = Term(row["iri"], tuple(row["labels"]), tuple(row["other_labels"]), kind)
        terms.setdefault((row["name"], row["digest"]), []).append(term)
    return tuple(Vocabulary(name, digest, tuple(some)) for (name, digest), some in terms.items())
