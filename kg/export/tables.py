"""Tables: ``csv`` for spreadsheets and ``neo4j`` for Neo4j's bulk import.

Both are UTF-8 without a byte order mark; text stands in double quotes, a missing value is an
empty cell, and line breaks become spaces, so that a row is a line.

``csv`` is a folder with ``nodes.csv``, ``edges.csv`` and ``results.csv``. Lists are joined by " | ". A spreadsheet
must not take a text for a formula: a text, or a part of a list, that starts with ``=``, ``+``,
``-`` or ``@`` gets an apostrophe before it.

``neo4j`` is a folder, or a zip file, with ``papers.csv``, ``concepts.csv`` and ``relations.csv``,
whose headings give names and types, so that no options are needed::

    neo4j-admin database import full --nodes=papers.csv --nodes=concepts.csv --relationships=relations.csv

Neo4j splits lists at ";"; one inside a part becomes ",". Texts are as they are, with no apostrophe.
"""

from __future__ import annotations

import re
import zipfile
from io import TextIOWrapper
from typing import TYPE_CHECKING, TypeAlias

from kg.files import open_whole
from kg.network import EDGE_TYPES, find_node_types, iter_flat_edges, iter_flat_nodes, iter_nodes, iter_plain_edges

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import IO

    from kg.model import KnowledgeGraph

__all__ = ["write_csv", "write_neo4j", "write_neo4j_zip"]

Row: TypeAlias = "Mapping[str, object]"
Table: TypeAlias = "tuple[str, Mapping[str, str], Iterable[Row]]"  # file, values by heading, rows

_BREAKS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # Excel takes the full-width ones too
_PAPER = ("kind", "label", "title", "abstract", "year", "venue", "authors", "doi", "url", "keywords")
_CONCEPT = ("kind", "type", "label", "alt_labels", "papers", "exact_match", "close_match", "centrality", "first_year")
_PLACE = ("community", "community_name")
_RESULT = (
    "paper", "label", "metric", "value", "unit", "kind", "direction", "better", "baseline_value", "method", "dataset",
    "baseline", "confidence", "sentence", "metric_id", "method_id", "dataset_id", "baseline_id",
)  # fmt: skip
_NEO4J_TYPES = {"string": "", "list": ":string[]", "integer": ":int", "double": ":double"}
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the first that zip knows


def write_csv(kg: KnowledgeGraph, folder: Path, *, texts: bool = True) -> None:
    """Write ``nodes.csv``, ``edges.csv`` and ``results.csv`` into a folder that exists, as the module says."""
    nodes = ({"id": node, **attributes} for node, attributes in iter_flat_nodes(kg, texts=texts))
    edges = (
        {"source": subject, "predicate": predicate, "target": object_, **attributes}
        for subject, object_, predicate, attributes in iter_flat_edges(kg, texts=texts)
    )
    names = ["id", *find_node_types(kg)]
    _write_table(folder, ("nodes.csv", dict(zip(names, names, strict=True)), nodes), _spreadsheet_cell)
    names = ["source", "predicate", "target", *EDGE_TYPES]
    _write_table(folder, ("edges.csv", dict(zip(names, names, strict=True)), edges), _spreadsheet_cell)
    columns = dict(zip(_RESULT, _RESULT, strict=True))
    _write_table(folder, ("results.csv", columns, _iter_results(kg, texts=texts)), _spreadsheet_cell)


def _iter_results(kg: KnowledgeGraph, *, texts: bool) -> Iterator[Row]:
    """Yield what papers report as measured, concepts by label and by id."""
    for one in kg.results:
        row: dict[str, object] = {
            "paper": one.paper,
            "label": kg.papers[one.paper].label,
            "metric": kg.concepts[one.metric].label if one.metric else one.metric_text,
            "metric_id": one.metric,
            **{name: getattr(one, name) for name in ("value", "unit", "kind", "direction", "better")},
            "baseline_value": one.baseline_value,
            "confidence": one.confidence,
            "sentence": one.evidence.sentence if texts else "",
        }
        for part in ("dataset", "method", "baseline"):
            node = getattr(one, part)
            row |= {part: kg.concepts[node].label if node else "", f"{part}_id": node}
        yield row


