"""Mentions by the million: the columns that they travel and are kept in, and their file.

A mention file is Parquet with a row for each mention, sorted by paper, section, offset and
start. It is written and read in batches and never wholly in memory.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq

from kg.errors import GraphError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from kg.model import MentionFile

__all__ = ["mention_schema", "read_mentions", "write_mentions"]

_BATCH = 65_536  # rows


@cache
def mention_schema() -> pa.Schema:
    """Return the columns of ``mentions.parquet``.

    ``offset`` and ``length`` say where the mention's sentence stands in the text of its
    section; ``start`` and ``end`` where the mention stands in the sentence. ``long`` is the
    long form that the same paper defines for a short form. ``concept`` is a node id and
    ``reason`` says why the mention means it.
    """
    text, number = pa.string(), pa.int32()
    columns = {"paper": text, "section": text, "offset": number, "length": number, "start": number, "end": number}
    columns |= {"surface": text, "type": text, "role": text, "score": pa.float64(), "source": text, "long": text}
    columns |= {"cue": text, "concept": text, "reason": text}
    return pa.schema([pa.field(name, kind, nullable=False) for name, kind in columns.items()])


def write_mentions(batches: Iterable[pa.RecordBatch], path: Path) -> None:
    """Write batches of mentions, already sorted, to one Parquet file."""
    with pq.ParquetWriter(path, mention_schema(), compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch)


def read_mentions(mentions: MentionFile, *, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    """Yield the mentions of a graph in batches, with the columns of `mention_schema` or some of them.

    Raises
    ------
    GraphError
        If the file is missing.
    """
    if not mentions.path.is_file():
        raise GraphError(f"the mentions in {str(mentions.path)!r} are gone; build the graph again")
    yield from pq.ParquetFile(mentions.path).iter_batches(_BATCH, columns=columns)
