"""Write a graph in a format that other programs read; whole, or not at all.

`FORMATS` has the formats by name: RDF (`kg.rdf`), graphs (`kg.network`), tables
(`kg.export.tables`), and three that say a part of it: ``skos`` is the concepts as a thesaurus
(`kg.rdf.thesaurus`), ``sssom`` how they match terms of others (`kg.sssom`), ``void`` a
description of the data (`kg.rdf.description`). ``csv`` and ``neo4j`` are folders, the others one
file.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO, TYPE_CHECKING

from kg.errors import ExportError
from kg.export.tables import write_csv, write_neo4j, write_neo4j_zip
from kg.network import write_cytoscape, write_gexf, write_graphml, write_json, write_vosviewer
from kg.rdf import Layer, write_description, write_rdf, write_thesaurus
from kg.sssom import write_sssom
from kg.vocab import BASE

if TYPE_CHECKING:
    from collections.abc import Callable

    from kg.model import KnowledgeGraph

    Writer = Callable[[KnowledgeGraph, Path, str, "Choice"], None]

__all__ = ["EVERYTHING", "FORMATS", "Choice", "export", "write_csv"]


@dataclass(frozen=True, slots=True)
class Choice:
    """What an export says, where its format leaves a choice."""

    layers: tuple[Layer, ...] = ()  # in RDF; none means concepts and statements
    texts: bool = True  # else abstracts and their sentences are left out, and only referred to
    language: str = ""  # of the labels, as a BCP 47 tag, in skos
    licence: str = ""  # of the data, as an IRI, in void


EVERYTHING = Choice()


def export(
    kg: KnowledgeGraph,
    format: str,
    target: Path | str | IO[bytes],
    *,
    base: str = BASE,
    choice: Choice = EVERYTHING,
) -> None:
    """Write a graph to a path or a binary stream.

    A file appears when it is whole; so does each file of a folder.

    Parameters
    ----------
    kg : KnowledgeGraph
    format : str
        A name in `FORMATS`.
    target : Path, str or binary stream
        A file, or for ``csv`` a folder and for ``neo4j`` a folder or a file that ends in .zip;
        the folder above must be there. A stream, such as ``sys.stdout.buffer``, takes all
        formats but ``csv``; ``neo4j`` goes to it as a zip file.
    base : str
        What the IRIs of nodes start with, in the RDF formats.
    choice : Choice
        What is said and what is left out; all but `Choice.texts` is for some formats only.

    Raises
    ------
    ExportError
        If there is no such format, it leaves no such choice, or the target can't be written.
    """
    if format not in FORMATS:
        raise ExportError(f"no format {format!r}; choose one of {', '.join(FORMATS)}")
    _check_choice(format, choice)
    if not isinstance(target, str | Path):
        _write_stream(kg, format, target, base, choice)
    elif format in _FOLDERS and not (format == "neo4j" and Path(target).suffix == ".zip"):
        _write_folder(kg, format, Path(target), choice)
    else:
        FORMATS[format](kg, Path(target), base, choice)


def _check_choice(format: str, choice: Choice) -> None:
    """Refuse a choice that a format does not leave."""
    for field in fields(Choice):
        takers = _TAKERS.get(field.name)
        if takers and getattr(choice, field.name) != field.default and format not in takers:
            raise ExportError(f"format {format!r} takes no {field.name}; {', '.join(takers)} do")


def _write_rdf(format: str) -> Writer:
    """Return the function that writes an RDF format."""

    def write(kg: KnowledgeGraph, path: Path, base: str, choice: Choice) -> None:
        layers = choice.layers or (Layer.GRAPH,)
        write_rdf(kg, path, format, base=base, layer=layers, texts=choice.texts)

    return write


FORMATS: dict[str, Writer] = {
    **{name: _write_rdf(name) for name in ("turtle", "ntriples", "jsonld", "rdfxml", "trig")},
    "graphml": lambda kg, path, _, choice: write_graphml(kg, path, texts=choice.texts),
    "gexf": lambda kg, path, _, choice: write_gexf(kg, path, texts=choice.texts),
    "json": lambda kg, path, _, choice: write_json(kg, path, texts=choice.texts),
    "csv": lambda kg, folder, _, choice: write_csv(kg, folder, texts=choice.texts),
    "cytoscape": lambda kg, path, _, choice: write_cytoscape(kg, path, texts=choice.texts),
    "vosviewer": lambda kg, path, _, choice: write_vosviewer(kg, path, texts=choice.texts),
    "neo4j": lambda kg, path, _, choice: write_neo4j_zip(kg, path, texts=choice.texts),
    "skos": lambda kg, path, base, choice: write_thesaurus(kg, path, base=base, language=choice.language),
    "sssom": lambda kg, path, base, _: write_sssom(kg, path, base=base),
    "void": lambda kg, path, base, choice: write_description(kg, path, base=base, licence=choice.licence),
}
_FOLDERS = {"csv": write_csv, "neo4j": write_neo4j}
_TAKERS = {
    "layers": ("turtle", "ntriples", "jsonld", "rdfxml", "trig"),
    "language": ("skos",),
    "licence": ("void",),
}


def _write_stream(kg: KnowledgeGraph, format: str, stream: IO[bytes], base: str, choice: Choice) -> None:
    """Write one file to a stream, once all of it is there."""
    if format == "csv":
        raise ExportError("csv is a folder of three files, and can't go to a stream; name a folder")
    with tempfile.TemporaryDirectory(prefix="kg-") as folder:
        part = Path(folder) / "part"
        FORMATS[format](kg, part, base, choice)
        with part.open("rb") as file:
            shutil.copyfileobj(file, stream)
    stream.flush()


def _write_folder(kg: KnowledgeGraph, format: str, folder: Path, choice: Choice) -> None:
    """Write a folder of files; files that are there under the same names are replaced."""
    if folder.exists() and not folder.is_dir():
        raise ExportError(f"{str(folder)!r} is a file and {format} is a folder of files; name a folder")
    is_new = not folder.exists()
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise ExportError(f"{str(folder)!r} can't be made: {error.strerror or error}") from error
    try:
        _FOLDERS[format](kg, folder, texts=choice.texts)
    except ExportError:
        if is_new:
            shutil.rmtree(folder, ignore_errors=True)
        raise