def write_neo4j(kg: KnowledgeGraph, folder: Path, *, texts: bool = True) -> None:
    """Write the tables for Neo4j into a folder that exists."""
    for table in _iter_neo4j_tables(kg, texts=texts):
        _write_table(folder, table, _neo4j_cell)


def write_neo4j_zip(kg: KnowledgeGraph, path: Path, *, texts: bool = True) -> None:
    """Write the tables for Neo4j as one zip file, in which no time is kept."""
    with open_whole(path) as raw, zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as packed:
        for table in _iter_neo4j_tables(kg, texts=texts):
            entry = zipfile.ZipInfo(table[0], _ZIP_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            with packed.open(entry, "w", force_zip64=True) as file:
                _fill_table(file, table, _neo4j_cell)


def _iter_neo4j_tables(kg: KnowledgeGraph, *, texts: bool) -> Iterator[Table]:
    """Yield the tables of papers, concepts and relations, each with Neo4j's headings."""
    types = find_node_types(kg)
    for file, kind, names in (("papers.csv", "Paper", _PAPER), ("concepts.csv", "Concept", _CONCEPT)):
        known = [name for name in (*names, *_PLACE) if name in types]
        typed = {f"{name}{_NEO4J_TYPES[types[name]]}": name for name in known}
        yield file, {"id:ID": "id", ":LABEL": "labels", **typed}, _iter_neo4j_nodes(kg, kind, texts=texts)
    typed = {f"{name}{_NEO4J_TYPES[kind]}": name for name, kind in EDGE_TYPES.items()}
    yield (
        "relations.csv",
        {":START_ID": "start", ":END_ID": "end", ":TYPE": "type", **typed},
        _iter_neo4j_edges(kg, texts=texts),
    )


def _iter_neo4j_nodes(kg: KnowledgeGraph, kind: str, *, texts: bool) -> Iterator[Row]:
    """Yield the nodes of a kind, lists as lists; labels are the kind and a concept's type."""
    for node, attributes in iter_nodes(kg, texts=texts):
        if attributes["kind"] == kind:
            labels = [attributes[name] for name in ("kind", "type") if name in attributes]
            yield {"id": node, "labels": labels, **attributes}


def _iter_neo4j_edges(kg: KnowledgeGraph, *, texts: bool) -> Iterator[Row]:
    """Yield relations, lists as lists."""
    for start, end, kind, attributes in iter_plain_edges(kg, texts=texts):
        yield {"start": start, "end": end, "type": kind, **attributes}


def _write_table(folder: Path, table: Table, to_cell: Callable[[object], str]) -> None:
    """Write a table into a folder."""
    with open_whole(folder / table[0]) as raw:
        _fill_table(raw, table, to_cell)


def _fill_table(raw: IO[bytes], table: Table, to_cell: Callable[[object], str]) -> None:
    """Write headings and rows; no value, no text in the cell."""
    _, columns, rows = table
    file = TextIOWrapper(raw, "utf-8", "replace", "\n")
    file.write(",".join(columns) + "\n")
    for row in rows:
        file.write(",".join(to_cell(row.get(name)) for name in columns.values()) + "\n")
    file.detach()  # flushes, and leaves the file open


def _spreadsheet_cell(value: object) -> str:
    """Return a value as a cell: text in quotes and no formula, numbers bare, nothing for what is missing."""
    if isinstance(value, str) and value:
        return _quote(" | ".join(map(_defuse, value.split(" | "))))
    return _bare(value)


def _neo4j_cell(value: object) -> str:
    """Return a value as a cell of Neo4j's."""
    if isinstance(value, list) and value:
        return _quote(";".join(_BREAKS.sub(" ", str(one)).replace(";", ",") for one in value))
    return _quote(_BREAKS.sub(" ", value)) if isinstance(value, str) and value else _bare(value)


def _bare(value: object) -> str:
    """Return a number as it is, and nothing for anything else."""
    return repr(value) if isinstance(value, int | float) else ""


def _quote(text: str) -> str:
    """Return a text in double quotes."""
    return '"' + text.replace('"', '""') + '"'


def _defuse(text: str) -> str:
    """Return a text on one line that no spreadsheet takes for a formula."""
    text = _BREAKS.sub(" ", text)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text
