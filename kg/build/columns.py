"""What papers say, as columns: mentions, claims and measurements, by the content hash of the paper."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from kg.mentions import claim_schema, measurement_schema, mention_schema
from kg.model import Predicate

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from kg.model import Passage, Reading

__all__ = ["FOUND", "Tables", "to_tables"]

FOUND = ("concept", "reason")  # columns of mentions that come when all papers are read


class Tables(NamedTuple):
    """What some papers say."""

    mentions: pa.Table
    claims: pa.Table
    measurements: pa.Table


def to_tables(hashes: Sequence[str], found: Iterable[Reading]) -> Tables:
    """Return what some papers say, which are known by their content hash, as columns."""
    readings = list(zip(hashes, found, strict=True))
    return Tables(_to_mentions(readings), _to_claims(readings), _to_measurements(readings))


def _to_mentions(readings: Iterable[tuple[str, Reading]]) -> pa.Table:
    """Return the mentions of some papers as columns; `concept` and `reason` come later."""
    rows = []
    for paper, reading in readings:
        own = {(one.surface, one.long) for _, one in reading.mentions if one.role is Predicate.INTRODUCES}
        rows += [
            {
                **_place(paper, passage),
                "start": one.start, "end": one.end, "surface": one.surface, "type": one.type.value,
                "role": one.role.value, "score": one.score, "source": one.source, "long": one.long, "cue": one.cue,
                "role_score": one.role_score,
                "own": (one.surface, one.long) in own,
            }
            for passage, one in reading.mentions
        ]  # fmt: skip
    columns = [column for column in mention_schema() if column.name not in FOUND]
    return pa.Table.from_pylist(rows, schema=pa.schema(columns))


def _to_claims(readings: Iterable[tuple[str, Reading]]) -> pa.Table:
    """Return what some papers say of pairs of mentions as columns."""
    rows = [
        _place(paper, passage) | asdict(claim) | {"predicate": claim.predicate.value}
        for paper, reading in readings
        for passage, claim in reading.claims
    ]
    return pa.Table.from_pylist(rows, schema=claim_schema())


def _to_measurements(readings: Iterable[tuple[str, Reading]]) -> pa.Table:
    """Return the results that sentences of some papers report as columns."""
    rows = [
        _place(paper, passage) | asdict(one) | {"kind": one.kind.value}
        for paper, reading in readings
        for passage, one in reading.measurements
    ]
    return pa.Table.from_pylist(rows, schema=measurement_schema())


def _place(paper: str, passage: Passage) -> dict[str, str | int]:
    """Return the columns that say where a passage stands."""
    section = passage.section.value
    return {"paper": paper, "section": section, "offset": passage.start, "length": len(passage.text)}
