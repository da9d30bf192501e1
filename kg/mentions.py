"""Mentions by the million: the columns that they travel and are kept in, and their file.

A mention file is Parquet with a row for each mention, sorted by paper, section, offset and
start. It is written and read in batches and never wholly in memory.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from kg.errors import GraphError
from kg.model import MentionFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["find_mentions", "mention_schema", "read_all_mentions", "read_mentions", "write_mentions"]

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
    columns |= {"cue": text, "own": pa.bool_(), "concept": text, "reason": text}
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in columns.items()])


def write_mentions(batches: Iterable[pa.RecordBatch], path: Path) -> int:
    """Write batches of mentions, already sorted, to one Parquet file; return their number."""
    count = 0
    with pq.ParquetWriter(path, mention_schema(), compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch)
            count += len(batch)
    return count


def read_mentions(mentions: MentionFile, *, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    """Yield the mentions of a graph in batches, with the columns of `mention_schema` or some of them.

    Raises
    ------
    GraphError
        If the file is missing.
    """
    yield from pq.ParquetFile(_find(mentions)).iter_batches(_BATCH, columns=columns)


def read_all_mentions(mentions: MentionFile) -> Iterator[pa.Table]:
    """Yield all mentions of a graph, also those that a decision left out, without what they were found to mean."""
    columns = [name for name in mention_schema().names if name not in {"concept", "reason"}]
    for path in (mentions.path, mentions.dropped):
        if path is not None:
            for batch in read_mentions(MentionFile(path), columns=columns):
                yield pa.Table.from_batches([batch])


def find_mentions(mentions: MentionFile, concept: str) -> list[dict[str, Any]]:
    """Return the mentions of a concept as rows with the columns of `mention_schema`, in their order.

    Raises
    ------
    GraphError
        If the file is missing.
    """
    rows: list[dict[str, Any]] = pq.read_table(_find(mentions), filters=[("concept", "=", concept)]).to_pylist()
    return rows


def _find(mentions: MentionFile) -> Path:
    """Return the file of mentions, which must be there."""
    if not mentions.path.is_file():
        raise GraphError(f"the mentions in {str(mentions.path)!r} are gone; build the graph again")
    return mentions.path
