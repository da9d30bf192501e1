"""What came into a graph, kept with it, so that the graph can grow and shrink as if it were built anew."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from kg.build.intake import Intake
from kg.errors import GraphError
from kg.model import Paper, Skip

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

__all__ = ["read_records", "write_records"]

_PAPER, _AGAIN, _SKIPPED, _WARNING = "paper", "again", "skipped", "warning"
_FIELDS = tuple(one.name for one in fields(Paper) if one.compare)


def write_records(intake: Intake, told: Iterable[Skip], path: Path) -> None:
    """Write what came in to a Parquet file, sorted by place.

    A row is a paper (``reason`` is then its content hash), another place of one, a record that is
    no paper, or a warning. The place of a paper is kept only if the report tells of it, so that
    the same papers out of other files give the same bytes.
    """
    places = {(one.file, one.line) for one in told}
    rows = sorted(_iter_rows(intake, places), key=lambda row: (row["file"], row["line"], row["kind"], row["reason"]))
    pq.write_table(pa.Table.from_pylist(rows, schema=_schema()), path, compression="zstd")


def read_records(path: Path | None) -> Intake:
    """Return what came into a graph; `write_records` undone.

    Raises
    ------
    GraphError
        If the graph does not keep it.
    """
    if path is None or not path.is_file():
        raise GraphError("the graph does not keep what it was built from, as older ones do not; build it again")
    papers: dict[str, Paper] = {}
    again: dict[str, list[tuple[str, int]]] = defaultdict(list)
    notes: dict[str, list[Skip]] = {_SKIPPED: [], _WARNING: []}
    for batch in pq.ParquetFile(path).iter_batches():
        for row in batch.to_pylist():
            kind, place = row["kind"], (row["file"], row["line"])
            if kind == _PAPER:
                papers[row["reason"]] = _to_paper(row, place)
            elif kind == _AGAIN:
                again[row["reason"]].append(place)
            else:
                notes[kind].append(Skip(*place, row["reason"]))
    return Intake(papers, again, notes[_SKIPPED], notes[_WARNING])


def _iter_rows(intake: Intake, places: set[tuple[str, int]]) -> Iterator[dict[str, Any]]:
    """Yield what came in as rows."""
    for digest, paper in intake.papers.items():
        place = paper.origin if paper.origin in places else ("", 0)
        yield _to_row(_PAPER, place, digest) | {name: getattr(paper, name) for name in _FIELDS}
    for digest, others in intake.again.items():
        yield from (_to_row(_AGAIN, place, digest) for place in others)
    for kind, skips in ((_SKIPPED, intake.skipped), (_WARNING, intake.warnings)):
        yield from (_to_row(kind, (one.file, one.line), one.reason) for one in skips)


def _to_row(kind: str, place: tuple[str, int], reason: str) -> dict[str, Any]:
    """Return the columns that all rows have."""
    return {"kind": kind, "file": place[0], "line": place[1], "reason": reason}


def _to_paper(row: dict[str, Any], place: tuple[str, int]) -> Paper:
    """Return the paper of a row."""
    lists = {name: tuple(row[name]) for name in ("authors", "keywords")}
    return Paper(**{name: row[name] for name in _FIELDS} | lists, origin=place)


@cache
def _schema() -> pa.Schema:
    """Return the columns: kind, place, reason, and the fields of a paper, which are empty unless the row is one."""
    kinds = {"year": pa.int32(), "authors": pa.list_(pa.string()), "keywords": pa.list_(pa.string())}
    columns = [("kind", pa.string()), ("file", pa.string()), ("line", pa.int32()), ("reason", pa.string())]
    return pa.schema([*columns, *((name, kinds.get(name, pa.string())) for name in _FIELDS)])
