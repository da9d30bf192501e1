"""Write a graph in a format that other programs read; whole, or not at all.

`FORMATS` has the formats by name. All but ``csv`` are one file.

``csv`` is a folder with ``nodes.csv`` and ``edges.csv`` for ``neo4j-admin database import``,
with Neo4j's headings and no options needed::

    neo4j-admin database import full --nodes=nodes.csv --relationships=edges.csv

Text stands in double quotes and a missing value is an empty cell. The parts of a list are
joined by ";" (one inside a part becomes ","), and line breaks become spaces. A spreadsheet must
not take a text for a formula: a text, or a part of a list, that starts with ``=``, ``+``,
``-`` or ``@`` gets an apostrophe before it. Files are UTF-8 without a byte order mark.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING

from kg.errors import ExportError
from kg.files import open_whole
from kg.network import iter_edges, iter_nodes, write_gexf, write_graphml, write_json
from kg.vocab import BASE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from kg.model import KnowledgeGraph

__all__ = ["FORMATS", "export", "write_csv"]

_NODE_COLUMNS = {
    "id:ID": "id", ":LABEL": "labels", "label": "label", "type": "type", "alt_labels:string[]": "alt_labels",
    "papers:int": "papers", "title": "title", "year:int": "year", "venue": "venue", "authors:string[]": "authors",
    "doi": "doi", "url": "url", "keywords:string[]": "keywords", "abstract": "abstract",
}  # fmt: skip
_EDGE_COLUMNS = {
    ":START_ID": "start", ":END_ID": "end", ":TYPE": "type", "score:double": "score", "support:int": "support",
    "evidence": "evidence", "via:string[]": "via",
}  # fmt: skip
_BREAKS = re.compile(r"[\x00-\x1f\x7f\x85\u2028\u2029]+")
_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠")  # Excel takes the full-width ones too


def export(kg: KnowledgeGraph, format: str, target: Path | str | IO[bytes], *, base: str = BASE) -> None:
    """Write a graph to a path or a binary stream.

    A file appears when it is whole; so does each file of a folder.

    Parameters
    ----------
    kg : KnowledgeGraph
    format : str
        A name in `FORMATS`.
    target : Path, str or binary stream
        A file, or for ``csv`` a folder; the folder above must be there. A stream, such as
        ``sys.stdout.buffer``, takes all formats but ``csv``.
    base : str
        What the IRIs of nodes start with, in the RDF formats.

    Raises
    ------
    ExportError
        If there is no such format, or the target can't be written.
    """
    if format not in FORMATS:
        raise ExportError(f"no format {format!r}; choose one of {', '.join(FORMATS)}")
    if not isinstance(target, str | Path):
        _write_stream(kg, format, target, base)
    elif format == "csv":
        _write_folder(kg, Path(target), base)
    else:
        FORMATS[format](kg, Path(target), base)


def write_csv(kg: KnowledgeGraph, folder: Path) -> None:
    """Write ``nodes.csv`` and ``edges.csv`` into a folder that exists, as the module says."""
    nodes = (
        {"id": node, "labels": [str(attributes[name]) for name in ("kind", "type") if name in attributes]} | attributes
        for node, attributes in iter_nodes(kg)
    )
    _write_table(folder / "nodes.csv", _NODE_COLUMNS, nodes)
    edges = (_edge_row(*edge) for edge in iter_edges(kg))
    _write_table(folder / "edges.csv", _EDGE_COLUMNS, edges)


def _edge_row(subject: str, object_: str, predicate: str, attributes: Mapping[str, object]) -> dict[str, object]:
    """Return the cells of a relation by name."""
    evidence = attributes["evidence"]
    assert isinstance(evidence, list)
    counted = {"support": len({one["paper"] for one in evidence}), "evidence": evidence[0]["sentence"]}
    return {**attributes, "start": subject, "end": object_, "type": predicate, **counted}


def _write_table(path: Path, columns: Mapping[str, str], rows: Iterable[Mapping[str, object]]) -> None:
    """Write rows with Neo4j's headings; no value, no text in the cell."""
    with open_whole(path) as raw, TextIOWrapper(raw, "utf-8", "replace", "\n") as file:
        file.write(",".join(columns) + "\n")
        for row in rows:
            file.write(",".join(_cell(row.get(name)) for name in columns.values()) + "\n")


def _cell(value: object) -> str:
    """Return a value as a cell: text in quotes, numbers bare, nothing for what is missing."""
    if value is None or value in ([], ""):
        return ""
    if isinstance(value, int | float):
        return repr(value)
    parts = [str(one).replace(";", ",") for one in value] if isinstance(value, list) else [str(value)]
    return '"' + ";".join(map(_defuse, parts)).replace('"', '""') + '"'


def _defuse(text: str) -> str:
    """Return a text on one line that no spreadsheet takes for a formula."""
    text = _BREAKS.sub(" ", text)
    return f"'{text}" if text.lstrip().startswith(_FORMULA) else text


def _write_rdf(format: str) -> Callable[[KnowledgeGraph, Path, str], None]:
    """Return the function that writes an RDF format."""

    def write(kg: KnowledgeGraph, path: Path, base: str) -> None:
        from kg.rdf import write_rdf

        write_rdf(kg, path, format, base=base)

    return write


FORMATS: dict[str, Callable[[KnowledgeGraph, Path, str], None]] = {
    "turtle": _write_rdf("turtle"),
    "ntriples": _write_rdf("ntriples"),
    "jsonld": _write_rdf("jsonld"),
    "rdfxml": _write_rdf("rdfxml"),
    "trig": _write_rdf("trig"),
    "graphml": lambda kg, path, _base: write_graphml(kg, path),
    "gexf": lambda kg, path, _base: write_gexf(kg, path),
    "json": lambda kg, path, _base: write_json(kg, path),
    "csv": lambda kg, path, _base: write_csv(kg, path),
}


def _write_stream(kg: KnowledgeGraph, format: str, stream: IO[bytes], base: str) -> None:
    """Write one file to a stream, once all of it is there."""
    if format == "csv":
        raise ExportError("csv is two files, nodes.csv and edges.csv, and can't go to a stream; name a folder")
    with tempfile.TemporaryDirectory(prefix="kg-") as folder:
        part = Path(folder) / "part"
        FORMATS[format](kg, part, base)
        with part.open("rb") as file:
            shutil.copyfileobj(file, stream)
    stream.flush()


def _write_folder(kg: KnowledgeGraph, folder: Path, base: str) -> None:
    """Write a folder of files; files that are there under the same names are replaced."""
    if folder.exists() and not folder.is_dir():
        raise ExportError(f"{str(folder)!r} is a file and csv is a folder of two files; name a folder")
    is_new = not folder.exists()
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise ExportError(f"{str(folder)!r} can't be made: {error.strerror or error}") from error
    try:
        FORMATS["csv"](kg, folder, base)
    except ExportError:
        if is_new:
            shutil.rmtree(folder, ignore_errors=True)
        raise
