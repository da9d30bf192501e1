"""Mentions by the million, claims about them and results: the columns that they are kept in, and their files.

A mention file is Parquet with a row for each mention, sorted by paper, section, offset and
start; a file of claims has a row for what a sentence says of two of them, one of measurements
for each result that a sentence reports, and one of texts for each text that was read. They are
written and read in batches and never wholly in memory.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from kg.errors import GraphError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from kg.model import MentionFile

__all__ = [
    "claim_schema",
    "find_mentions",
    "find_reader",
    "measurement_schema",
    "mention_schema",
    "read_claims",
    "read_measurements",
    "read_mentions",
    "text_schema",
    "write_claims",
    "write_measurements",
    "write_mentions",
    "write_texts",
]

_BATCH = 65_536  # rows


@cache
def mention_schema() -> pa.Schema:
    """Return the columns of ``mentions.parquet``.

    ``offset`` and ``length`` say where the mention's sentence stands in the text of its
    section; ``start`` and ``end`` where the mention stands in the sentence. ``long`` is the
    long form that the same paper defines for a short form, and ``own`` says whether the paper
    introduces something under this name. ``concept`` is a node id and ``reason`` says why the
    mention means it.
    """
    text, number = pa.string(), pa.int32()
    columns = {"paper": text, "section": text, "offset": number, "length": number, "start": number, "end": number}
    columns |= {"surface": text, "type": text, "role": text, "score": pa.float64(), "source": text, "long": text}
    columns |= {"cue": text, "role_score": pa.float64(), "own": pa.bool_(), "concept": text, "reason": text}
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in columns.items()])


@cache
def claim_schema() -> pa.Schema:
    """Return the columns of ``claims.parquet``: the sentence as for mentions, then the fields of `Claim`."""
    text, number = pa.string(), pa.int32()
    columns = {"paper": text, "section": text, "offset": number, "length": number, "predicate": text}
    columns |= {"subject_start": number, "subject_end": number, "object_start": number, "object_end": number}
    columns |= {"score": pa.float64(), "cue": text}
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in columns.items()])


@cache
def measurement_schema() -> pa.Schema:
    """Return the columns of ``measurements.parquet``: the sentence, then the fields of `Measurement`."""
    text, number, real = pa.string(), pa.int32(), pa.float64()
    columns = {"paper": text, "section": text, "offset": number, "length": number, "metric": text, "value": real}
    columns |= {"unit": text, "kind": text, "direction": text, "better": text, "baseline_value": real}
    columns |= {"start": number, "end": number}
    for name in ("metric", "dataset", "method", "baseline"):
        columns |= {f"{name}_start": number, f"{name}_end": number}
    columns |= {"own": pa.bool_(), "score": real, "cue": text}
    empty = {"direction", "better", "baseline_value"}
    return pa.schema([pa.field(name, kind, nullable=name in empty) for name, kind in columns.items()])


@cache
def text_schema() -> pa.Schema:
    """Return the columns of ``texts.parquet``: hash, a paper that has this text, language, number of passages."""
    text = pa.string()
    columns = {"text": text, "paper": text, "language": text, "passages": pa.int32()}
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in columns.items()])


def write_mentions(batches: Iterable[pa.RecordBatch], path: Path) -> int:
    """Write batches of mentions, already sorted, to one Parquet file; return their number."""
    return _write(batches, path, mention_schema())


def write_claims(tables: Iterable[pa.Table], path: Path) -> int:
    """Write batches of claims, already sorted, to one Parquet file; return their number."""
    return _write((batch for table in tables for batch in table.to_batches()), path, claim_schema())


def write_measurements(tables: Iterable[pa.Table], path: Path) -> int:
    """Write batches of measurements, already sorted, to one Parquet file; return their number."""
    return _write((batch for table in tables for batch in table.to_batches()), path, measurement_schema())


def write_texts(table: pa.Table, path: Path, *, key: str) -> None:
    """Write texts that were read, already sorted, to one Parquet file, with what tells their reader from others."""
    pq.write_table(table.cast(text_schema().with_metadata({"key": key})), path, compression="zstd")


def find_reader(mentions: MentionFile) -> str:
    """Return what tells the reader of a graph's texts from others, or "" where the graph does not say."""
    try:
        metadata = pq.read_schema(mentions.texts).metadata if mentions.texts else None
    except (OSError, pa.ArrowInvalid):
        return ""
    return str((metadata or {}).get(b"key", b""), "utf-8", "replace")


def read_mentions(mentions: MentionFile, *, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    """Yield the mentions of a graph in batches, with the columns of `mention_schema` or some of them.

    Raises
    ------
    GraphError
        If the file is missing.
    """
    yield from pq.ParquetFile(_find(mentions.path)).iter_batches(_BATCH, columns=columns)


def read_claims(mentions: MentionFile) -> Iterator[pa.Table]:
    """Yield the claims about the mentions of a graph in batches, with the columns of `claim_schema`.

    Raises
    ------
    GraphError
        If the file is missing.
    """
    yield from _read_tables(mentions.claims)


def read_measurements(mentions: MentionFile) -> Iterator[pa.Table]:
    """Yield the results that sentences of a graph's papers report in batches, with `measurement_schema`'s columns.

    Raises
    ------
    GraphError
        If the file is missing.
    """
    yield from _read_tables(mentions.measurements)


def find_mentions(mentions: MentionFile, concept: str) -> list[dict[str, Any]]:
    """Return the mentions of a concept as rows with the columns of `mention_schema`, in their order.

    Raises
    ------
    GraphError
        If the file is missing.
    """
    rows: list[dict[str, Any]] = pq.read_table(_find(mentions.path), filters=[("concept", "=", concept)]).to_pylist()
    return rows


def _write(batches: Iterable[pa.RecordBatch], path: Path, schema: pa.Schema) -> int:
    """Write batches to one Parquet file; return the number of rows."""
    count = 0
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch)
            count += len(batch)
    return count


def _read_tables(path: Path | None) -> Iterator[pa.Table]:
    """Yield the rows of a file in batches; there may be none."""
    if path is not None:
        for batch in pq.ParquetFile(_find(path)).iter_batches(_BATCH):
            yield pa.Table.from_batches([batch])


def _find(path: Path) -> Path:
    """Return a file of mentions or claims, which must be there."""
    if not path.is_file():
        raise GraphError(f"the mentions in {str(path)!r} are gone; build the graph again")
    return path
