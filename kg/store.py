"""The tables of a graph: Parquet files that the other verbs read.

``papers.parquet``, ``concepts.parquet``, ``relations.parquet`` and ``results.parquet`` hold the
nouns of `kg.model` by field name (not where a paper was read), and ``mentions.parquet`` is
described in `kg.mentions`, and so are ``claims.parquet``, what sentences say of pairs of them,
and ``measurements.parquet``, the results that sentences report;
``dropped.parquet`` has the mentions that a decision leaves out.

A graph that was built with vocabularies of others has their terms in ``terms.parquet``, so that
they can be matched again, and in ``matches.parquet`` those that mean what concepts mean.

``communities.parquet`` has the communities by field name, and ``centrality.parquet`` the
centrality of concepts. A folder of an older version may lack both.
"""

from __future__ import annotations

from dataclasses import asdict, fields
from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from kg.errors import GraphError
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
    Predicate,
    Relation,
    Result,
    ResultKind,
    Section,
    Term,
    Vocabulary,
    VocabularyMatch,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from kg.model import Report

__all__ = ["read_store", "write_store"]

_BATCH = 65_536  # rows


def write_store(kg: KnowledgeGraph, folder: Path) -> None:
    """Write the tables of a graph into a folder that exists."""
    _write_rows(folder / "papers.parquet", _paper_schema(), map(asdict, kg.papers.values()))
    _write_rows(folder / "concepts.parquet", _concept_schema(), map(asdict, kg.concepts.values()))
    _write_rows(folder / "relations.parquet", _relation_schema(), map(asdict, kg.relations))
    _write_rows(folder / "results.parquet", _result_schema(), map(asdict, kg.results))
    write_mentions(read_mentions(kg.mentions), folder / "mentions.parquet")
    if kg.mentions.claims is not None:
        write_claims(read_claims(kg.mentions), folder / "claims.parquet")
    if kg.mentions.measurements is not None:
        write_measurements(read_measurements(kg.mentions), folder / "measurements.parquet")
    if kg.mentions.dropped is not None:
        write_mentions(read_mentions(MentionFile(kg.mentions.dropped)), folder / "dropped.parquet")
    _write_rows(folder / "communities.parquet", _community_schema(), map(asdict, kg.communities))
    central = ({"concept": concept, "centrality": value} for concept, value in kg.centrality.items())
    _write_rows(folder / "centrality.parquet", _centrality_schema(), central)
    if kg.vocabularies:
        rows = (
            {"name": one.name, "digest": one.digest} | asdict(term) for one in kg.vocabularies for term in one.terms
        )
        _write_rows(folder / "terms.parquet", _term_schema(), rows)
        _write_rows(folder / "matches.parquet", _match_schema(), map(asdict, kg.matches))


def read_store(folder: Path, report: Report) -> KnowledgeGraph:
    """Return the graph whose tables are in a folder; `write_store` undone.

    Raises
    ------
    GraphError
        If a table is missing or has other columns.
    """
    papers = [_to_paper(row) for row in _read_rows(folder / "papers.parquet", _paper_schema())]
    concepts = [_to_concept(row) for row in _read_rows(folder / "concepts.parquet", _concept_schema())]
    files = [folder / f"{name}.parquet" for name in ("mentions", "dropped", "claims", "measurements")]
    terms = folder / "terms.parquet"
    matches = _read_rows(folder / "matches.parquet", _match_schema()) if terms.is_file() else ()
    reported = folder / "results.parquet"  # older graphs have none
    results = _read_rows(reported, _result_schema()) if reported.is_file() else ()
    return KnowledgeGraph(
        papers={one.id: one for one in papers},
        concepts={one.id: one for one in concepts},
        relations=tuple(_to_relation(row) for row in _read_rows(folder / "relations.parquet", _relation_schema())),
        mentions=MentionFile(files[0], *(path if path.is_file() else None for path in files[1:])),
        report=report,
        vocabularies=_to_vocabularies(_read_rows(terms, _term_schema())) if terms.is_file() else (),
        results=tuple(map(_to_result, results)),
        matches=tuple(VocabularyMatch(**row | {"predicate": MatchKind(row["predicate"])}) for row in matches),
        communities=tuple(
            _to_community(row) for row in _read_rows_if_there(folder / "communities.parquet", _community_schema())
        ),
        centrality={
            row["concept"]: row["centrality"]
            for row in _read_rows_if_there(folder / "centrality.parquet", _centrality_schema())
        },
    )


def _write_rows(path: Path, schema: pa.Schema, rows: Iterable[dict[str, Any]]) -> None:
    """Write rows to a Parquet file."""
    pq.write_table(pa.Table.from_pylist(list(rows), schema=schema), path, compression="zstd")


def _read_rows(path: Path, schema: pa.Schema) -> Iterator[dict[str, Any]]:
    """Yield the rows of a Parquet file as dicts."""
    if not path.is_file():
        raise GraphError(f"{str(path)!r} is missing; build the graph again")
    file = pq.ParquetFile(path)
    if file.schema_arrow.names != schema.names:
        raise GraphError(f"{str(path)!r} was written by another version of paperkg; build the graph again")
    for batch in file.iter_batches(_BATCH):
        yield from batch.to_pylist()


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


def _to_relation(row: dict[str, Any]) -> Relation:
    """Return a relation from its row."""
    evidence = tuple(Evidence(**one | {"section": Section(one["section"])}) for one in row["evidence"])
    return Relation(
        **row | {"predicate": Predicate(row["predicate"]), "evidence": evidence, "via": tuple(row["via"])},
    )


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
    kinds = {
        "score": pa.float64(),
        "evidence": pa.list_(_evidence_type()),
        "via": pa.list_(pa.string()),
        "support": pa.int32(),
    }
    return pa.schema([(one.name, kinds.get(one.name, pa.string())) for one in fields(Relation)])


@cache
def _result_schema() -> pa.Schema:
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
def _term_schema() -> pa.Schema:
    """Return the columns of ``terms.parquet``: the fields of `Term`, and name and digest of its vocabulary."""
    kinds = {"labels": pa.list_(pa.string()), "other_labels": pa.list_(pa.string())}
    names = ["name", "digest", *(one.name for one in fields(Term))]
    return pa.schema([(name, kinds.get(name, pa.string())) for name in names])


@cache
def _match_schema() -> pa.Schema:
    """Return the columns of ``matches.parquet``: the fields of `VocabularyMatch`."""
    return pa.schema(
        [(one.name, pa.float64() if one.name == "confidence" else pa.string()) for one in fields(VocabularyMatch)]
    )


@cache
def _community_schema() -> pa.Schema:
    """Return the columns of ``communities.parquet``: the fields of `Community`."""
    kinds = {"number": pa.int32(), "name": pa.string()}
    return pa.schema([(one.name, kinds.get(one.name, pa.list_(pa.string()))) for one in fields(Community)])


@cache
def _centrality_schema() -> pa.Schema:
    """Return the columns of ``centrality.parquet``."""
    return pa.schema([("concept", pa.string()), ("centrality", pa.float64())])
